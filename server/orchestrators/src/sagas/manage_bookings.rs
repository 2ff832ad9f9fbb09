//! The booking change saga: changes or cancels a booking in one composite; only given fields
//! change.
//!
//! ```text
//! read    the booking with its folio ∥ the wanted room ∥ the new guest ── rules ──► facts, claims
//! change  + booking, opportunity and, for an in-house guest, both rooms    − reverted
//! check   + no rival was earlier
//! ```

mod rules;
mod target_state;
mod write_change;

use dewy_domain::{
    inventory::{AvailabilityQuery, RoomFacts},
    money::Currency,
    reservation::{BookingField, BookingTarget, Reservation, ReservationState},
    said,
    sentence::Sentence,
    tool_catalog::ManageBookings,
    tool_output::BookingResult,
    vocabulary::BookingStatus,
};
use dewy_saga::{Context, End, Saga, StepId};
use futures::FutureExt;
use serde::{Deserialize, Serialize};

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    outbox::{self, day_text},
    presentation,
    reconciled_write::ReconciledWrite,
    rival_bookings::{CHECK_RIVALS, RivalCheck},
    settings::Settings,
    tool_answer,
};

const CHANGE: StepId<ReservationState, ReservationState> = StepId::new("change");

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let currency = parts.settings.currency;
    let change = || ReconciledWrite::new(parts, write_change::Change);
    Saga::new(ManageBookings::NAME, 1, "Change a booking")
        .prepare(parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).boxed()))
        .step(CHANGE, "Change the booking", change())
        .undo(CHANGE, "Revert the booking", change())
        .until_known()
        .pivot(
            CHECK_RIVALS,
            "Check for a conflicting booking",
            RivalCheck { of: CHANGE },
        )
        .no_undo("it writes nothing")
        .until_known()
        .projection(outbox::after(
            End::Completed,
            "booking_change",
            &parts.settings,
            notice,
        ))
        .answer(tool_answer::of_result(move |cx| result(cx, currency)))
}

/// Text about other nights, another room, or a cancellation: the one about the booking is out of date.
fn notice(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    const TOLD: [&str; 3] = ["room_number", "check_in_date", "check_out_date"];
    let (booked, facts) = (cx.output(CHANGE)?, cx.facts::<Facts>()?);
    let result = booking_result(settings.currency, &booked.there, facts.changed, "");
    let (hotel, booking) = (&settings.hotel.name, &result.booking_number);
    let (room, from, to) = result.place()?;
    let [from, to] = [from, to].map(day_text);
    let told = |name: &String| TOLD.contains(&name.as_str());
    match (&result.booking_status, result.amount) {
        (BookingStatus::Cancelled, _) => {
            Some(said!("text-canceled", hotel, room, from, to, booking))
        }
        (BookingStatus::Reserved | BookingStatus::CheckedIn, Some(sum))
            if result.changed.iter().flatten().any(told) =>
        {
            let sum = settings.money(sum, result.currency);
            Some(said!("text-changed", hotel, room, from, to, sum, booking))
        }
        _ => None,
    }
}

pub(crate) static PRESENTATION: presentation::Labels<BookingResult> = presentation::Labels {
    done: |changed| {
        let booking = &changed.booking_number;
        match (&changed.booking_status, changed.place()) {
            (BookingStatus::Cancelled, _) => said!("booking-cancelled", booking),
            (BookingStatus::NoShow, _) => said!("booking-no-show", booking),
            (_, Some((room, from, to))) => said!("booking-changed", booking, room, from, to),
            (_, None) => said!("booking-changed-number", booking),
        }
    },
    doing: || said!("booking-changing"),
    not_done: || said!("booking-not-changed"),
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    there: Reservation,
    wanted: BookingTarget,
    new_room: Option<RoomFacts>,
    #[serde(rename = "wish")]
    availability: Option<AvailabilityQuery>,
    in_house: bool,
    changed: Vec<String>,
}

fn result(cx: Context<'_>, currency: Currency) -> Option<(BookingResult, bool)> {
    let (booked, facts) = (cx.output(CHANGE)?, cx.facts::<Facts>()?);
    let (before, now) = (&facts.there.requests, &booked.there.requests);
    let note = replaced_requests(before.as_deref(), now.as_deref()).unwrap_or_default();
    let result = booking_result(currency, &booked.there, facts.changed, &note);
    Some((result, false))
}

/// Special requests that the new ones don't repeat, as a note: an allergy must not vanish unseen.
fn replaced_requests(before: Option<&str>, now: Option<&str>) -> Option<String> {
    let before = before.filter(|before| !now.unwrap_or_default().contains(before))?;
    Some(format!("Special requests before: “{before}”"))
}

fn booking_result(
    currency: Currency,
    there: &Reservation,
    changed: Vec<String>,
    note: &str,
) -> BookingResult {
    let (stay, nights) = (&there.stay, there.nights());
    let known = |field| !there.missing.contains(&field);
    let [from, to] = [BookingField::CheckInDate, BookingField::CheckOutDate].map(known);
    BookingResult {
        booking_number: stay.booking.number.clone(),
        booking_status: stay.booking.status.clone(),
        room_number: known(BookingField::Room).then(|| there.room.room.number.clone()),
        room_type: None,
        check_in_date: from.then_some(nights.from),
        check_out_date: to.then_some(nights.to),
        nights: (from && to).then(|| nights.count()),
        number_of_guests: there.guests,
        special_requests: there.requests.clone(),
        amount: there.share(),
        currency,
        opportunity_stage: stay.opportunity.stage.clone(),
        contact_created: None,
        changed: Some(changed),
        note: Some(note.to_owned()),
    }
}
