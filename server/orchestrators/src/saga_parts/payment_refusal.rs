//! What the payment system says about a refused payment.

use dewy_domain::{error_code::ErrorCode, tool_answer::FinalAnswer, vocabulary::FaultCode};
use dewy_saga::{Context, Fault};
use serde::{Deserialize, Serialize};

use crate::saga_parts::engine_conversions::{self, calling_guest};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PaymentRefusal {
    /// The declined payment: `pi_…`.
    pub payment_intent: Option<String>,
    /// The bank's reason: `insufficient_funds`.
    decline_code: Option<String>,
    /// The vendor's own message.
    message: Option<String>,
    /// Parameter that was refused.
    param: Option<String>,
}

#[derive(Serialize)]
struct Declined<'a> {
    code: &'a str,
    charged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    decline_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_intent_id: Option<String>,
    /// The vendor's own message, for operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl PaymentRefusal {
    /// Reads the details of a fault.
    pub(crate) fn of(fault: &Fault) -> Self {
        Self::deserialize(&fault.details).unwrap_or_default()
    }
}

/// The answer, if the bank or the card declined, or the payment was canceled; anything else is an
/// error of an outside system.
pub(crate) fn declined(cx: &Context<'_>, fault: &Fault) -> Option<FinalAnswer> {
    let refusal = PaymentRefusal::of(fault);
    let is_decline = refusal.payment_intent.is_some()
        || fault.code.contains("card")
        || fault.code == FaultCode::PaymentNotTaken
        // Another guest's card, or an invalid one: Stripe refuses the parameter, and no payment is
        // created.
        || refusal.param.as_deref() == Some("payment_method")
        || fault.code == FaultCode::ResourceMissing;
    is_decline.then(|| {
        let staff = calling_guest(cx).is_none();
        FinalAnswer::Failed {
            code: ErrorCode::PaymentFailed,
            details: engine_conversions::value(&Declined {
                code: &fault.code,
                charged: false,
                decline_code: refusal.decline_code,
                payment_intent_id: refusal.payment_intent,
                message: refusal.message.filter(|_| staff),
            }),
        }
    })
}
