//! Results of creating, changing or canceling a booking.

use dewy_domain::{
    hotel_calendar::HotelDay, tool_catalog::CreateBooking, tool_output::BookingResult,
};

use super::{OutcomeText, code, link, message};
use crate::pages::prelude::*;

pub fn outcome_text(view: &ExecutionView) -> OutcomeText {
    match view.state {
        ExecutionState::Completed if view.tool == CreateBooking::NAME => {
            booked(view, hotel_time::hotel_day())
        }
        ExecutionState::Completed => changed(view),
        ExecutionState::NeedsAttention => OutcomeText::new(
            t!("outcome-desk"),
            [message(view, ErrorCode::NeedsAttention)],
            [link("/guest/bookings", t!("see-bookings"))],
        ),
        _ => refused(view),
    }
}

/// Current dates, room and price.
fn facts(booking: &BookingResult) -> Vec<String> {
    let place = booking.place().map(|(room, from, to)| {
        let room = t!("room-number", number = room.as_str());
        format!("{room}, {}.", date_range(from, to))
    });
    let price = |amount| {
        t!(
            "outcome-price",
            price = labels::money(amount, booking.currency)
        )
    };
    place.into_iter().chain(booking.amount.map(price)).collect()
}

fn booked(view: &ExecutionView, today: Option<HotelDay>) -> OutcomeText {
    let booking: Option<BookingResult> = view.body().result();
    let arrives = booking.as_ref().and_then(|booking| booking.check_in_date);
    // Whoever arrives today needs no word about a later day
    let now = arrives
        .filter(|day| today.is_some_and(|today| today.since(*day) == 0))
        .and(booking.as_ref());
    let check_in = now.map(|booking| {
        let href = page_url::with_booking("/guest/check-in", &booking.booking_number);
        link(href, t!("check-in"))
    });
    let later = check_in
        .is_none()
        .then(|| t!("outcome-on-the-day").to_owned());
    let number = view.booking_number.clone().map(Into::into);
    OutcomeText {
        title: t!("outcome-booked").to_owned(),
        big: number.map(|number| (t!("outcome-booking-number"), number)),
        sentences: booking.iter().flat_map(facts).chain(later).collect(),
        links: check_in
            .into_iter()
            .chain([
                link("/guest/bookings", t!("see-bookings")),
                link("/guest", t!("go-to-stay")),
            ])
            .collect(),
        ..OutcomeText::default()
    }
}

fn changed(view: &ExecutionView) -> OutcomeText {
    let booking: Option<BookingResult> = view.body().result();
    let canceled = |booking: &BookingResult| booking.booking_status == BookingStatus::Cancelled;
    let (title, sentences) = if booking.as_ref().is_some_and(canceled) {
        (
            t!("outcome-canceled"),
            vec![t!("outcome-canceled-free").to_owned()],
        )
    } else {
        let note = booking.as_ref().and_then(|booking| booking.note.as_deref());
        let note = note.filter(|note| !note.is_empty());
        let note = note.map(|_| t!("outcome-no-change").to_owned());
        (
            t!("outcome-changed"),
            note.into_iter()
                .chain(booking.iter().flat_map(facts))
                .collect(),
        )
    };
    let bookings = link("/guest/bookings", t!("see-bookings"));
    OutcomeText::new(title, sentences, [bookings])
}

fn refused(view: &ExecutionView) -> OutcomeText {
    let made = view.tool == CreateBooking::NAME;
    let why = match code(view) {
        Some(ErrorCode::TooManyGuests) => {
            let most = view.body().details.max_occupancy;
            most.map(|most| t!("outcome-too-small", most = most))
        }
        Some(ErrorCode::PriceChanged) => {
            let details = view.body().details;
            let prices = details.price.zip(details.amount).zip(details.currency);
            prices.map(|((now, then), currency)| {
                let [now, then] = [now, then].map(|sum| labels::money(sum, currency));
                t!("outcome-price-changed", now = now, then = then)
            })
        }
        _ => None,
    };
    let again = match (&view.booking_number, made) {
        (Some(number), false) => link(page_url::booking(number, "change"), t!("change-another")),
        _ => link("/guest/book", t!("see-free")),
    };
    let title = if made {
        t!("outcome-nothing-booked")
    } else {
        t!("outcome-stands")
    };
    OutcomeText::new(
        title,
        [why.unwrap_or_else(|| message(view, ErrorCode::UpstreamUnavailable))],
        [again, link("/guest/bookings", t!("see-bookings"))],
    )
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};
    use serde_json::json;

    fn result(status: &str) -> serde_json::Value {
        json!({ "success": true, "data": {
            "booking_number": "BK-0042", "booking_status": status, "room_number": "305", "check_in_date": "2026-11-21",
            "check_out_date": "2026-11-23", "nights": 2, "number_of_guests": 2, "amount": 35000, "currency": "usd",
            "opportunity_stage": "Booking Confirmed",
        } })
    }

    #[test]
    fn the_outcome_emphasizes_the_booking_number() {
        let view = sample("create_booking", "completed", result("Reserved"));
        let outcome = OutcomeText::of(&view);
        assert_eq!(
            outcome.big,
            Some(("Your booking number", "BK-0042".to_owned()))
        );
        assert_eq!(
            outcome.sentences[0],
            "Room 305, Sat, Nov 21 to Mon, Nov 23, 2026."
        );
    }

    #[test]
    fn whoever_arrives_today_can_check_in_at_once() {
        let view = sample("create_booking", "completed", result("Reserved"));
        let outcome = |day: &str| {
            booked(
                &view,
                day.parse::<jiff::civil::Date>().ok().map(HotelDay::from),
            )
        };
        let today = outcome("2026-11-21");
        assert_eq!(today.links[0].0, "/guest/check-in?booking=BK-0042");
        assert_eq!(today.sentences.len(), 2);
        let earlier = outcome("2026-11-20");
        assert_eq!(earlier.links[0].0, "/guest/bookings");
        assert!(earlier.sentences[2].starts_with("On the day you arrive"));
    }

    #[test]
    fn a_refused_change_says_that_the_booking_is_unchanged() {
        let view = sample(
            "manage_bookings",
            "refused",
            json!({ "error_code": "ROOM_ALREADY_BOOKED", "details": {} }),
        );
        let outcome = OutcomeText::of(&view);
        assert_eq!(outcome.title, "Your booking stands as it was");
        assert_eq!(outcome.links[0].0, "/guest/bookings/BK-0042/change");
        let view = sample("manage_bookings", "completed", result("Cancelled"));
        assert_eq!(OutcomeText::of(&view).title, "Your booking is canceled");
    }
}
