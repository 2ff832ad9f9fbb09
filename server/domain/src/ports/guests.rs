//! Port for guests.

use async_trait::async_trait;

use crate::{
    guest::{Guest, GuestQuery},
    reservation::NewGuest,
    upstream_request::{Call, Outcome},
};

/// A phone number as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPhone {
    /// As it is stored in a contact.
    pub stored: String,
    /// Whether its country has such numbers: a digit may be wrong otherwise.
    pub exists: bool,
}

#[async_trait]
pub trait Guests: Send + Sync + std::fmt::Debug {
    /// Reads the matching guests in one query, by name, with their current and future stays.
    async fn guests(&self, query: &GuestQuery, limit: u32) -> Outcome<Vec<Guest>>;

    /// A phone number, read from any form that people write; `None` if it is no phone number.
    fn phone_number(&self, written: &str) -> Option<ReadPhone>;

    /// Creates a contact; its email is unique.
    fn create_contact(&self, guest: &NewGuest) -> Call;

    /// Sends [`Guests::create_contact`]. If the email is taken, the reply is `Refused` with the code
    /// `duplicate`.
    async fn send_create_contact(&self, call: &Call) -> Outcome<()>;

    /// Rewrites the guest's own unique email under their stamp, so that a late effect of ours fails
    /// its own precondition. Sent with `Crm::send_touch`.
    fn touch_guest(&self, guest: &Guest) -> Call;
}
