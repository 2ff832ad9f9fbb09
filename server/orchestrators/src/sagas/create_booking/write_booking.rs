//! Writes the booking. Our reference identifies it; touching or creating the contact stops a late
//! effect.

use async_trait::async_trait;
use dewy_domain::{
    guest::{Guest, GuestQuery},
    guest_identity::GuestIdentity,
    inventory::RoomQuery,
    ports::Crm,
    reservation::{BookingGuest, BookingOrder, ReservationState, WhichBooking},
    tool_catalog::CreateBooking,
    upstream_request::{Call, Outcome},
    vocabulary::FaultCode,
};
use dewy_saga::{Context, Fault};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Facts;
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{Lookup, LookupResult, Precondition, Write},
    rival_bookings::room_taken_fault,
};

pub(super) struct WriteBooking;

/// The contact as it is now, and whether somebody else has the room.
#[derive(Serialize, Deserialize)]
pub(super) struct Found {
    guest: Option<Guest>,
    taken: bool,
}

#[async_trait]
impl Write for WriteBooking {
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
        if found.as_ref().is_some_and(|found| found.taken) {
            return Err(room_taken_fault(&facts.room.room.number, None));
        }
        let known = found.and_then(|found| found.guest);
        let booker = known.map_or(facts.booker, |guest| BookingGuest::Known { guest });
        let stamp = match &booker {
            BookingGuest::Known { guest } => Some(guest.stamp.at),
            BookingGuest::New { .. } => None,
        };
        let order = BookingOrder {
            execution_id: cx.id.to_string(),
            booker,
            room: facts.room,
            availability: facts.availability,
            guests: facts.guests,
            requests: engine_conversions::input::<CreateBooking>(cx)?.special_requests,
            amount: facts.amount,
            name: facts.name,
        };
        Ok((crm.book(&order), stamp))
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
        let (room, availability) = (&facts.room.room, &facts.availability);
        let still = RoomQuery {
            number: Some(room.number.clone()),
            free: Some(availability.clone()),
            limit: 1,
            ..RoomQuery::default()
        };
        let booker = match &facts.booker {
            BookingGuest::Known { guest } => GuestQuery::Id(guest.id.clone()),
            BookingGuest::New { guest } => {
                GuestQuery::Email(GuestIdentity::whoever_has(guest.email.clone()))
            }
        };
        let (rooms, guests) = futures::join!(crm.rooms(&still), crm.guests(&booker, 1));
        let (rooms, guests) = (rooms.answered()?, guests.answered()?);
        // The booking is read last: a late effect that takes the room or changes the contact's
        // stamp has created it by then.
        let which = WhichBooking::Execution(cx.id.to_string());
        let rivals = Some((room.id.as_str(), availability));
        if let Some(booked) = crm.reservation(&which, rivals).await.answered()? {
            return Ok(LookupResult::Applied(booked));
        }
        let guest = guests.into_iter().next().map(|guest| Guest {
            stays: Vec::new(),
            ..guest
        });
        let precondition = match (&guest, &facts.booker) {
            (Some(guest), _) => Precondition::Row(guest.stamp.at, crm.touch_guest(guest)),
            (None, BookingGuest::New { guest }) => Precondition::Missing(crm.create_contact(guest)),
            (None, BookingGuest::Known { .. }) => {
                let words = "the contact is not there any more";
                let gone = Fault::new(FaultCode::BookingGone, words);
                return Ok(LookupResult::Refused(gone));
            }
        };
        let taken = rooms.is_empty();
        Ok(LookupResult::NotApplied {
            found: Found { guest, taken },
            precondition,
        })
    }

    async fn touch_guard_row(&self, crm: &dyn Crm, call: &Call) -> Outcome<()> {
        if call.operation == "create" {
            crm.send_create_contact(call).await
        } else {
            crm.send_touch(call).await
        }
    }
}
