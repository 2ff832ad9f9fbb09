//! Systems behind the shared port.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum System {
    /// Paths under `/services/`.
    Salesforce,
    /// Paths under `/v1/` that are none of the others'.
    Stripe,
    /// Paths under `/2010-04-01/` and `/v1/Services/`.
    Twilio,
    /// `/v1/chat/…` and `/v1/models`.
    Llm,
}

impl System {
    pub const ALL: [Self; 4] = [Self::Salesforce, Self::Stripe, Self::Twilio, Self::Llm];

    /// System of a path, if any.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        if path.starts_with("/services/") || path == "/services" {
            Some(Self::Salesforce)
        } else if path.starts_with("/v1/chat/")
            || path == "/v1/models"
            || path.starts_with("/v1/models/")
        {
            Some(Self::Llm)
        } else if path.starts_with("/2010-04-01/") || path.starts_with("/v1/Services/") {
            Some(Self::Twilio)
        } else if path.starts_with("/v1/") {
            Some(Self::Stripe)
        } else {
            None
        }
    }

    /// Name in the admin API.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Salesforce => "salesforce",
            Self::Stripe => "stripe",
            Self::Twilio => "twilio",
            Self::Llm => "llm",
        }
    }

    /// Operations that a fault or a latency can name.
    #[must_use]
    pub fn operations(self) -> &'static [&'static str] {
        match self {
            Self::Salesforce => &[
                "token",
                "query",
                "composite",
                "create",
                "update",
                "upsert",
                "retrieve",
                "delete",
                "describe",
            ],
            Self::Stripe => &[
                "customers",
                "customer_search",
                "payment_intent_create",
                "payment_intent_confirm",
                "payment_intent_retrieve",
                "payment_intent_cancel",
                "payment_intent_capture",
                "payment_intent_list",
                "payment_method",
                "refund_create",
                "refund_retrieve",
                "charge_retrieve",
                "dispute_list",
                "account_retrieve",
                "event_retrieve",
                "webhook",
            ],
            Self::Twilio => &["message_create", "message_list"],
            Self::Llm => &["chat"],
        }
    }
}
