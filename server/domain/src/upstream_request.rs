//! One request to an outside system, as journaled before it is sent.

pub use dewy_outcome::{Fault, Outcome};
use serde::{Deserialize, Serialize};

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
    pub system: System,
    /// Operation name for logs, deadlines and metrics: `payment_intent_create`, `composite`.
    pub operation: String,
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
