//! The booking saga: creates the contact if new, the opportunity and the booking in one composite
//! that fails if the room is taken.
//!
//! ```text
//! read   rooms ∥ contact (one SOQL each) ── rules ──► facts, a claim for each night
//! book   + one composite, identified by our reference   − canceled, if a rival turns out to be earlier
//! check  + no rival was earlier
//! ```

mod booked_guest;
mod cancel_own_booking;
mod rules;
mod walk_in;
mod write_booking;

pub(crate) use walk_in::{WALK_IN, walk_in};

use dewy_domain::{
    inventory::{AvailabilityQuery, RoomFacts},
    money::{Cents, Currency},
    reservation::BookingGuest,
    said,
    sentence::Sentence,
    tool_catalog::CreateBooking,
    tool_output::BookingResult,
    vocabulary::BookingStatus,
};
use dewy_saga::{Context, End, Saga};
use futures::FutureExt;
use serde::{Deserialize, Serialize};

use crate::saga_parts::{
    engine_conversions::{self, BOOK},
    hotel_dependencies::HotelDependencies,
    outbox::{self, day_text},
    presentation,
    reconciled_write::ReconciledWrite,
    rival_bookings::{CHECK_RIVALS, RivalCheck},
    settings::Settings,
    tool_answer,
};

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let settings = &parts.settings;
    let currency = settings.currency;
    booked(CreateBooking::NAME, "Book a room", parts)
        .projection(outbox::after(
            End::Completed,
            "booking",
            settings,
            confirmation,
        ))
        .projection(outbox::email(outbox::CONFIRMATION, parts.mail.is_some()))
        .answer(tool_answer::of_result(move |cx| result(cx, currency)))
}

/// The steps of every new booking.
fn booked(name: &'static str, title: &'static str, parts: &HotelDependencies) -> Saga {
    Saga::new(name, 1, title)
        .prepare(
            parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).map(Ok).boxed()),
        )
        .step(
            BOOK,
            "Write the booking",
            ReconciledWrite::new(parts, write_booking::WriteBooking),
        )
        .undo(
            BOOK,
            "Cancel the booking",
            ReconciledWrite::new(parts, cancel_own_booking::CancelOwnBooking),
        )
        .until_known()
        .pivot(
            CHECK_RIVALS,
            "Check for a conflicting booking",
            RivalCheck { of: BOOK },
        )
        .no_undo("it writes nothing")
        .until_known()
        .labels(|cx| {
            let booked = cx.output(BOOK)?;
            Some((
                "booking_number".to_owned(),
                booked.there.stay.booking.number.into(),
            ))
        })
}

pub(crate) static PRESENTATION: presentation::Labels<BookingResult> = presentation::Labels {
    done: |booking| {
        let number = &booking.booking_number;
        match booking.place() {
            Some((room, _, to)) if booking.booking_status == BookingStatus::CheckedIn => {
                said!("walked-in", room, until = to, booking = number)
            }
            Some((room, from, to)) => {
                said!("booked", room, from, to, booking = number)
            }
            None => said!("booked-number", booking = number),
        }
    },
    doing: || said!("booking-writing"),
    not_done: || said!("booking-not-made"),
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    booker: BookingGuest,
    room: RoomFacts,
    #[serde(rename = "wish")]
    availability: AvailabilityQuery,
    guests: i64,
    amount: Cents,
    name: String,
}

/// The booking as written; it is new.
fn result(cx: Context<'_>, currency: Currency) -> Option<(BookingResult, bool)> {
    let (booked, facts) = (cx.output(BOOK)?, cx.facts::<Facts>()?);
    let input = engine_conversions::input::<CreateBooking>(&cx).ok()?;
    let nights = booked.there.nights();
    let (stay, room) = (booked.there.stay, booked.there.room);
    let result = BookingResult {
        booking_number: stay.booking.number,
        booking_status: stay.booking.status,
        room_number: Some(room.room.number),
        room_type: Some(room.kind),
        check_in_date: Some(nights.from),
        check_out_date: Some(nights.to),
        nights: Some(nights.count()),
        number_of_guests: Some(facts.guests),
        special_requests: None,
        amount: stay.opportunity.amount,
        currency,
        opportunity_stage: stay.opportunity.stage,
        contact_created: Some(matches!(facts.booker, BookingGuest::New { .. })),
        changed: None,
        note: kept_phone(&facts.booker, input.guest_phone.as_deref()),
    };
    Some((result, true))
}

/// What became of a phone number that differs from the one on file.
fn kept_phone(booker: &BookingGuest, given: Option<&str>) -> Option<String> {
    let BookingGuest::Known { guest } = booker else {
        return None;
    };
    given.filter(|phone| guest.phone.as_deref() != Some(phone))?;
    Some("The guest is known: name and phone number stay as they are on file.".to_owned())
}

fn confirmation(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    let (booked, facts) = (cx.output(BOOK)?, cx.facts::<Facts>()?);
    let (booking, room) = (
        &booked.there.stay.booking.number,
        &booked.there.room.room.number,
    );
    let nights = booked.there.nights();
    let [from, to] = [nights.from, nights.to].map(day_text);
    Some(said!(
        "text-booked",
        hotel = settings.hotel.name,
        room,
        from,
        to,
        sum = settings.money(facts.amount, settings.currency),
        booking
    ))
}
