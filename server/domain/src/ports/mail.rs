//! Port for email.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::call::{Call, Reply};

/// An email to a guest: the same words as plain text and as HTML.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Email {
    /// Address.
    pub to: String,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML.
    pub html: String,
}

/// Email. The protocol cannot be asked what became of a message; but a message that is delivered
/// twice carries the same `Message-ID`, by which mail servers and programs recognize it.
#[async_trait]
pub trait Mail: Send + Sync + std::fmt::Debug {
    /// Builds the message, byte for byte; `id` becomes its `Message-ID`. `None` if no mail can be
    /// sent to this address.
    fn message(&self, email: &Email, id: &str, at: Timestamp) -> Option<Call>;

    /// Sends [`Mail::message`]. An address that the server does not accept is `Refused` with its code
    /// (`smtp_550`).
    async fn send(&self, call: &Call) -> Reply<()>;
}
