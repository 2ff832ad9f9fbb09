//! Writes the change of a booking, and its compensation: one write in two directions. Its effect
//! identifies it.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    inventory::{AvailabilityQuery, RoomFacts, RoomQuery},
    ports::Crm,
    reservation::{BookingField, BookingTarget, ChangeOrder, Reservation, WhichBooking},
    upstream_request::{Call, Reply},
    vocabulary::{FaultCode, RoomStatus},
};
use dewy_saga::{Context, Fault};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{CHANGE, Facts};
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{
        LookupResult, Precondition, Write, WriteRequest, conflict_fault, missing_fact,
    },
    rival_bookings::room_taken_fault,
};

/// Write of the step, in both directions.
pub(super) struct Change(pub Arc<dyn Crm>);

/// Source and target state, in either direction.
struct StateTransition {
    there: Reservation,
    wanted: BookingTarget,
    new_room: Option<RoomFacts>,
    availability: Option<AvailabilityQuery>,
    in_house: bool,
}

/// What a lookup found when nothing was applied.
#[derive(Serialize, Deserialize)]
struct Found {
    there: Reservation,
    new_room: Option<RoomFacts>,
    taken: bool,
}

impl StateTransition {
    /// The booking, to be read again whatever it lacks at either end.
    fn which(&self) -> WhichBooking {
        let mut there = self.there.clone();
        there.missing.extend(&self.wanted.missing);
        WhichBooking::of(&there)
    }

    fn of(cx: &Context<'_>) -> Result<Self, Fault> {
        let facts: Facts = cx.facts().ok_or_else(|| missing_fact("the facts"))?;
        if !cx.is_undo() {
            let Facts {
                there,
                wanted,
                new_room,
                availability,
                in_house,
                ..
            } = facts;
            return Ok(Self {
                there,
                wanted,
                new_room,
                availability,
                in_house,
            });
        }
        let written = cx
            .output(CHANGE)
            .ok_or_else(|| missing_fact("the change"))?;
        let before = facts.there;
        Ok(Self {
            wanted: BookingTarget::of(&before),
            // What goes back to having no room, or no nights, needs none that is free
            availability: facts
                .availability
                .filter(|_| {
                    before
                        .missing
                        .iter()
                        .all(|field| *field == BookingField::Guest)
                })
                .map(|query| AvailabilityQuery {
                    nights: before.nights(),
                    ..query
                }),
            new_room: facts.new_room.is_some().then(|| before.room.clone()),
            there: written.there,
            in_house: facts.in_house,
        })
    }
}

#[async_trait]
impl Write for Change {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let StateTransition {
            mut there,
            wanted,
            mut new_room,
            availability,
            in_house,
        } = StateTransition::of(cx)?;
        if let Some(found) = found.and_then(engine_conversions::read::<Found>) {
            if found.taken {
                let number = new_room
                    .as_ref()
                    .map_or(&there.room.room.number, |room| &room.room.number);
                return Err(room_taken_fault(number, None));
            }
            there = found.there;
            new_room = found.new_room.or(new_room);
        }
        let stamp = there.stay.booking.stamp.at;
        // A room that somebody closed while the guest was in it stays closed, in both directions
        let (left_as, taken_as) = if cx.is_undo() {
            let before = cx.facts().map(|facts: Facts| facts.there.stay.room.status);
            (RoomStatus::Vacant, before.unwrap_or(RoomStatus::Occupied))
        } else {
            (
                there.stay.room.status.after_departure(),
                RoomStatus::Occupied,
            )
        };
        let order = ChangeOrder {
            there,
            wanted,
            new_room,
            availability,
            in_house,
            left_as,
            taken_as,
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
            .map(|booked| engine_conversions::value(&booked))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let turn = match StateTransition::of(cx) {
            Ok(turn) => turn,
            Err(fault) => return Reply::Done(LookupResult::Refused(fault)),
        };
        let target = turn.new_room.as_ref().unwrap_or(&turn.there.room);
        let rivals = turn
            .availability
            .as_ref()
            .map(|query| (target.room.id.as_str(), query));
        let which = turn.which();
        let room = async {
            let Some(new) = &turn.new_room else {
                return Reply::Done(Vec::new());
            };
            let query = RoomQuery {
                number: Some(new.room.number.clone()),
                limit: 1,
                ..RoomQuery::default()
            };
            self.0.rooms(&query).await
        };
        let (booked, rooms) = futures::join!(self.0.reservation(&which, rivals), room);
        let (booked, rooms) = match (booked.answered(), rooms.answered()) {
            (Ok(booked), Ok(rooms)) => (booked, rooms),
            (Err(error), _) | (_, Err(error)) => return Reply::Unknown(error),
        };
        let Some(booked) = booked else {
            return Reply::Done(LookupResult::Refused(Fault::new(
                FaultCode::BookingGone,
                "the booking is not there any more",
            )));
        };
        let now = BookingTarget::of(&booked.there);
        if now == turn.wanted {
            return Reply::Done(LookupResult::Applied(engine_conversions::value(&booked)));
        }
        if let Some(difference) = difference(&BookingTarget::of(&turn.there), &now) {
            return Reply::Done(LookupResult::Refused(conflict_fault(
                "somebody else changed the booking meanwhile",
                difference,
            )));
        }
        let taken = turn.availability.is_some() && !booked.conflicts.is_empty();
        let booking = &booked.there.stay.booking;
        let precondition = Precondition::Row(booking.stamp.at, self.0.build_touch(booking));
        let found = Found {
            there: booked.there,
            new_room: rooms.into_iter().next(),
            taken,
        };
        Reply::Done(LookupResult::NotApplied {
            found: engine_conversions::value(&found),
            precondition,
        })
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}

/// The first field in which the booking differs from what we read.
fn difference(read: &BookingTarget, now: &BookingTarget) -> Option<Value> {
    let (read, now) = (
        engine_conversions::value(read),
        engine_conversions::value(now),
    );
    let fields = read.as_object()?;
    fields
        .iter()
        .find(|(name, value)| now[name.as_str()] != **value)
        .map(|(name, value)| json!({ "object": "booking", "field": name, "ours": value, "found": now[name.as_str()] }))
}
