//! Refunding a payment and reverting a stay, for a check-out's own compensation and for a payment
//! whose check-out is missing from the journal.

mod own_writes;
mod refund;
mod revert;

use async_trait::async_trait;
use dewy_domain::{
    execution_view::Difference,
    money::Cents,
    payment::{Payment, Refund as RefundOf},
    ports::Crm,
    stay::Stay,
    vocabulary::AttentionReason,
};
use dewy_saga::{Context, Fault, Progress};
use serde::{Deserialize, Serialize};

pub(crate) use own_writes::CHECKED_OUT_STATE;
pub(crate) use refund::Refund;
pub(crate) use revert::{Revert, paid_by};

/// A stay before the check-out, and what is known of our own write to it.
pub(crate) struct StayBefore {
    /// Reference that would identify our write: `External_ID__c` of its marker.
    pub execution_id: String,
    /// Stay before the write.
    pub stay: Stay,
    /// Second in the precondition of a write whose outcome is open; its late effect must be
    /// prevented first.
    pub late_effect_second: Option<i64>,
}

/// Access to the data a compensation needs: the payment, its refund, and the stay before the write.
#[async_trait]
pub(crate) trait CompensationData: Send + Sync {
    fn payment(&self, progress: &Progress) -> Option<Payment>;

    /// Payment that the check-out wrote to the opportunity: a hold, where it charged nothing.
    fn written_payment(&self, progress: &Progress) -> Option<String> {
        let payment = self.payment(progress)?;
        Some(payment.id.into())
    }

    /// Its refund, created or found.
    fn refund(&self, progress: &Progress) -> Option<RefundOf>;

    /// Execution named in the refund's metadata.
    fn execution(&self, cx: &Context<'_>) -> String;

    /// True when another execution refunds the payment, so that this one must not.
    fn refunded_elsewhere(&self, progress: &Progress) -> bool {
        let _ = progress;
        false
    }

    /// True when earlier executions may have refunded the payment, so that its refunds must be read
    /// before another one is created.
    fn may_have_refunds(&self) -> bool {
        false
    }

    /// The stay before the write; `None` when there is none to revert. Called only once the refund
    /// is on its way.
    async fn before(&self, crm: &dyn Crm, cx: &Context<'_>) -> Result<Option<StayBefore>, Fault>;
}

/// Refunds of one payment that have not failed, as a refund step journals them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Refunded {
    /// The one created, or the newest one found.
    refund: RefundOf,
    /// Their total; older releases journaled only the refund.
    given_back: Option<Cents>,
    /// Where the refund was made by others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Refunded {
    /// The refund created or found; its amount is the total refunded by anyone.
    pub(crate) fn total(self) -> RefundOf {
        let amount = self.given_back.unwrap_or(self.refund.amount);
        RefundOf {
            amount,
            ..self.refund
        }
    }
}

/// What a revert step did, as it is journaled.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Reverted {
    /// Whether our write was found applied.
    pub applied: bool,
    /// Names of the records that were reverted.
    pub reverted: Vec<String>,
    /// What others had changed, and was left as it is.
    pub left: Vec<Difference>,
    /// Why a person must look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attention: Option<AttentionReason>,
}
