//! What was found about a payment's money.

use dewy_domain::payment::{Dispute, Refund};
use serde::{Deserialize, Serialize};

/// One fact that a person should see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Finding {
    /// A payment that pays for something was given back, whole or in part, by somebody else.
    RefundedElsewhere {
        /// That refund.
        refund: Refund,
    },
    /// A refund failed after the compensation that made it had ended.
    RefundFailed {
        /// That refund.
        refund: Refund,
    },
    /// The card's owner denies the payment.
    Disputed {
        /// The dispute as it was then.
        dispute: Dispute,
    },
    /// The bank has decided against the hotel.
    DisputeLost {
        /// The dispute as it was then.
        dispute: Dispute,
    },
    /// One execution has two payments that took money.
    SecondPayment {
        /// The one that the execution itself knows of.
        first: Option<String>,
    },
    /// For weeks it could not be found out what the payment is for.
    NotJudged {
        /// What went wrong the last time.
        why: String,
    },
}

impl Finding {
    /// Names the fact: the same fact has the same name, however often and by whomever it is found.
    pub(crate) fn fact(&self, payment_intent: &str) -> String {
        match self {
            Self::RefundedElsewhere { refund } => format!("refunded:{}", refund.id),
            Self::RefundFailed { refund } => format!("refund_failed:{}", refund.id),
            Self::Disputed { dispute } => format!("disputed:{}", dispute.id),
            Self::DisputeLost { dispute } => format!("dispute_lost:{}", dispute.id),
            Self::SecondPayment { .. } => format!("second_payment:{payment_intent}"),
            Self::NotJudged { .. } => format!("not_judged:{payment_intent}"),
        }
    }

    /// Why it needs a person, as lists and pages know it.
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Self::RefundedElsewhere { .. } => "REFUNDED_ELSEWHERE",
            Self::RefundFailed { .. } => "REFUND_FAILED_LATER",
            Self::Disputed { .. } => "PAYMENT_DISPUTED",
            Self::DisputeLost { .. } => "DISPUTE_LOST",
            Self::SecondPayment { .. } => "SECOND_PAYMENT",
            Self::NotJudged { .. } => "PAYMENT_NOT_JUDGED",
        }
    }
}
