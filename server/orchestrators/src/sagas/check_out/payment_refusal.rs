//! What the payment system says about a refused payment.

use dewy_saga::Fault;
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PaymentRefusal {
    /// The declined payment: `pi_…`.
    pub payment_intent: Option<String>,
    /// The bank's reason: `insufficient_funds`.
    pub decline_code: Option<String>,
    /// The vendor's own message.
    pub message: Option<String>,
    /// Parameter that was refused.
    pub param: Option<String>,
}

impl PaymentRefusal {
    /// Reads the details of a fault.
    pub fn of(fault: &Fault) -> Self {
        Self::deserialize(&fault.details).unwrap_or_default()
    }
}
