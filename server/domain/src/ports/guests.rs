//! Guests, as the orchestrators need them.

use async_trait::async_trait;

use crate::{
    call::{Call, Reply},
    guest::{Guest, GuestQuery},
    reservation::NewGuest,
};

/// The hotel's guests.
#[async_trait]
pub trait Guests: Send + Sync + std::fmt::Debug {
    /// The guests who fit, in one query, by name; with their stays that are not over.
    async fn guests(&self, query: &GuestQuery, limit: u32) -> Reply<Vec<Guest>>;

    /// Makes a contact, whose email is unique.
    fn make_guest(&self, guest: &NewGuest) -> Call;

    /// Sends [`Guests::make_guest`]. Where the email is taken it is `Refused` with the code
    /// `duplicate`.
    async fn send_make_guest(&self, call: &Call) -> Reply<()>;

    /// Writes the guest's own unique email again under their stamp, so that a straggler of ours
    /// fails its own guard. Sent with `Crm::send_touch`.
    fn touch_guest(&self, guest: &Guest) -> Call;
}
