//! Results of a check-in.

use dewy_domain::{error_details::ReservationChoice, tool_output::CheckInResult};

use super::{OutcomeText, code, link, message, with_booking};
use crate::{
    dates::days,
    pages::{card_name::card_of, prelude::*},
};

pub fn outcome_text(view: &ExecutionView) -> OutcomeText {
    match view.state {
        ExecutionState::Completed => completed(view),
        ExecutionState::Refused | ExecutionState::Compensated => refused(view),
        _ => needs_attention(view),
    }
}

fn completed(view: &ExecutionView) -> OutcomeText {
    let result = view.body().result::<CheckInResult>();
    let before = result.as_ref().filter(|result| result.was_before());
    let before = before.map(|_| t!("outcome-in-before").to_owned());
    let held = result.as_ref().and_then(held);
    let until = result.as_ref().map(|result| {
        t!(
            "outcome-yours-until",
            day = locale().day(result.check_out_date)
        )
    });
    let room = result.map(|result| result.room_number);
    let room = room.or_else(|| view.room_number.clone());
    let key = t!("key-pick-up").to_owned();
    OutcomeText {
        title: t!("outcome-welcome").to_owned(),
        big: room.map(|room| (t!("stay-your-room"), room.into())),
        sentences: (before.into_iter())
            .chain(until)
            .chain(held)
            .chain([key])
            .collect(),
        links: vec![link("/guest", t!("go-to-stay"))],
        ..OutcomeText::default()
    }
}

/// What the card reserves until check-out.
fn held(result: &CheckInResult) -> Option<String> {
    let (held, currency) = result.held()?;
    let sum = labels::money(held, currency);
    let brand = result.card_brand.as_deref().unwrap_or_default();
    let last4 = result.card_last4.as_deref()?;
    let card = card_of(brand, last4);
    Some(t!("outcome-in-reserved", sum = sum, card = card))
}

fn refused(view: &ExecutionView) -> OutcomeText {
    let again = with_booking("/guest/check-in", view);
    let booking = view.booking_number.as_deref().unwrap_or_default();
    let said = message(view, ErrorCode::UpstreamUnavailable);
    let details = view.body().details;
    let (title, mut sentences, ways) = match code(view) {
        Some(ErrorCode::RoomNotVacant) => (
            t!("outcome-room-not-ready"),
            vec![
                t!("outcome-preparing").to_owned(),
                t!("outcome-look-around").to_owned(),
            ],
            vec![
                link(again, t!("try-again")),
                link("/guest", t!("back-to-stay")),
            ],
        ),
        Some(ErrorCode::OutsideCheckInWindow) => {
            let (from, to) = (&details.check_in_date, &details.check_out_date);
            let stay = from.as_ref().zip(to.as_ref());
            let late =
                (details.asked_for.as_ref().zip(to.as_ref())).is_some_and(|(day, end)| day >= end);
            let title = if late {
                t!("stay-over")
            } else {
                t!("too-early")
            };
            let stay = stay.map(|(from, to)| t!("outcome-stay-from", days = days(from, to)));
            (
                title,
                stay.into_iter().chain([said]).collect(),
                vec![link("/guest", t!("back-to-stay"))],
            )
        }
        Some(ErrorCode::MultipleReservations) => (t!("outcome-which"), vec![said], Vec::new()),
        Some(
            ErrorCode::ReservationNotFound | ErrorCode::GuestNotFound | ErrorCode::BookingNotFound,
        ) => (
            t!("outcome-no-reservation"),
            vec![said, t!("outcome-look-together").to_owned()],
            vec![link("/guest", t!("back-to-stay"))],
        ),
        Some(
            ErrorCode::MultipleGuests
            | ErrorCode::InvalidTransition
            | ErrorCode::AccessRefused
            | ErrorCode::FieldHidden,
        ) => (
            t!("come-to-desk"),
            vec![said],
            vec![link("/guest", t!("back-to-stay"))],
        ),
        Some(ErrorCode::PaymentFailed) => (
            t!("check-in-failed"),
            vec![said, t!("outcome-in-other-card").to_owned()],
            vec![
                link(
                    page_url::with_query(
                        "/guest/check-in",
                        [("booking", booking), ("step", "check")],
                    ),
                    t!("outcome-other-card"),
                ),
                link("/guest", t!("back-to-stay")),
            ],
        ),
        _ => (
            t!("check-in-failed"),
            vec![said],
            vec![link(again, t!("try-again"))],
        ),
    };
    let choices = details.reservations.into_iter().map(choice).collect();
    sentences.dedup();
    OutcomeText {
        title: title.to_owned(),
        big: None,
        sentences,
        choices,
        links: ways,
    }
}

fn choice(reservation: ReservationChoice) -> (String, String, String) {
    let number = reservation.booking_number.as_str();
    let room = reservation.room_number.filter(|room| !room.is_empty());
    let title = room.map_or_else(
        || number.to_owned(),
        |room| t!("room-number", number = room.as_str()),
    );
    let more = match (reservation.check_in_date, reservation.check_out_date) {
        (Some(from), Some(to)) => t!(
            "check-in-which-booking",
            days = days(&from, &to),
            number = number
        ),
        _ => t!("booking-number", number = number),
    };
    (
        page_url::with_booking("/guest/check-in", number),
        title,
        more,
    )
}

fn needs_attention(view: &ExecutionView) -> OutcomeText {
    let said = message(view, ErrorCode::NeedsAttention);
    OutcomeText::new(
        t!("outcome-desk"),
        [said, t!("key-pick-up").to_owned()],
        [link("/guest", t!("back-to-stay"))],
    )
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};
    use serde_json::json;

    #[test]
    fn the_outcome_emphasizes_the_room_number() {
        let view = sample(
            "check_in_guest",
            "completed",
            json!({ "success": true, "data": {
                "booking_number": "BK-0034", "room_number": "305", "check_in_date": "2026-11-19", "check_out_date": "2026-11-22",
                "booking_status": "Checked In", "room_status": "Occupied", "opportunity_stage": "Checked In" } }),
        );
        let outcome = OutcomeText::of(&view);
        assert_eq!(outcome.big, Some(("Your room", "305".to_owned())));
        assert_eq!(outcome.sentences[0], "It is yours until Sun, Nov 22, 2026.");
    }

    #[test]
    fn what_the_card_reserves_is_said() {
        let view = sample(
            "check_in_guest",
            "completed",
            json!({ "success": true, "data": {
                "booking_number": "BK-0034", "room_number": "305", "check_in_date": "2026-11-19", "check_out_date": "2026-11-22",
                "booking_status": "Checked In", "room_status": "Occupied", "opportunity_stage": "Checked In",
                "hold": 91500, "currency": "usd", "card_brand": "visa", "card_last4": "4242" } }),
        );
        assert_eq!(
            OutcomeText::of(&view).sentences[1],
            "$915.00 is reserved on your Visa •••• 4242. Nothing is charged before you check out."
        );
    }

    #[test]
    fn several_reservations_are_offered_to_choose_from() {
        let view = sample(
            "check_in_guest",
            "refused",
            json!({ "error_code": "MULTIPLE_RESERVATIONS", "details": { "reservations": [
                { "booking_number": "BK-0010", "room_number": "102", "check_in_date": "2026-11-18", "check_out_date": "2026-11-21" },
                { "booking_number": "BK-0011" }, 5] } }),
        );
        let outcome = OutcomeText::of(&view);
        let hrefs: Vec<_> = outcome.choices.iter().map(|c| c.0.as_str()).collect();
        assert_eq!(
            hrefs,
            [
                "/guest/check-in?booking=BK-0010",
                "/guest/check-in?booking=BK-0011"
            ]
        );
        assert!(outcome.links.is_empty());
    }

    #[test]
    fn an_unready_room_is_not_shown_as_an_error() {
        let view = sample(
            "check_in_guest",
            "refused",
            json!({ "error_code": "ROOM_NOT_VACANT", "details": {} }),
        );
        let outcome = OutcomeText::of(&view);
        assert_eq!(outcome.title, "Your room is not ready yet");
        assert_eq!(outcome.links[0].0, "/guest/check-in?booking=BK-0042");
    }
}
