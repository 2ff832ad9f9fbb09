//! Guests: found by whatever the desk has in hand, and each with stays and cases.

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

/// The search.
pub const PAGE: &str = "/staff/guests";

/// The page of the guest with this email.
pub fn guest_page(email: &str) -> String {
    format!(
        "/staff/guest?{}",
        serde_urlencoded::to_string([("email", email)]).unwrap_or_default()
    )
}
