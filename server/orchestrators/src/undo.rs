//! Giving a payment back and putting a stay back, for whoever has to: a check-out of its own
//! accord, and the compensation of a payment whose check-out nobody remembers.

mod ours;
mod refund;
mod revert;

use async_trait::async_trait;
use dewy_domain::{
    payment::{Payment, Refund as RefundOf},
    ports::Crm,
    stay::Stay,
};
use dewy_saga::{Context, Fault, Progress, progress::Side};

use crate::bridge;

pub(crate) use ours::LEFT_BEHIND;
pub(crate) use refund::Refund;
pub(crate) use revert::{Revert, paid_by};

/// What a stay was before, and what is known of our own write to it.
pub(crate) struct Before {
    /// Under which reference our write would be found: `External_ID__c` of its marker.
    pub execution_id: String,
    /// As it was.
    pub stay: Stay,
    /// The guard's second of a write whose outcome was left open, so that a straggler must be
    /// fenced off first.
    pub straggler: Option<i64>,
}

/// Whose undoing it is: where an execution keeps its payment and its steps.
#[async_trait]
pub(crate) trait Case: Send + Sync {
    /// The payment to give back.
    fn payment(&self, progress: &Progress) -> Option<Payment>;

    /// The step that gives it back.
    fn refund<'a>(&self, progress: &'a Progress) -> Option<&'a Side>;

    /// The step that puts the stay back.
    fn revert<'a>(&self, progress: &'a Progress) -> Option<&'a Side>;

    /// The execution that the refund names in its metadata.
    fn execution(&self, cx: &Context<'_>) -> String;

    /// True when another execution gives the payment back, so that this one must not.
    fn elsewhere(&self, progress: &Progress) -> bool {
        let _ = progress;
        false
    }

    /// The stay as it was; `None` when there is none to put back. Only asked once the money is on
    /// its way.
    async fn before(&self, crm: &dyn Crm, cx: &Context<'_>) -> Result<Option<Before>, Fault>;
}

/// The refund that a refunding step made or found; its amount is all that was given back, by
/// whomever.
pub(crate) fn refund_of(side: Option<&Side>) -> Option<RefundOf> {
    let value = side.and_then(|s| s.value.as_ref())?;
    let refund: RefundOf = bridge::read(&value["refund"])?;
    // Older releases journaled the refund alone.
    let amount = bridge::read(&value["given_back"]).unwrap_or(refund.amount);
    Some(RefundOf { amount, ..refund })
}
