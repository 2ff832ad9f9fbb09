//! Guests: search by any known detail, and each guest's stays and cases.

mod guest_page;
mod guest_rows;
mod guest_search;
pub mod new_guest;

pub use self::{
    guest_page::guest_page,
    guest_rows::{Guests, find},
    guest_search::guests_page,
    new_guest::new_guest_page,
};

pub const PAGE: &str = "/staff/guests";
