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
