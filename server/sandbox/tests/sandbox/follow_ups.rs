//! Follow-ups of people who did not know the model's rules: on a list, a card, a result.

use serde_json::{Value, json};

use crate::chat_history::{answer, beth, called, desk, one, said, user};

#[tokio::test(start_paused = true)]
async fn a_room_of_the_list_is_booked() {
    let room = |number: &str, total: i64| json!({"room_number": number, "room_type": "Suite", "total": total});
    let rooms = json!({"answer": {"success": true, "data": {"rooms": [room("204", 60_000), room("309", 45_000)]}}});
    let dates = json!({"room_type": "Suite", "check_in_date": "2026-03-20", "check_out_date": "2026-03-22"});
    let [call, result] = called("search_available_rooms", &dates, &rooms);
    for (says, number) in [
        ("book the cheapest one", "309"),
        ("The first one please, book it", "204"),
    ] {
        let messages = [
            user("Which suites are free from 20 to 22 March?"),
            call.clone(),
            result.clone(),
            said("These rooms are free."),
            user(says),
        ];
        let reply = answer(&beth("Checked In"), None, &messages).await;
        let (tool, arguments) = one(&reply);
        assert_eq!(
            (tool, &arguments["room_number"]),
            ("create_booking", &json!(number)),
            "{says}"
        );
        assert!(
            arguments["room_type"].is_null(),
            "a room, or a type: {says}"
        );
        assert_eq!(arguments["check_in_date"], "2026-03-20", "{says}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_is_withdrawn_and_no_booking_canceled() {
    for (state, handed) in [
        ("waits for the person", false),
        ("the person said yes; it was done", true),
    ] {
        let proposed = json!({"proposed": {"question": "Pass it on?", "state": state}});
        let [call, result] = called("submit_guest_service_request", &json!({}), &proposed);
        let messages = [
            user("Could I have two more towels?"),
            call,
            result,
            said("Please decide above."),
            user("actually cancel that request"),
        ];
        let reply = answer(&beth("Checked In"), None, &messages).await;
        if handed {
            let (tool, arguments) = one(&reply);
            assert_eq!(tool, "hand_over_to_staff");
            assert!(
                arguments.to_string().contains("cancel that request"),
                "{reply:?}"
            );
        } else {
            assert!(
                reply.calls.is_empty() && reply.text.contains("Decline it"),
                "{reply:?}"
            );
        }
    }
    let reply = answer(
        &beth("Reserved"),
        None,
        &[user("no, we come after all. do we still have our booking?")],
    )
    .await;
    assert!(one(&reply).0.starts_with("search_"), "{reply:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_waited_for_is_looked_up_and_asked_for_again() {
    let says = "I asked for towels an hour ago!!";
    let facts = beth("Checked In");
    let reply = answer(&facts, None, &[user(says)]).await;
    assert_eq!(one(&reply).0, "search_cases_on_behalf_of_guest");
    let found = |cases: Value| json!({"answer": {"success": true, "data": {"cases": cases}}});
    let [call, none] = called(
        "search_cases_on_behalf_of_guest",
        &json!({}),
        &found(json!([])),
    );
    let reply = answer(&facts, None, &[user(says), call.clone(), none]).await;
    let (tool, arguments) = one(&reply);
    assert_eq!(tool, "submit_guest_service_request");
    assert_eq!(arguments["type"], "Housekeeping");
    assert!(
        arguments["description"]
            .as_str()
            .unwrap()
            .contains("towels an hour ago")
    );
    let case = json!([{"case_number": "00001003", "subject": "Towels", "case_status": "New"}]);
    let [_, some] = called("search_cases_on_behalf_of_guest", &json!({}), &found(case));
    let reply = answer(&facts, None, &[user(says), call, some]).await;
    assert!(
        reply.calls.is_empty() && reply.text.contains("Towels"),
        "{reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_approved_check_out_is_told_once() {
    let proposed = json!({"proposed": {"question": "Check out?", "state": "the person said yes; it was done"}});
    let done = json!({"decided_by": "person", "answer": {"success": true, "data": {"room_number": "302", "amount": 25_000, "currency": "usd"}}});
    let folio = json!({"answer": {"success": true, "data": {"room_number": "302", "balance": 25_000, "currency": "usd", "lines": []}}});
    let mut messages = vec![user("I'd like to check out")];
    messages.extend(called("get_folio", &json!({}), &folio));
    messages.extend([
        said("The balance of room 302 is $250.00."),
        user("That is right, charge my card"),
    ]);
    messages.extend(called("process_guest_checkout", &json!({}), &proposed));
    messages.push(said("Please decide above."));
    messages.extend(called("process_guest_checkout", &json!({}), &done));
    let facts = beth("Checked In");
    let reply = answer(&facts, None, &messages).await;
    assert!(
        reply.calls.is_empty() && reply.text.contains("$250.00"),
        "{reply:?}"
    );
    assert!(!reply.text.contains("decide above"), "{reply:?}");
    messages.extend([said(&reply.text), user("What is my total now?")]);
    let reply = answer(&facts, None, &messages).await;
    assert!(
        reply.calls.is_empty() && reply.text.contains("checked out of room 302"),
        "{reply:?}"
    );
}

/// The hotel tells the model what to propose; nobody else reads it.
#[tokio::test(start_paused = true)]
async fn instructions_for_the_model_are_not_shown() {
    for says in [
        "can I get a late checkout till 2pm?",
        "late checkout at 1 please",
    ] {
        let mut facts = beth("Checked In");
        facts["folio_balance"] = json!(25_000);
        let reply = answer(&facts, None, &[user(says)]).await;
        let (tool, arguments) = one(&reply);
        assert_eq!(
            (tool, &arguments["type"]),
            ("submit_guest_service_request", &json!("Concierge")),
            "{says}"
        );
    }
    let note = "The person asked about a time. Propose it only once they want it now.";
    let refused = json!({"answer": {"success": false, "error_code": "VALIDATION_FAILED", "error_message": "Please check the fields.",
        "details": {"problems": [{"field": "", "message": note}]}}});
    let mut messages = vec![user("I would like to check out at two")];
    messages.extend(called("process_guest_checkout", &json!({}), &refused));
    let reply = answer(&beth("Checked In"), None, &messages).await;
    assert!(
        !reply.text.contains("The person") && !reply.text.contains("Propose"),
        "{reply:?}"
    );
    assert!(reply.text.contains("Tell me when it is time"), "{reply:?}");
}

#[tokio::test(start_paused = true)]
async fn a_card_says_what_is_meant_by_that() {
    let done = json!({"proposed": {"question": "Pass it on?", "state": "the person said yes; it was done"}});
    let filed = json!({"decided_by": "person", "answer": {"success": true, "execution_id": "exe_1", "data": {"case_number": "00001010"}}});
    let mut messages = vec![user("Can you wake me at six?")];
    messages.extend(called("submit_guest_service_request", &json!({}), &done));
    messages.push(said("Please decide above."));
    messages.extend(called("submit_guest_service_request", &json!({}), &filed));
    messages.push(said("It is passed on."));
    let facts = beth("Checked In");
    for (says, tool) in [
        ("ugh forget it, cancel that", "hand_over_to_staff"),
        ("cancel my booking", "manage_bookings"),
        ("wat do i owe", "get_folio"),
    ] {
        let mut messages = messages.clone();
        messages.push(user(says));
        assert_eq!(
            one(&answer(&facts, None, &messages).await).0,
            tool,
            "{says}"
        );
    }
    let mut facts = desk();
    facts["booking_number"] = json!("BK-0027");
    messages.push(user("cancel that"));
    let reply = answer(&facts, Some("front_desk"), &messages).await;
    assert!(
        reply.calls.is_empty() && reply.text.contains("00001010"),
        "{reply:?}"
    );
    let reply = answer(
        &facts,
        Some("front_desk"),
        &[user("add 40 dollars laundry to his room")],
    )
    .await;
    assert_eq!(reply.text, "Which room is it?");
}

#[tokio::test(start_paused = true)]
async fn two_wishes_about_a_named_guest_are_both_taken_up() {
    let says = "Beth Gibbs is checking out, and she says the toilet in her room is broken.";
    let mut messages = vec![user(says)];
    let reply = answer(&desk(), Some("front_desk"), &messages).await;
    let (tool, query) = one(&reply);
    assert_eq!(tool, "search_guests");
    assert!(query["query"].as_str().unwrap().contains("Gibbs"));
    let stay = json!({"booking_number": "BK-0042", "room_number": "302", "check_in_date": "2026-03-08",
        "check_out_date": "2026-03-10", "booking_status": "Checked In"});
    let guest = json!({"first_name": "Beth", "last_name": "Gibbs", "guest_email": "beth.gibbs@email.com", "stays": [stay]});
    let found = json!({"answer": {"success": true, "data": {"guests": [guest]}}});
    messages.extend(called("search_guests", query, &found));
    let reply = answer(&desk(), Some("front_desk"), &messages).await;
    let place = |name: &str| reply.calls.iter().find(|(_, tool, _)| tool == name);
    let (.., bill) = place("get_folio").unwrap_or_else(|| panic!("{reply:?}"));
    assert_eq!(bill["guest_email"], "beth.gibbs@email.com");
    let (.., repair) = place("submit_maintenance_request").unwrap_or_else(|| panic!("{reply:?}"));
    assert_eq!(repair["room_number"], "302");
}
