//! Writes the booking. Our reference identifies it; touching or creating the contact stops a late
//! effect.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    guest::{Guest, GuestQuery},
    guest_identity::GuestIdentity,
    inventory::RoomQuery,
    ports::Crm,
    reservation::{BookingGuest, BookingOrder, WhichBooking},
    tool_catalog::CreateBooking,
    upstream_request::{Call, Reply},
    vocabulary::FaultCode,
};
use dewy_saga::{Context, Fault};
use serde_json::{Value, json};

use super::Facts;
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{LookupResult, Precondition, Write, WriteRequest, missing_fact},
    rival_bookings::room_taken_fault,
};

/// Write of the step.
pub(super) struct WriteBooking(pub Arc<dyn Crm>);

#[async_trait]
impl Write for WriteBooking {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let facts: Facts = cx.facts().ok_or_else(|| missing_fact("the facts"))?;
        if found.is_some_and(|found| found["taken"] == true) {
            return Err(room_taken_fault(&facts.room.room.number, None));
        }
        let known = found.and_then(|found| engine_conversions::read::<Guest>(&found["guest"]));
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
        Ok(WriteRequest::Send(self.0.book(&order), stamp))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_booking(call)
            .await
            .map(|booked| engine_conversions::value(&booked))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let Some(facts) = cx.facts::<Facts>() else {
            return Reply::Done(LookupResult::Refused(missing_fact("the facts")));
        };
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
        let (rooms, guests) = futures::join!(self.0.rooms(&still), self.0.guests(&booker, 1));
        let (rooms, guests) = match (rooms.answered(), guests.answered()) {
            (Ok(rooms), Ok(guests)) => (rooms, guests),
            (Err(error), _) | (_, Err(error)) => return Reply::Unknown(error),
        };
        // The booking is read last: a late effect that takes the room or changes the contact's
        // stamp has created it by then.
        let which = WhichBooking::Execution(cx.id.to_string());
        let booked = match self
            .0
            .reservation(&which, Some((&room.id, availability)))
            .await
        {
            Reply::Done(booked) => booked,
            other => return other.map(|_| LookupResult::Refused(missing_fact("an answer"))),
        };
        if let Some(booked) = booked {
            return Reply::Done(LookupResult::Applied(engine_conversions::value(&booked)));
        }
        let guest = guests.into_iter().next().map(|guest| Guest {
            stays: Vec::new(),
            ..guest
        });
        let precondition = match (&guest, &facts.booker) {
            (Some(guest), _) => Precondition::Row(guest.stamp.at, self.0.touch_guest(guest)),
            (None, BookingGuest::New { guest }) => {
                Precondition::Missing(self.0.create_contact(guest))
            }
            (None, BookingGuest::Known { .. }) => {
                let words = "the contact is not there any more";
                return Reply::Done(LookupResult::Refused(Fault::new(
                    FaultCode::BookingGone,
                    words,
                )));
            }
        };
        Reply::Done(LookupResult::NotApplied {
            found: json!({ "guest": guest, "taken": rooms.is_empty() }),
            precondition,
        })
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        if call.operation == "create" {
            self.0.send_create_contact(call).await
        } else {
            self.0.send_touch(call).await
        }
    }
}
