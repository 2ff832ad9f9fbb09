//! Writes the change of a booking, and its compensation: one write in two directions. Its effect
//! identifies it.

use async_trait::async_trait;
use dewy_domain::{
    inventory::{AvailabilityQuery, RoomFacts},
    ports::Crm,
    reservation::{
        BookingField, BookingTarget, ChangeOrder, Reservation, ReservationState, WhichBooking,
    },
    upstream_request::{Call, Outcome},
    vocabulary::{FaultCode, RoomStatus},
};
use dewy_saga::{Context, Fault};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{CHANGE, Facts};
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{Lookup, LookupResult, Precondition, Write, conflict_fault, missing_fact},
    rival_bookings::room_taken_fault,
    room_lookup::room_named,
};

/// Write of the step, in both directions.
pub(super) struct Change;

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
pub(super) struct Found {
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

    fn of(cx: &Context<'_>, facts: Facts) -> Result<Self, Fault> {
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
    type Facts = Facts;
    type Found = Found;
    type Output = ReservationState;

    fn build_request(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        facts: Facts,
        found: Option<Found>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        let before = facts.there.stay.room.status.clone();
        let StateTransition {
            mut there,
            wanted,
            mut new_room,
            availability,
            in_house,
        } = StateTransition::of(cx, facts)?;
        if let Some(found) = found {
            if found.taken {
                let room = new_room.as_ref().unwrap_or(&there.room);
                return Err(room_taken_fault(&room.room.number, None));
            }
            there = found.there;
            new_room = found.new_room.or(new_room);
        }
        let stamp = there.stay.booking.stamp.at;
        // A room that somebody closed while the guest was in it stays closed, in both directions
        let (left_as, taken_as) = if cx.is_undo() {
            (RoomStatus::Vacant, before)
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
        Ok((crm.change_booking(&order), Some(stamp)))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<ReservationState> {
        crm.send_booking(call).await
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        facts: Facts,
    ) -> Result<Lookup<Self>, Fault> {
        let turn = match StateTransition::of(cx, facts) {
            Ok(turn) => turn,
            Err(fault) => return Ok(LookupResult::Refused(fault)),
        };
        let target = turn.new_room.as_ref().unwrap_or(&turn.there.room);
        let rivals = turn
            .availability
            .as_ref()
            .map(|query| (target.room.id.as_str(), query));
        let which = turn.which();
        let number = turn.new_room.as_ref().map(|new| &new.room.number);
        let (booked, room) =
            futures::join!(crm.reservation(&which, rivals), room_named(crm, number));
        let (booked, room) = (booked.answered()?, room?);
        let Some(booked) = booked else {
            let words = "the booking is not there any more";
            let gone = Fault::new(FaultCode::BookingGone, words);
            return Ok(LookupResult::Refused(gone));
        };
        let now = BookingTarget::of(&booked.there);
        if now == turn.wanted {
            return Ok(LookupResult::Applied(booked));
        }
        if let Some(difference) = difference(&BookingTarget::of(&turn.there), &now) {
            let words = "somebody else changed the booking meanwhile";
            return Ok(LookupResult::Refused(conflict_fault(words, difference)));
        }
        let taken = turn.availability.is_some() && !booked.conflicts.is_empty();
        let booking = &booked.there.stay.booking;
        let precondition = Precondition::Row(booking.stamp.at, crm.build_touch(booking));
        Ok(LookupResult::NotApplied {
            found: Found {
                there: booked.there,
                new_room: room,
                taken,
            },
            precondition,
        })
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
