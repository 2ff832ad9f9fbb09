//! Results of a check-in.

use dewy_domain::{error_code::ErrorCode, view::ExecutionView};
use serde_json::Value;

use super::{Choice, Told, code, data, detail, message, way, with_booking};
use crate::address;
use crate::guest::{day, days};

pub fn told(view: &ExecutionView) -> Told {
    match view.state.as_str() {
        "completed" => completed(view),
        "refused" => refused(view),
        _ => needs_attention(view),
    }
}

fn completed(view: &ExecutionView) -> Told {
    let room = data(view, "room_number")
        .map(str::to_owned)
        .or_else(|| view.room_number.clone());
    let before = data(view, "note")
        .map(|_| "You had checked in before; nothing was changed now.".to_owned());
    let until =
        data(view, "check_out_date").map(|date| format!("It is yours until {}.", day(date)));
    let key = "Pick up your key at the front desk; show them this page.".to_owned();
    Told {
        title: "You are checked in. Welcome!".to_owned(),
        big: room.map(|room| ("Your room", room)),
        sentences: before.into_iter().chain(until).chain([key]).collect(),
        ways: vec![way("/guest", "Go to your stay")],
        ..Told::default()
    }
}

fn refused(view: &ExecutionView) -> Told {
    let again = with_booking("/guest/check-in", view);
    let said = message(view, ErrorCode::UpstreamUnavailable);
    let (title, mut sentences, ways) = match code(view) {
        Some(ErrorCode::RoomNotVacant) => (
            "Your room is not ready yet",
            vec![
                "We are still preparing it. Your reservation stands, and nothing was changed.".to_owned(),
                "Try again in a little while, or leave your luggage with our front desk and have a look around."
                    .to_owned(),
            ],
            vec![way(again, "Try again"), way("/guest", "Back to your stay")],
        ),
        Some(ErrorCode::OutsideCheckInWindow) => {
            let text = |name: &str| detail(view, name).and_then(Value::as_str);
            let stay = text("check_in_date").zip(text("check_out_date"));
            let late = text("asked_for").zip(text("check_out_date")).is_some_and(|(day, end)| day >= end);
            let title = if late { "This stay is over" } else { "It’s too early to check in" };
            let stay = stay.map(|(from, to)| format!("Your stay is from {}.", days(from, to)));
            (title, stay.into_iter().chain([said]).collect(), vec![way("/guest", "Back to your stay")])
        }
        Some(ErrorCode::MultipleReservations) => ("Which reservation is it?", vec![said], Vec::new()),
        Some(ErrorCode::ReservationNotFound | ErrorCode::GuestNotFound | ErrorCode::BookingNotFound) => (
            "We found no reservation to check in",
            vec![said, "Our front desk will gladly look for it with you.".to_owned()],
            vec![way("/guest", "Back to your stay")],
        ),
        Some(ErrorCode::MultipleGuests | ErrorCode::InvalidTransition) => {
            ("Please come to our front desk", vec![said], vec![way("/guest", "Back to your stay")])
        }
        _ => ("You are not checked in yet", vec![said], vec![way(again, "Try again")]),
    };
    let choices = detail(view, "reservations")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(choice);
    let choices: Vec<_> = choices.collect();
    sentences.dedup();
    Told {
        title: title.to_owned(),
        big: None,
        sentences,
        choices,
        ways,
    }
}

fn choice(reservation: &Value) -> Option<Choice> {
    let text = |name: &str| {
        reservation
            .get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let number = text("booking_number")?;
    let title =
        text("room_number").map_or_else(|| number.to_owned(), |room| format!("Room {room}"));
    let more = match (text("check_in_date"), text("check_out_date")) {
        (Some(from), Some(to)) => format!("{}, booking {number}", days(from, to)),
        _ => format!("Booking {number}"),
    };
    Some(Choice {
        href: address::about("/guest/check-in", number),
        title,
        more,
    })
}

fn needs_attention(view: &ExecutionView) -> Told {
    Told {
        title: "Our front desk is looking into it".to_owned(),
        sentences: vec![
            message(view, ErrorCode::NeedsAttention),
            "Please come to the front desk for your key.".to_owned(),
        ],
        ways: vec![way("/guest", "Back to your stay")],
        ..Told::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};
    use serde_json::json;

    #[test]
    fn the_room_is_what_to_remember() {
        let view = sample(
            "check_in_guest",
            "completed",
            json!({ "success": true, "data": { "room_number": "305", "check_out_date": "2026-11-22" } }),
        );
        let told = Told::of(&view);
        assert_eq!(told.big, Some(("Your room", "305".to_owned())));
        assert_eq!(told.sentences[0], "It is yours until Sun, Nov 22, 2026.");
    }

    #[test]
    fn several_reservations_are_a_choice() {
        let view = sample(
            "check_in_guest",
            "refused",
            json!({ "error_code": "MULTIPLE_RESERVATIONS", "details": { "reservations": [
                { "booking_number": "BK-0010", "room_number": "102", "check_in_date": "2026-11-18", "check_out_date": "2026-11-21" },
                { "booking_number": "BK-0011" }, 5] } }),
        );
        let told = Told::of(&view);
        let hrefs: Vec<_> = told.choices.iter().map(|c| c.href.as_str()).collect();
        assert_eq!(
            hrefs,
            [
                "/guest/check-in?booking=BK-0010",
                "/guest/check-in?booking=BK-0011"
            ]
        );
        assert!(told.ways.is_empty());
    }

    #[test]
    fn a_room_that_is_not_ready_is_nobodys_fault() {
        let view = sample(
            "check_in_guest",
            "refused",
            json!({ "error_code": "ROOM_NOT_VACANT", "details": {} }),
        );
        let told = Told::of(&view);
        assert_eq!(told.title, "Your room is not ready yet");
        assert_eq!(told.ways[0].0, "/guest/check-in?booking=BK-0042");
    }
}
