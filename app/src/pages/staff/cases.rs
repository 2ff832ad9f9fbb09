//! Cases: requests of guests and staff, by responsible queue.

mod case_list;
mod case_page;
mod case_rows;
pub mod change_case;
mod filter;
pub mod grant_late_checkout;
pub mod new_case;
mod queue;

pub use self::{
    case_list::{cases_page, priority_state},
    case_page::case_page,
    case_rows::{case_rank, cases, find},
    change_case::step_button,
    filter::CaseFilter,
    new_case::new_case_page,
    queue::Queue,
};

pub const PAGE: &str = "/staff/cases";
pub const FORM: &str = "case";
