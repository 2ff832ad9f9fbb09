//! Guests: search by any known detail, and each guest's stays and cases.

mod guest_page;
mod guest_rows;
mod guest_search;
pub mod new_guest;

pub use self::{
    guest_page::GuestPage,
    guest_rows::{Guests, find},
    guest_search::GuestsPage,
    new_guest::NewGuestPage,
};

/// Path of the search.
pub const PAGE: &str = "/staff/guests";
