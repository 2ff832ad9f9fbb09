//! Guests: search by any known detail, and each guest's stays and cases.

mod add;
mod found;
mod one;
mod search;

pub use self::{
    add::NewGuestPage,
    found::{GuestRow, find},
    one::GuestPage,
    search::GuestsPage,
};

/// Path of the search.
pub const PAGE: &str = "/staff/guests";

/// Page of the guest with this email.
pub fn guest_page(email: &str) -> String {
    format!(
        "/staff/guest?{}",
        serde_urlencoded::to_string([("email", email)]).unwrap_or_default()
    )
}
