//! Restores booking, room and opportunity in one composite. The effect itself shows whether it was
//! applied.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::{CheckOutRecords, Crm, RevertOrder},
    stay::{Booking, Opportunity, Stay},
    upstream_request::{Call, Reply},
    vocabulary::AttentionReason,
};
use dewy_saga::{Context, Fault, StepId};
use serde_json::Value;

use super::Facts;
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{
        LookupResult, Write, WriteRequest, conflict_fault, missing_fact,
        stay_write::{difference, look_up, refreshed},
    },
};

/// Name of the step.
pub(super) const RESTORE: StepId<CheckOutRecords> = StepId::new("restore");

/// Write of the step.
pub(super) struct Restore(pub Arc<dyn Crm>);

/// What the step restores. The opportunity keeps its stage if another booking shares it, which may
/// be checked in.
fn revert_order(facts: &Facts, now: Stay, cx: &Context<'_>) -> RevertOrder {
    let before = &facts.before;
    let booking = Booking {
        status: before.booking.status.clone(),
        ..now.booking.clone()
    };
    let alone = now.shares_folio_with.is_empty();
    let moved = alone && before.opportunity.stage != now.opportunity.stage;
    let opportunity = moved.then(|| {
        let stage = before.opportunity.stage.clone();
        let wanted = Opportunity {
            stage,
            ..now.opportunity.clone()
        };
        (now.opportunity.clone(), wanted)
    });
    RevertOrder {
        execution_id: cx.id.to_string(),
        opportunity_id: now.opportunity.id,
        booking: Some((now.booking, booking)),
        room: Some((now.room, before.room.clone())),
        opportunity,
        missing_payment: None,
        refund: None,
        at: cx.now,
    }
}

/// Whether it was applied. The booking's status proves it for all rows; any other difference was
/// written since.
fn applied(facts: &Facts, now: &CheckOutRecords) -> bool {
    now.booking.status == facts.before.booking.status && now.room.id == facts.now.room.id
}

/// Something else wrote the rows at the time of our write, such as a flow of the org.
pub(super) fn left_otherwise(cx: Context<'_>) -> Option<String> {
    let (now, facts) = (cx.output(RESTORE)?, cx.facts::<Facts>()?);
    let stands = applied(&facts, &now)
        && now.room.status == facts.before.room.status
        && now.room.current_guest == facts.before.room.current_guest;
    (!stands).then(|| AttentionReason::ForeignEdit.to_string())
}

#[async_trait]
impl Write for Restore {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let facts: Facts = cx.facts().ok_or_else(|| missing_fact("the facts"))?;
        let now = refreshed(facts.now.clone(), found);
        let stamp = now.booking.stamp.at;
        let call = self.0.undo_check_in(&revert_order(&facts, now, cx));
        Ok(WriteRequest::Send(call, Some(stamp)))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_check_in(call)
            .await
            .map(|trace| engine_conversions::value(&trace))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let Some(facts) = cx.facts::<Facts>() else {
            return Reply::Done(LookupResult::Refused(missing_fact("the facts")));
        };
        look_up(self.0.as_ref(), cx, &facts.now, |trace| {
            if applied(&facts, trace) {
                return Some(LookupResult::Applied(engine_conversions::value(trace)));
            }
            let words = "somebody else changed the stay meanwhile";
            difference(&facts.now, trace)
                .map(|difference| LookupResult::Refused(conflict_fault(words, difference)))
        })
        .await
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
