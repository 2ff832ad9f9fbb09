//! Cases: requests of guests and staff, by responsible queue.

mod change;
mod filter;
mod found;
mod list;
mod new;
mod one;
mod queue;

pub use self::{
    change::step_button,
    filter::CaseFilter,
    found::{CaseRow, cases, find},
    list::{CasesPage, priority_state},
    new::NewCasePage,
    one::CasePage,
    queue::Queue,
};

/// Path of the list.
pub const PAGE: &str = "/staff/cases";
/// Session key of case actions.
pub const FORM: &str = "case";
