//! Which record is meant: a guest in house with a later booking is not asked which one, where the words or
//! the state say it; what was delivered is looked up before anything is ordered again.

use serde_json::{Value, json};

use crate::chat_client::{ask, system, tools};
use crate::sandbox_client::sandbox;

const OTHER: &str = "BK-0049, Reserved, room 205, 2026-04-20 to 2026-04-22";

#[tokio::test]
async fn words_and_state_choose_among_two_stays() {
    let facts = json!({ "today": "2026-03-10", "time_zone": "UTC", "persona": "guest", "booking_number": "BK-0042",
        "room_number": "302", "check_in_date": "2026-03-08", "check_out_date": "2026-03-10", "stay_status": "Checked In",
        "guest_email": "beth.gibbs@email.com", "other_stays": OTHER });
    let (here, later) = ("BK-0042", "BK-0049");
    let night = json!({ "booking_number": here, "check_out_date": "2026-03-11" });
    let cancel = json!({ "booking_number": later, "action": "cancel" });
    for (says, wanted) in [
        ("one more night please", night),
        ("Cancel my booking", cancel.clone()),
        ("Cancel my April booking", cancel.clone()),
        ("please cancel my next reservation", cancel),
        (
            "there will be 2 of us in april",
            json!({ "booking_number": later, "number_of_guests": 2 }),
        ),
        (
            "move my April booking one day later",
            json!({ "booking_number": later, "check_in_date": "2026-04-21", "check_out_date": "2026-04-23" }),
        ),
    ] {
        let messages = [system(&facts), json!({ "role": "user", "content": says })];
        let reply = ask(&sandbox(), &messages, &tools(None)).await;
        let calls: Vec<(&str, &Value)> = reply
            .calls
            .iter()
            .map(|call| (call.1.as_str(), &call.2))
            .collect();
        assert_eq!(
            calls,
            [("manage_bookings", &wanted)],
            "{says}: {}",
            reply.text
        );
    }
}

#[tokio::test]
async fn what_was_brought_is_not_ordered_again() {
    let facts = json!({ "today": "2026-03-10", "time_zone": "UTC", "persona": "staff", "role": "front_desk" });
    for says in [
        "breakfast 310 delivered",
        "the towels for 302 were brought",
        "ac in 310 fixed",
        "wine brought to 407",
    ] {
        let messages = [system(&facts), json!({ "role": "user", "content": says })];
        let reply = ask(&sandbox(), &messages, &tools(Some("front_desk"))).await;
        let tools: Vec<&str> = reply.calls.iter().map(|call| call.1.as_str()).collect();
        assert_eq!(
            tools,
            ["search_cases_on_behalf_of_staff"],
            "{says}: {}",
            reply.text
        );
    }
}
