//! Stay page with everything about a stay, and every action that a guest could take, on their
//! behalf.

mod act;
mod change;
mod check_out;
mod end;
mod found;
mod head;
mod move_to;
mod notes;
mod obstacle;
mod one;
mod request;
mod undo;

pub use self::{act::StayActPage, one::StayPage};

/// Session key of stay actions; shared with the today board, where some of them start.
pub const FORM: &str = super::today::FORM;
