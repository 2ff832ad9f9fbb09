//! Cases: requests of guests and staff, by responsible queue.

mod case_list;
mod case_page;
mod case_rows;
pub mod change_case;
mod filter;
pub mod new_case;
mod queue;

pub use self::{
    case_list::{CasesPage, priority_state},
    case_page::CasePage,
    case_rows::{case_rank, cases, find},
    change_case::step_button,
    filter::CaseFilter,
    new_case::NewCasePage,
    queue::Queue,
};

/// Path of the list.
pub const PAGE: &str = "/staff/cases";
/// Session key of case actions.
pub const FORM: &str = "case";
