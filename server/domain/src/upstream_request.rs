//! One request to an outside system, as journaled before it is sent, and its four possible
//! outcomes.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An outside system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// Guests, bookings, rooms, opportunities, cases.
    Salesforce,
    /// Payments, refunds and disputes.
    Stripe,
    /// Text messages.
    Twilio,
    /// The language model.
    Llm,
    /// Email.
    Smtp,
}

impl System {
    /// Name in logs and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Salesforce => "salesforce",
            Self::Stripe => "stripe",
            Self::Twilio => "twilio",
            Self::Llm => "llm",
            Self::Smtp => "smtp",
        }
    }
}

/// The exact bytes of a request, without credentials. Those are added on sending, so that none is
/// ever stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Target system.
    pub system: System,
    /// Operation name for logs, deadlines and metrics: `payment_intent_create`, `composite`.
    pub operation: String,
    /// The HTTP method.
    pub method: String,
    /// Path and query, relative to the system's base URL.
    pub path: String,
    /// Headers that belong to the request itself; names in lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Body, byte for byte; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// Value of the `Idempotency-Key` header, for systems that support it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// Reason why a request to an outside system did not succeed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct UpstreamError {
    /// Stable code: the system's own (`card_declined`, `UNABLE_TO_LOCK_ROW`) or `timeout`,
    /// `broken`, `garbage`, `circuit_open`.
    pub code: String,
    /// Message for engineers; no personal data, no secrets.
    pub message: String,
    /// Supporting facts: decline code, payment intent id, the failed subrequest.
    pub details: Value,
    /// Wait that the system asked for.
    pub retry_after: Option<Duration>,
    /// True for a permanent refusal: the identical request brings the same answer.
    pub permanent: bool,
}

impl UpstreamError {
    /// Creates an error without details.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            details: Value::Null,
            retry_after: None,
            permanent: false,
        }
    }
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<T> {
    /// Applied (or, for a read, answered).
    Done(T),
    /// Permanently refused; nothing was applied.
    Refused(UpstreamError),
    /// Definitely not applied; may be sent again later.
    TryLater(UpstreamError),
    /// May have been applied, or may yet be.
    Unknown(UpstreamError),
}

impl<T> Reply<T> {
    /// Maps the value of `Done`.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Self::Done(value) => Reply::Done(f(value)),
            Self::Refused(t) => Reply::Refused(t),
            Self::TryLater(t) => Reply::TryLater(t),
            Self::Unknown(t) => Reply::Unknown(t),
        }
    }

    /// Result of a read, where only the answer matters; everything else is an error.
    ///
    /// # Errors
    /// Returns the [`UpstreamError`] of any reply but `Done`.
    pub fn answered(self) -> Result<T, UpstreamError> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Refused(t) => Err(UpstreamError {
                permanent: true,
                ..t
            }),
            Self::TryLater(t) | Self::Unknown(t) => Err(t),
        }
    }
}
