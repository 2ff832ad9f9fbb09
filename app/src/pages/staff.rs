//! Pages for staff.

mod audit;
mod board;
pub mod bulk_action;
pub mod cases;
pub mod charges;
pub mod check_out_pause;
mod compensations;
mod conversations;
pub mod execution_record;
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
    audit::audit_page,
    bulk_action::bulk_page,
    cases::{CaseFilter, case_page, cases_page, new_case_page},
    charges::charges_page,
    compensations::compensations_page,
    conversations::conversations_page,
    execution_record::record_page,
    executions::executions_page,
    fault_injection::fault_injection_page,
    guests::{guest_page, guests_page, new_guest_page},
    new_booking::{desk_book_page, walk_in::walk_in_page},
    operator_action::act_page,
    orphaned_payment_refund::refund_page,
    reconciliation::{payment_days, payments_page},
    rooms::{room_page, rooms_page},
    search::find_page,
    shortcut_help::keys_page,
    sign_in::staff_sign_in_page,
    stays::{stay_act_page, stay_page},
    stuck_executions::attention_page,
    system_status::systems_page,
    tape_chart::tape_page,
    today::today_page,
    tokens::tokens_page,
    waiting_page::waiting_page,
    wall_board::wall_page,
};
