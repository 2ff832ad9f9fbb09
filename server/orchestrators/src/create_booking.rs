//! The booking saga: creates the contact if new, the opportunity and the booking in one composite
//! that fails if the room is taken.
//!
//! ```text
//! read   rooms ∥ contact (one SOQL each) ── rules ──► facts, a claim for each night
//! book   + one composite, identified by our reference   − canceled, if a rival turns out to be earlier
//! check  + no rival was earlier
//! ```

mod book;
mod rules;
mod unbook;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    inventory::{AvailabilityQuery, RoomFacts},
    money::Cents,
    ports::Crm,
    reservation::{Booked, Booker},
};
use dewy_saga::{
    Activity, Context, Definition, Direction, End, Fault, Kind, Outcome, Patience, Plan, Read,
    Request, Step, journal::Projection,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    bridge, nights, outbox,
    reconciled_write::ReconciledWrite,
    settings::Settings,
    task::{self, Job, text},
};

/// Definition of the booking saga.
pub static CREATE_BOOKING: Definition = Definition {
    name: "create_booking",
    version: 1,
    title: "Book a room",
    steps: &[
        Step {
            name: "book",
            title: "Write the booking",
            undo_title: Some("Cancel the booking"),
            kind: Kind::Compensatable,
            money: false,
            patience: Patience::UntilKnown,
            why_no_undo: "",
        },
        task::step(
            "check",
            "Check for a conflicting booking",
            Kind::Pivot,
            "it writes nothing",
        ),
    ],
    looks: &[],
};

/// Presentation of the booking saga.
pub(crate) static WORDS: task::Labels = task::Labels {
    done: |data| {
        let [room, from, to, booking] = [
            "room_number",
            "check_in_date",
            "check_out_date",
            "booking_number",
        ]
        .map(|name| text(data, name));
        format!("Room {room} is booked from {from} to {to}: {booking}.")
    },
    doing: "Writing the booking.",
    not_done: "The booking was not made; nothing was written.",
};

/// Facts of a booking.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    booker: Booker,
    room: RoomFacts,
    wish: AvailabilityQuery,
    guests: i64,
    amount: Cents,
    name: String,
}

fn facts(cx: &Context<'_>) -> Option<Facts> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// The booking saga with its port.
pub(crate) struct CreateBooking {
    crm: Arc<dyn Crm>,
    settings: Settings,
    book: ReconciledWrite<book::Book>,
    unbook: ReconciledWrite<unbook::Unbook>,
    check: Check,
}

impl CreateBooking {
    /// Creates the saga.
    pub(crate) fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        let deadline = settings.salesforce_deadline;
        Self {
            book: ReconciledWrite::new(book::Book(Arc::clone(&crm)), deadline),
            unbook: ReconciledWrite::new(unbook::Unbook(Arc::clone(&crm)), deadline),
            check: Check { of: "book" },
            crm,
            settings,
        }
    }
}

#[async_trait]
impl Job for CreateBooking {
    fn definition(&self) -> &'static Definition {
        &CREATE_BOOKING
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("book", Direction::Forward) => Some(&self.book),
            ("book", Direction::Back) => Some(&self.unbook),
            ("check", Direction::Forward) => Some(&self.check),
            _ => None,
        }
    }

    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)> {
        let booked: Booked = cx
            .progress
            .done("book", Direction::Forward)
            .and_then(bridge::read)?;
        let facts = facts(&cx)?;
        let (booking, nights) = (&booked.there.stay.booking, booked.there.nights());
        let data = json!({
            "booking_number": booking.number, "booking_status": booking.status,
            "room_number": booked.there.room.room.number, "room_type": booked.there.room.kind,
            "check_in_date": nights.from, "check_out_date": nights.to, "nights": nights.count(),
            "number_of_guests": facts.guests, "amount": booked.there.stay.opportunity.amount,
            "currency": self.settings.currency, "opportunity_stage": booked.there.stay.opportunity.stage,
            "contact_created": matches!(facts.booker, Booker::New { .. }),
        });
        Some((data, true))
    }

    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let words = self.done(cx).map(|(data, _)| {
            let [room, from, to, booking] = [
                "room_number",
                "check_in_date",
                "check_out_date",
                "booking_number",
            ]
            .map(|name| text(&data, name));
            format!(
                "{}: room {room} is yours from {from} to {to}. Booking {booking}.",
                self.settings.hotel.name
            )
        });
        outbox::after(
            cx,
            End::Completed,
            "booking",
            cx.input["guest_email"].as_str(),
            words,
        )
        .into_iter()
        .collect()
    }

    fn labels(&self, cx: Context<'_>) -> Vec<(String, String)> {
        let booked: Option<Booked> = cx
            .progress
            .done("book", Direction::Forward)
            .and_then(bridge::read);
        booked
            .map(|booked| {
                (
                    "booking_number".to_owned(),
                    booked.there.stay.booking.number,
                )
            })
            .into_iter()
            .collect()
    }
}

/// Checks the journal for an earlier rival; the write itself has read the rivals.
pub(crate) struct Check {
    /// Step that wrote.
    pub of: &'static str,
}

#[async_trait]
impl Activity for Check {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let side = cx.progress.side(self.of, Direction::Forward);
        let booked: Option<Booked> = side
            .and_then(|side| side.value.as_ref())
            .and_then(bridge::read);
        Some(match booked {
            Some(booked) => {
                let written = booked.there.stay.booking.stamp.at;
                match nights::yields(&booked.there, &booked.rivals, written) {
                    Some(fault) => Plan::Refuse(fault),
                    None => Plan::Skip(json!({ "note": "no conflicting booking" })),
                }
            }
            None => Plan::Skip(json!({ "note": "nothing was written that could conflict" })),
        })
    }

    async fn send(&self, _: Context<'_>, _: &Request) -> Outcome {
        Outcome::Refused {
            fault: Fault::new("no_plan", "it sends nothing"),
        }
    }
}
