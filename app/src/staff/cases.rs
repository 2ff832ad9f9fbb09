//! Cases: what guests and staff ask to have done, by who does it.

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

/// The list.
pub const PAGE: &str = "/staff/cases";
/// The name of acts upon cases in the session.
pub const FORM: &str = "case";
