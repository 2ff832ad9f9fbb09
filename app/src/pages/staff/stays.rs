//! Stay page with everything about a stay, and every action that a guest could take, on their
//! behalf.

mod action_page;
pub mod cancel_or_no_show;
pub mod change_stay;
mod check_out_form;
mod find_booking;
pub mod guest_request;
pub mod move_stay;
pub mod notes;
mod room_availability;
mod stay_header;
mod stay_page;
mod undo_check_in;

pub use self::{action_page::stay_act_page, stay_page::stay_page};

/// Session key of stay actions; shared with the today board, where some of them start.
pub const FORM: &str = super::today::FORM;
