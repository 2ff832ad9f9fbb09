//! The data a check-out's compensation needs.

use async_trait::async_trait;
use dewy_domain::{
    payment::{Payment, Refund},
    ports::Crm,
};
use dewy_saga::{Context, Fault, Progress};

use super::facts::{self, Facts, MOVE, PAY};
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{SentPrecondition, missing_fact},
    refund_and_revert::{CompensationData, StayBefore},
};

pub(super) struct CheckOutCompensation;

#[async_trait]
impl CompensationData for CheckOutCompensation {
    fn payment(&self, progress: &Progress) -> Option<Payment> {
        progress.output(PAY)
    }

    fn written_payment(&self, progress: &Progress) -> Option<String> {
        let charged = progress.output(PAY).map(|payment| payment.id);
        let held = || progress.facts::<Facts>()?.captured().map(|hold| hold.id);
        charged.or_else(held).map(Into::into)
    }

    fn refund(&self, progress: &Progress) -> Option<Refund> {
        facts::refund(progress)
    }

    fn execution(&self, cx: &Context<'_>) -> String {
        cx.id.to_string()
    }

    async fn before(&self, _: &dyn Crm, cx: &Context<'_>) -> Result<Option<StayBefore>, Fault> {
        let facts = cx
            .facts::<Facts>()
            .ok_or_else(|| missing_fact("the facts"))?;
        let forward = cx.progress.forward(MOVE);
        // Anything sent may arrive again, even after a refusal.
        let sent_before = forward.is_some_and(|s| s.intents > 0);
        let sent = forward
            .and_then(|s| s.request.as_ref())
            .and_then(|request| {
                engine_conversions::stored_with_call::<SentPrecondition>(request)?.guard_second
            });
        let guard = sent.unwrap_or_else(|| facts.stay.booking.stamp.at.as_second());
        Ok(Some(StayBefore {
            execution_id: cx.id.to_string(),
            stay: facts.stay,
            late_effect_second: sent_before.then_some(guard),
        }))
    }
}
