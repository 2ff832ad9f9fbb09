//! Compensates our own booking: cancels it and closes its opportunity as lost, if both are still as
//! we wrote them.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::Crm,
    reservation::{BookingTarget, ChangeOrder, Reservation, WhichBooking},
    upstream_request::{Call, Reply},
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use dewy_saga::{Context, Fault};
use serde_json::{Value, json};

use super::BOOK;
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{
        LookupResult, Precondition, Write, WriteRequest, conflict_fault, missing_fact,
    },
};

/// Write of the step.
pub(super) struct CancelOwnBooking(pub Arc<dyn Crm>);

#[async_trait]
impl Write for CancelOwnBooking {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let written = cx.output(BOOK).ok_or_else(|| missing_fact("the booking"))?;
        let there = found
            .and_then(engine_conversions::read::<Reservation>)
            .unwrap_or(written.there);
        let before = BookingTarget::of(&there);
        let wanted = BookingTarget {
            status: BookingStatus::Cancelled,
            stage: OpportunityStage::ClosedLost,
            ..before
        };
        let stamp = there.stay.booking.stamp.at;
        let order = ChangeOrder {
            there,
            wanted,
            new_room: None,
            availability: None,
            in_house: false,
            left_as: RoomStatus::Cleaning,
            taken_as: RoomStatus::Occupied,
        };
        Ok(WriteRequest::Send(
            self.0.change_booking(&order),
            Some(stamp),
        ))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_booking(call)
            .await
            .map(|_| json!({ "cancelled": true }))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let found = self
            .0
            .reservation(&WhichBooking::Execution(cx.id.to_string()), None)
            .await;
        found.map(|found| match found.map(|booked| booked.there) {
            None => LookupResult::Applied(json!({ "cancelled": true, "note": "the booking is not there any more" })),
            Some(there) => match &there.stay.booking.status {
                BookingStatus::Cancelled => LookupResult::Applied(json!({ "cancelled": true })),
                BookingStatus::Reserved => {
                    let booking = &there.stay.booking;
                    let precondition = Precondition::Row(booking.stamp.at, self.0.build_touch(booking));
                    LookupResult::NotApplied { found: engine_conversions::value(&there), precondition }
                }
                status => {
                    let difference =
                        json!({ "object": "booking", "field": "Status__c", "ours": BookingStatus::Reserved, "found": status });
                    LookupResult::Refused(conflict_fault("somebody went on with the booking", difference))
                }
            },
        })
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
