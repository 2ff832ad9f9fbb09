//! Compensates our own booking: cancels it and closes its opportunity as lost, if both are still as
//! we wrote them.

use async_trait::async_trait;
use dewy_domain::{
    ports::Crm,
    reservation::{BookingTarget, ChangeOrder, Reservation, ReservationState, WhichBooking},
    upstream_request::{Call, Outcome},
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use dewy_saga::{Context, Fault, Plan};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::BOOK;
use crate::saga_parts::reconciled_write::{
    Lookup, LookupResult, Precondition, Write, conflict_fault, missing_fact,
};

pub(super) struct CancelOwnBooking;

#[async_trait]
impl Write for CancelOwnBooking {
    type Facts = ReservationState;
    type Found = Reservation;
    type Output = Value;

    fn facts(&self, cx: &Context<'_>) -> Result<ReservationState, Plan> {
        cx.output(BOOK)
            .ok_or_else(|| Plan::Refuse(missing_fact("the booking")))
    }

    fn build_request(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        written: ReservationState,
        found: Option<Reservation>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        let there = found.unwrap_or(written.there);
        let wanted = BookingTarget {
            status: BookingStatus::Cancelled,
            stage: OpportunityStage::ClosedLost,
            ..BookingTarget::of(&there)
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
        Ok((crm.change_booking(&order), Some(stamp)))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<Value> {
        let sent = crm.send_booking(call).await;
        sent.map(|_| json!({ "cancelled": true }))
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        _: ReservationState,
    ) -> Result<Lookup<Self>, Fault> {
        let which = WhichBooking::Execution(cx.id.to_string());
        let found = crm.reservation(&which, None).await.answered()?;
        let Some(there) = found.map(|booked| booked.there) else {
            return Ok(LookupResult::Applied(
                json!({ "cancelled": true, "note": "the booking is not there any more" }),
            ));
        };
        let booking = &there.stay.booking;
        Ok(match &booking.status {
            BookingStatus::Cancelled => LookupResult::Applied(json!({ "cancelled": true })),
            BookingStatus::Reserved => LookupResult::NotApplied {
                precondition: Precondition::Row(booking.stamp.at, crm.build_touch(booking)),
                found: there,
            },
            status => {
                let difference = json!({ "object": "booking", "field": "Status__c", "ours": BookingStatus::Reserved, "found": status });
                let words = "somebody went on with the booking";
                LookupResult::Refused(conflict_fault(words, difference))
            }
        })
    }
}
