//! Port for email.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::SignedIn;
use crate::{
    error_code::ErrorCode,
    upstream_request::{Call, Outcome},
};

/// An email to a guest, as plain text and as HTML with the same content.
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
    /// Attached event for a calendar (RFC 5545).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar: Option<String>,
}

/// Email. SMTP cannot report a message's status, but a message delivered twice carries the same
/// `Message-ID`, so servers and clients can deduplicate it.
#[async_trait]
pub trait Mail: Send + Sync + std::fmt::Debug {
    /// Builds the message, byte for byte; `id` becomes its `Message-ID`. `None` if no mail can be
    /// sent to this address.
    fn message(&self, email: &Email, id: &str, at: Timestamp) -> Option<Call>;

    /// Whether nothing can be sent to anybody at present: the server refuses to sign us in.
    fn refuses_us(&self) -> bool {
        false
    }

    /// Sends [`Mail::message`]. An address that the server does not accept is `Refused` with its code
    /// (`smtp_550`).
    async fn send(&self, call: &Call) -> Outcome<()>;
}

/// Status of the email about an execution: a receipt, or the confirmation of a booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailStatus {
    /// No mail server is configured.
    Off,
    /// None was sent, and none is owed.
    Unsent,
    /// Owed, or being sent.
    OnItsWay,
    /// The mail server has accepted it.
    Sent,
    /// It could not be sent to the guest's address.
    Refused,
}

/// Writes receipts and confirmations as emails, in the languages that guests read.
#[async_trait]
pub trait EmailWriter: Send + Sync + std::fmt::Debug {
    /// Receipt of a completed check-out, or confirmation of a booking, to the guest's own address;
    /// `None` if there is none. Without a language it is in the hotel's.
    ///
    /// # Errors
    /// Why it can't be written now.
    async fn write(
        &self,
        guest: &SignedIn,
        execution: &str,
        language: Option<&str>,
    ) -> Result<Option<Email>, ErrorCode>;
}
