//! Restores booking, room and opportunity in one composite. The effect itself shows whether it was
//! applied.

use async_trait::async_trait;
use dewy_domain::{
    ports::{CheckOutRecords, Crm, RevertOrder},
    stay::{Booking, Opportunity, Stay},
    upstream_request::{Call, Outcome},
    vocabulary::AttentionReason,
};
use dewy_saga::{Context, StepId};

use super::Facts;
use crate::saga_parts::reconciled_write::stay_write::StayWrite;

pub(super) const RESTORE: StepId<CheckOutRecords> = StepId::new("restore");

pub(super) struct Restore;

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
        unpaid: Vec::new(),
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
impl StayWrite for Restore {
    type Facts = Facts;

    fn stay(facts: &Facts) -> &Stay {
        &facts.now
    }

    fn call(&self, crm: &dyn Crm, cx: &Context<'_>, facts: Facts, now: Stay) -> Call {
        crm.undo_check_in(&revert_order(&facts, now, cx))
    }

    async fn send(&self, crm: &dyn Crm, call: &Call) -> Outcome<CheckOutRecords> {
        crm.send_check_in(call).await
    }

    fn is_applied(&self, _: &Context<'_>, facts: &Facts, now: &CheckOutRecords) -> bool {
        applied(facts, now)
    }
}
