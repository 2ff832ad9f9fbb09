//! Reason why a request did not succeed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A failure, in stable form: what the outside system returned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Fault {
    /// Short stable code for programs: the system's own (`card_declined`, `UNABLE_TO_LOCK_ROW`), or
    /// `timeout`, `broken`, `garbage`, `circuit_open`.
    pub code: String,
    /// Message for engineers and staff; no personal data, no secrets.
    pub message: String,
    /// Supporting facts: ids, decline codes, the failed subrequest.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
    /// How long the outside system asked us to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// True for a permanent refusal by the outside system: the identical request would be refused
    /// again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub permanent: bool,
}

impl Fault {
    /// Creates a fault without details.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            details: Value::Null,
            retry_after_ms: None,
            permanent: false,
        }
    }

    /// Returns the same fault with details.
    #[must_use]
    pub fn with(mut self, details: Value) -> Self {
        self.details = details;
        self
    }
}
