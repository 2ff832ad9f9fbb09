//! Pages for staff.

mod audit;
mod board;
mod bulk_action;
mod cases;
mod charges;
mod check_out_pause;
mod compensations;
mod conversations;
mod execution_record;
mod executions;
mod fault_injection;
mod filters;
mod guest_phone;
mod guests;
mod new_booking;
mod operator_action;
mod orphaned_payment_refund;
mod reconciliation;
mod require_front_desk;
mod rooms;
mod saved_views;
mod search;
mod shortcut_help;
mod sign_in;
mod staff_reads;
mod stays;
mod stuck_executions;
mod system_status;
mod tape_chart;
mod today;
mod tokens;
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
