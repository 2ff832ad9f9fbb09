//! Text messages as the orchestrators need them.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::call::{Call, Reply};

/// A message as the carrier's API tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// `SM…`.
    pub sid: String,
    /// `queued`, `accepted`, `sending`, `sent`, `delivered`, `undelivered`, `failed`.
    pub status: String,
    /// The words, as sent.
    pub body: String,
    /// When the API took it.
    pub at: Timestamp,
}

/// Text messages. The API knows no idempotency keys, so a message of unknown outcome must be looked
/// for before anything is sent again; its words carry a reference that makes it recognisable.
#[async_trait]
pub trait Texts: Send + Sync + std::fmt::Debug {
    /// The request that sends these words to this number (E.164).
    fn text(&self, to: &str, body: &str) -> Call;

    /// Sends [`Texts::text`]. Invalid, landline and unsubscribed numbers are `Refused` with the
    /// API's code (`twilio_21211`, `twilio_21610`, …).
    async fn send_text(&self, call: &Call) -> Reply<Sent>;

    /// Messages to this number since then, newest first, all pages.
    async fn texts_since(&self, to: &str, since: Timestamp) -> Reply<Vec<Sent>>;
}
