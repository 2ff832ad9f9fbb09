//! Pages for staff.

mod act;
mod attention;
mod audit;
mod board;
mod book;
mod bulk;
mod cases;
mod charges;
mod compensations;
mod conversations;
mod executions;
mod fault_injection;
mod filters;
mod find;
mod guests;
mod keys;
mod pause;
mod payments;
mod reads;
mod record;
mod refund;
mod rooms;
mod sign_in;
mod stays;
mod systems;
mod tape;
mod today;
mod tokens;
mod views;
mod waiting;
mod wall;

pub use self::{
    act::ActPage,
    attention::AttentionPage,
    audit::AuditPage,
    board::take_kept,
    book::DeskBookPage,
    bulk::BulkPage,
    cases::{CaseFilter, CasePage, CaseRow, CasesPage, NewCasePage},
    charges::ChargesPage,
    compensations::CompensationsPage,
    conversations::ConversationsPage,
    executions::ExecutionsPage,
    fault_injection::FaultInjectionPage,
    find::FindPage,
    guests::{GuestPage, GuestsPage, NewGuestPage},
    keys::KeysPage,
    payments::{PaymentsPage, payment_days},
    record::RecordPage,
    refund::RefundPage,
    rooms::{RoomPage, RoomsPage},
    sign_in::StaffSignInPage,
    stays::{StayActPage, StayPage},
    systems::SystemsPage,
    tape::TapePage,
    today::TodayPage,
    tokens::TokensPage,
    waiting::WaitingPage,
    wall::WallPage,
};
