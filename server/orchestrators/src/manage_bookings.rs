//! The booking change saga: changes or cancels a booking in one composite; only given fields
//! change.
//!
//! ```text
//! read    the booking with its folio ∥ the wanted room ∥ the new guest ── rules ──► facts, claims
//! change  + booking, opportunity and, for an in-house guest, both rooms    − reverted
//! check   + no rival was earlier
//! ```

mod change;
mod price;
mod rules;
mod wanted;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    inventory::{AvailabilityQuery, RoomFacts},
    ports::Crm,
    reservation::{Booked, Reservation, Shape},
};
use dewy_saga::{Activity, Context, Definition, Direction, Kind, Patience, Read, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    bridge,
    create_booking::Check,
    reconciled_write::ReconciledWrite,
    settings::Settings,
    task::{self, Job, text},
};

/// Definition of the booking change saga.
pub static MANAGE_BOOKINGS: Definition = Definition {
    name: "manage_bookings",
    version: 1,
    title: "Change a booking",
    steps: &[
        Step {
            name: "change",
            title: "Change the booking",
            undo_title: Some("Put the booking back as it was"),
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

/// Presentation of the booking change saga.
pub(crate) static WORDS: task::Labels = task::Labels {
    done: |data| {
        let (booking, room) = (text(data, "booking_number"), text(data, "room_number"));
        let (from, to) = (text(data, "check_in_date"), text(data, "check_out_date"));
        match text(data, "booking_status") {
            "Cancelled" => format!("Booking {booking} was cancelled."),
            "No Show" => format!("Booking {booking} was marked as a no-show."),
            _ => format!("Booking {booking}: room {room} from {from} to {to}."),
        }
    },
    doing: "Changing the booking.",
    not_done: "The booking was not changed.",
};

/// Facts of a booking change.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    there: Reservation,
    wanted: Shape,
    new_room: Option<RoomFacts>,
    wish: Option<AvailabilityQuery>,
    in_house: bool,
    changed: Vec<String>,
}

fn facts(cx: &Context<'_>) -> Option<Facts> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// The booking change saga with its port.
pub(crate) struct ManageBookings {
    crm: Arc<dyn Crm>,
    settings: Settings,
    change: ReconciledWrite<change::Change>,
    put_back: ReconciledWrite<change::Change>,
    check: Check,
}

impl ManageBookings {
    /// Creates the saga.
    pub(crate) fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        let change = |way| {
            ReconciledWrite::new(
                change::Change {
                    crm: Arc::clone(&crm),
                    way,
                },
                settings.salesforce_deadline,
            )
        };
        Self {
            change: change(Direction::Forward),
            put_back: change(Direction::Back),
            check: Check { of: "change" },
            crm: Arc::clone(&crm),
            settings,
        }
    }
}

#[async_trait]
impl Job for ManageBookings {
    fn definition(&self) -> &'static Definition {
        &MANAGE_BOOKINGS
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("change", Direction::Forward) => Some(&self.change),
            ("change", Direction::Back) => Some(&self.put_back),
            ("check", Direction::Forward) => Some(&self.check),
            _ => None,
        }
    }

    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)> {
        let booked: Booked = cx
            .progress
            .done("change", Direction::Forward)
            .and_then(bridge::read)?;
        Some((
            present(self, &booked.there, &facts(&cx)?.changed, ""),
            false,
        ))
    }
}

/// Current booking.
fn present(saga: &ManageBookings, there: &Reservation, changed: &[String], note: &str) -> Value {
    let nights = there.nights();
    json!({
        "booking_number": there.stay.booking.number, "booking_status": there.stay.booking.status,
        "room_number": there.room.room.number, "check_in_date": nights.from, "check_out_date": nights.to,
        "nights": nights.count(), "number_of_guests": there.guests, "special_requests": there.requests,
        "amount": there.stay.opportunity.amount, "currency": saga.settings.currency,
        "opportunity_stage": there.stay.opportunity.stage, "changed": changed, "note": note,
    })
}
