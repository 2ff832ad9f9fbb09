//! Pages for staff.

mod attention;
mod attention_region;
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
mod guests;
mod new_booking;
mod operator_action;
mod payments;
mod refund;
mod rooms;
mod saved_views;
mod search;
mod shortcut_help;
mod sign_in;
mod staff_reads;
mod stays;
mod systems;
mod tape_chart;
mod today;
mod tokens;
mod wall_board;

pub use self::{
    attention::AttentionPage,
    attention_region::WaitingPage,
    audit::AuditPage,
    board::take_kept,
    bulk_action::BulkPage,
    cases::{CaseFilter, CasePage, CaseRow, CasesPage, NewCasePage},
    charges::ChargesPage,
    compensations::CompensationsPage,
    conversations::ConversationsPage,
    execution_record::RecordPage,
    executions::ExecutionsPage,
    fault_injection::FaultInjectionPage,
    guests::{GuestPage, GuestsPage, NewGuestPage},
    new_booking::DeskBookPage,
    operator_action::ActPage,
    payments::{PaymentsPage, payment_days},
    refund::RefundPage,
    rooms::{RoomPage, RoomsPage},
    search::FindPage,
    shortcut_help::KeysPage,
    sign_in::StaffSignInPage,
    stays::{StayActPage, StayPage},
    systems::SystemsPage,
    tape_chart::TapePage,
    today::TodayPage,
    tokens::TokensPage,
    wall_board::WallPage,
};
