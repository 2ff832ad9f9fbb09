//! Findings about a payment's money.

use dewy_domain::{
    payment::{Dispute, FraudWarning, Refund},
    payment_intent_id::PaymentIntentId,
    vocabulary::AttentionReason,
};
use serde::{Deserialize, Serialize};

/// One fact a person should see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Finding {
    /// Someone else refunded a payment that pays for something, in whole or in part.
    RefundedElsewhere { refund: Refund },
    /// A refund failed after its compensation had ended.
    RefundFailed { refund: Refund },
    /// The cardholder disputes the payment.
    Disputed { dispute: Dispute },
    /// The bank decided against the hotel.
    DisputeLost { dispute: Dispute },
    /// What began as an inquiry has become a dispute, and the bank has withdrawn the money.
    FundsWithdrawn { dispute: Dispute },
    /// A card network warns that the payment may be fraud.
    FraudWarning { warning: FraudWarning },
    /// One execution has two captured payments.
    SecondPayment {
        /// The one the execution itself knows.
        first: Option<String>,
    },
    /// The purpose of the payment can't be determined until a person completes a record.
    RecordIncomplete {
        /// The record and the field it lacks.
        problem: String,
    },
    /// For weeks the purpose of the payment could not be determined.
    NotJudged {
        /// Most recent error.
        why: String,
    },
}

impl Finding {
    /// Stable id of the fact: the same however often and by whomever it is found.
    pub(crate) fn fact(&self, payment_intent: &PaymentIntentId) -> String {
        match self {
            Self::RefundedElsewhere { refund } => format!("refunded:{}", refund.id),
            Self::RefundFailed { refund } => format!("refund_failed:{}", refund.id),
            Self::Disputed { dispute } => format!("disputed:{}", dispute.id),
            Self::DisputeLost { dispute } => format!("dispute_lost:{}", dispute.id),
            Self::FundsWithdrawn { dispute } => format!("funds_withdrawn:{}", dispute.id),
            Self::FraudWarning { warning } => format!("fraud_warning:{}", warning.id),
            Self::SecondPayment { .. } => format!("second_payment:{payment_intent}"),
            Self::RecordIncomplete { .. } | Self::NotJudged { .. } => {
                format!("not_judged:{payment_intent}")
            }
        }
    }

    /// Attention reason for lists and pages.
    pub(crate) const fn reason(&self) -> AttentionReason {
        match self {
            Self::RefundedElsewhere { .. } => AttentionReason::RefundedElsewhere,
            Self::RefundFailed { .. } => AttentionReason::RefundFailedLater,
            Self::Disputed { .. } => AttentionReason::PaymentDisputed,
            Self::DisputeLost { .. } => AttentionReason::DisputeLost,
            Self::FundsWithdrawn { .. } => AttentionReason::FundsWithdrawn,
            Self::FraudWarning { .. } => AttentionReason::FraudWarning,
            Self::SecondPayment { .. } => AttentionReason::SecondPayment,
            Self::RecordIncomplete { .. } => AttentionReason::RecordIncomplete,
            Self::NotJudged { .. } => AttentionReason::PaymentNotJudged,
        }
    }
}
