//! Port for text messages.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    text_status::TextStatus,
    upstream_request::{Call, Outcome},
};

/// A message as the carrier's API reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentText {
    /// Message id, `SM…`.
    pub sid: String,
    /// Status: `queued`, `accepted`, `sending`, `sent`, `delivered`, `undelivered`, `failed`.
    pub status: String,
    /// Why it never arrived: `30003`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<u32>,
    /// Text, as sent.
    pub body: String,
    /// Time the API accepted it.
    pub at: Timestamp,
}

/// How a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextEnd {
    /// Final status.
    pub status: TextStatus,
    /// Why it never arrived: `30003`.
    pub error_code: Option<u32>,
    /// Time of the report.
    pub at: Timestamp,
}

/// Text messages. The API has no idempotency keys, so a message of unknown outcome must be looked
/// up before anything is sent again; its text carries a reference that identifies it.
#[async_trait]
pub trait TextMessages: Send + Sync + std::fmt::Debug {
    /// Builds the request that sends this text to this number (E.164). The carrier drops a text that
    /// has waited for longer than `valid_for`.
    fn text(&self, to: &str, body: &str, valid_for: Duration) -> Call;

    /// Sends [`TextMessages::text`]. Invalid, landline and unsubscribed numbers are `Refused` with the
    /// API's code (`twilio_21211`, `twilio_21610`, …).
    async fn send_text(&self, call: &Call) -> Outcome<SentText>;

    /// Whether nothing can be sent to anybody at present: our account or our number is refused.
    fn refuses_us(&self) -> bool {
        false
    }

    /// How the message with this id ended, if its carrier has reported that.
    async fn reported_end(&self, _sid: &str) -> Option<TextEnd> {
        None
    }

    /// The message with this id, as it is now.
    async fn text_by_sid(&self, sid: &str) -> Outcome<SentText>;

    /// Messages to this number since that time, newest first, all pages.
    async fn texts_since(&self, to: &str, since: Timestamp) -> Outcome<Vec<SentText>>;
}
