//! Moves booking, room and opportunity in one composite. There is no marker: the effect itself
//! shows whether it was applied.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::{CheckInOrder, CheckOutRecords, Crm},
    stay::Stay,
    upstream_request::{Call, Reply},
    vocabulary::AttentionReason,
    vocabulary::{BookingStatus, RoomStatus},
};
use dewy_saga::{Context, Fault, StepId};
use serde_json::Value;

use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{
        LookupResult, Write, WriteRequest, conflict_fault, missing_fact,
        stay_write::{difference, look_up, refreshed},
    },
};

/// Name of the step.
pub(crate) const MOVE: StepId<CheckOutRecords> = StepId::new("move");

/// Write of the step.
pub(super) struct MoveIn(pub Arc<dyn Crm>);

/// Stay as read.
pub(super) fn stay(cx: &Context<'_>) -> Option<Stay> {
    cx.facts()
}

/// Whether the check-in was applied. The booking's status proves it for all rows; any other
/// difference was written since.
fn applied(read: &Stay, now: &CheckOutRecords) -> bool {
    now.booking.status == BookingStatus::CheckedIn && now.room.id == read.room.id
}

/// Warning when another writer, such as a Salesforce flow, changed the rows during our write, so
/// that the room is not assigned to the guest.
pub(super) fn left_otherwise(cx: Context<'_>) -> Option<String> {
    let now = cx.output(MOVE)?;
    let stands = now.booking.status == BookingStatus::CheckedIn
        && now.room.status == RoomStatus::Occupied
        && now.room.current_guest.as_ref() == Some(&now.booking.guest_id);
    (!stands).then(|| AttentionReason::ForeignEdit.to_string())
}

#[async_trait]
impl Write for MoveIn {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let stay = refreshed(stay(cx).ok_or_else(|| missing_fact("the facts"))?, found);
        let stamp = stay.booking.stamp.at;
        Ok(WriteRequest::Send(
            self.0.check_in(&CheckInOrder { stay }),
            Some(stamp),
        ))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_check_in(call)
            .await
            .map(|trace| engine_conversions::value(&trace))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let Some(stay) = stay(cx) else {
            return Reply::Done(LookupResult::Refused(missing_fact("the facts")));
        };
        look_up(self.0.as_ref(), cx, &stay, |trace| {
            if applied(&stay, trace) {
                return Some(LookupResult::Applied(engine_conversions::value(trace)));
            }
            let words = "somebody else changed the stay meanwhile";
            difference(&stay, trace)
                .map(|difference| LookupResult::Refused(conflict_fault(words, difference)))
        })
        .await
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
