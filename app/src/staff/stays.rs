//! One stay with everything about it in one place, and every step that a guest could take, taken
//! for them.

mod act;
mod change;
mod check_out;
mod end;
mod found;
mod head;
mod move_to;
mod notes;
mod one;
mod request;

pub use self::{act::StayActPage, one::StayPage};

/// The name of acts upon a stay in the session; that of the day's board, from which some of them
/// begin.
pub const FORM: &str = super::today::FORM;

/// The page of the stay with this booking number; the day's board where that is none.
pub fn stay_page(number: &str) -> String {
    let plain = !number.is_empty()
        && number
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plain {
        format!("/staff/stays/{number}")
    } else {
        super::today::PAGE.to_owned()
    }
}
