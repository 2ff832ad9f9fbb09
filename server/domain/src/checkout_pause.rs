//! A pause of check-outs as staff see it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A check-out pause: the CRM refuses the write that follows a payment, so no payment is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckoutPause {
    /// Number of consecutive check-outs that were charged and refunded.
    pub failures: usize,
    /// Start of the pause.
    pub since: Timestamp,
    /// When the next check-out is let through as a probe.
    pub next_probe_at: Timestamp,
    /// The CRM's error code, such as `FIELD_CUSTOM_VALIDATION_EXCEPTION`.
    pub cause: String,
    /// The CRM's own message, if it comes from a validation rule.
    pub message: Option<String>,
    /// Most recent failed execution.
    pub latest: String,
}
