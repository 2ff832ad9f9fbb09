//! Moves booking, room and opportunity in one composite. There is no marker: the effect itself
//! shows whether it was applied.

use async_trait::async_trait;
use dewy_domain::{
    ports::{CheckInOrder, CheckOutRecords, Crm},
    stay::Stay,
    upstream_request::{Call, Outcome},
    vocabulary::{AttentionReason, BookingStatus, RoomStatus},
};
use dewy_saga::{Context, Plan, StepId};

use crate::saga_parts::reconciled_write::{missing_fact, stay_write::StayWrite};

pub(crate) const MOVE: StepId<CheckOutRecords> = StepId::new("move");

/// The write, for the stay that the journal has.
pub(crate) struct MoveIn(pub fn(&Context<'_>) -> Option<Stay>);

pub(super) fn stay(cx: &Context<'_>) -> Option<Stay> {
    cx.facts()
}

/// Warning when another writer, such as a Salesforce flow, changed the rows during our write, so
/// that the room is not assigned to the guest.
pub(crate) fn left_otherwise(cx: Context<'_>) -> Option<String> {
    let now = cx.output(MOVE)?;
    let stands = now.booking.status == BookingStatus::CheckedIn
        && now.room.status == RoomStatus::Occupied
        && now.room.current_guest.as_ref() == Some(&now.booking.guest_id);
    (!stands).then(|| AttentionReason::ForeignEdit.to_string())
}

#[async_trait]
impl StayWrite for MoveIn {
    type Facts = Stay;

    fn stay(facts: &Stay) -> &Stay {
        facts
    }

    fn facts(&self, cx: &Context<'_>) -> Result<Stay, Plan> {
        (self.0)(cx).ok_or_else(|| Plan::Refuse(missing_fact("the stay")))
    }

    fn call(&self, crm: &dyn Crm, _: &Context<'_>, _: Stay, stay: Stay) -> Call {
        crm.check_in(&CheckInOrder { stay })
    }

    async fn send(&self, crm: &dyn Crm, call: &Call) -> Outcome<CheckOutRecords> {
        crm.send_check_in(call).await
    }

    /// The booking's status proves it for all rows; any other difference was written since.
    fn is_applied(&self, _: &Context<'_>, read: &Stay, now: &CheckOutRecords) -> bool {
        now.booking.status == BookingStatus::CheckedIn && now.room.id == read.room.id
    }
}
