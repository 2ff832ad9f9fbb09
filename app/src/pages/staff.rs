//! Pages for staff.

mod audit;
mod board;
pub mod bulk_action;
pub mod cases;
pub mod charges;
pub mod check_out_pause;
mod compensations;
mod conversations;
mod execution_record;
mod executions;
pub mod fault_injection;
mod filters;
mod guest_phone;
pub mod guests;
pub mod new_booking;
pub mod operator_action;
pub mod orphaned_payment_refund;
mod reconciliation;
mod require_front_desk;
pub mod rooms;
pub mod saved_views;
mod search;
mod shortcut_help;
pub mod sign_in;
mod staff_reads;
pub mod stays;
mod stuck_executions;
mod system_status;
mod tape_chart;
pub mod today;
pub mod tokens;
mod waiting_page;
mod wall_board;

pub use self::{
    audit::AuditPage,
    bulk_action::BulkPage,
    cases::{CaseFilter, CasePage, CasesPage, NewCasePage},
    charges::ChargesPage,
    compensations::CompensationsPage,
    conversations::ConversationsPage,
    execution_record::RecordPage,
    executions::ExecutionsPage,
    fault_injection::FaultInjectionPage,
    guests::{GuestPage, GuestsPage, NewGuestPage},
    new_booking::DeskBookPage,
    operator_action::ActPage,
    orphaned_payment_refund::RefundPage,
    reconciliation::{PaymentsPage, payment_days},
    rooms::{RoomPage, RoomsPage},
    search::FindPage,
    shortcut_help::KeysPage,
    sign_in::StaffSignInPage,
    stays::{StayActPage, StayPage},
    stuck_executions::AttentionPage,
    system_status::SystemsPage,
    tape_chart::TapePage,
    today::TodayPage,
    tokens::TokensPage,
    waiting_page::WaitingPage,
    wall_board::WallPage,
};
