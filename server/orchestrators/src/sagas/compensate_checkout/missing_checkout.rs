//! A payment whose check-out is missing from the journal: the stay is reconstructed from the
//! payment's metadata and the marker in the CRM, after the refund is on its way.

use async_trait::async_trait;
use dewy_domain::{
    payment::{Payment, Refund},
    ports::Crm,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use dewy_saga::{Context, Fault, Phase, Progress};

use super::facts::{Facts, REFUND, REVERT};
use crate::saga_parts::{
    reconciled_write::missing_fact,
    refund_and_revert::{CompensationData, StayBefore},
};

/// A payment without a journaled check-out.
pub(super) struct MissingCheckout;

/// Why a person should check it anyway.
pub(super) fn attention(cx: Context<'_>) -> Option<String> {
    let compensations = [cx.progress.forward(REFUND), cx.progress.forward(REVERT)];
    compensations.into_iter().flatten().find_map(|s| {
        let ended = matches!(s.phase, Phase::Done | Phase::Skipped);
        let reason = s.value.as_ref()?["attention"].as_str()?;
        ended.then(|| reason.to_owned())
    })
}

#[async_trait]
impl CompensationData for MissingCheckout {
    fn payment(&self, progress: &Progress) -> Option<Payment> {
        progress.facts::<Facts>().map(|f| f.payment)
    }

    fn refund(&self, progress: &Progress) -> Option<Refund> {
        super::facts::refund(progress)
    }

    fn execution(&self, cx: &Context<'_>) -> String {
        cx.facts::<Facts>()
            .and_then(|f| f.taken_by)
            .unwrap_or_else(|| cx.id.to_string())
    }

    fn refunded_elsewhere(&self, progress: &Progress) -> bool {
        progress.facts::<Facts>().is_some_and(|f| f.owner.is_some())
    }

    /// The orphan check or staff may have requested a refund earlier, and that refund may have
    /// failed.
    fn may_have_refunds(&self) -> bool {
        true
    }

    async fn before(&self, crm: &dyn Crm, cx: &Context<'_>) -> Result<Option<StayBefore>, Fault> {
        let facts = cx
            .facts::<Facts>()
            .ok_or_else(|| missing_fact("the facts"))?;
        let Some(number) = facts.booking_number else {
            return Ok(None);
        };
        let mut stays = crm.stays_by_number(&[number]).await.answered()?;
        let Some(mut stay) = stays.pop() else {
            return Ok(None);
        };
        // State of an in-house guest; of the fields a check-out writes, only this one is certain
        // without a before-image.
        stay.booking.status = BookingStatus::CheckedIn;
        stay.room.status = RoomStatus::Occupied;
        stay.room.current_guest = Some(stay.booking.guest_id.clone());
        stay.opportunity.stage = OpportunityStage::CheckedIn;
        stay.opportunity.payment_id = None;
        stay.opportunity.close_date = stay.booking.check_out;
        let late_effect_second = None;
        Ok(Some(StayBefore {
            execution_id: self.execution(cx),
            stay,
            late_effect_second,
        }))
    }
}
