//! One request to an outside system as it is journaled before it is sent, and the four things that
//! can become of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An outside system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// Guests, bookings, rooms, opportunities, cases.
    Salesforce,
    /// Payments and refunds.
    Stripe,
    /// Text messages.
    Twilio,
    /// The model.
    Llm,
}

impl System {
    /// As in logs and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Salesforce => "salesforce",
            Self::Stripe => "stripe",
            Self::Twilio => "twilio",
            Self::Llm => "llm",
        }
    }
}

/// A request's exact bytes, without credentials: those are added when it is sent, so that none is
/// ever stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Which system.
    pub system: System,
    /// Which operation, for logs, deadlines and metrics: `payment_intent_create`, `composite`.
    pub operation: String,
    /// The HTTP method.
    pub method: String,
    /// Path and query, below the system's base URL.
    pub path: String,
    /// Headers that belong to the request itself; names in lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// Sent as `Idempotency-Key` where the system knows such keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// Code of the trouble that a record lacks what is decided on: its `details` name record, field and
/// problem.
pub const INCOMPLETE: &str = "incomplete_record";

/// What an outside system said, when it was not what we hoped for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Trouble {
    /// Stable: the system's own code (`card_declined`, `UNABLE_TO_LOCK_ROW`) or `timeout`,
    /// `broken`, `garbage`, `circuit_open`.
    pub code: String,
    /// For engineers; no personal data, no secret.
    pub message: String,
    /// Facts: decline code, the payment intent's id, the failed subrequest.
    pub details: Value,
    /// How long the system asked us to wait.
    pub retry_after: Option<Duration>,
    /// True when the system refused for good: asking the very same again brings the same answer.
    pub permanent: bool,
}

impl Trouble {
    /// Without details.
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

/// What became of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<T> {
    /// It took effect (or, for a read, was answered).
    Done(T),
    /// Refused for good; nothing took effect.
    Refused(Trouble),
    /// Definitely not applied; may be sent again later.
    TryLater(Trouble),
    /// May have been applied, or may yet be.
    Unknown(Trouble),
}

impl<T> Reply<T> {
    /// The same reply about something else.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Self::Done(value) => Reply::Done(f(value)),
            Self::Refused(t) => Reply::Refused(t),
            Self::TryLater(t) => Reply::TryLater(t),
            Self::Unknown(t) => Reply::Unknown(t),
        }
    }

    /// For reads, where only the answer matters: anything else is trouble.
    ///
    /// # Errors
    /// The trouble.
    pub fn answered(self) -> Result<T, Trouble> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Refused(t) => Err(Trouble {
                permanent: true,
                ..t
            }),
            Self::TryLater(t) | Self::Unknown(t) => Err(t),
        }
    }
}
