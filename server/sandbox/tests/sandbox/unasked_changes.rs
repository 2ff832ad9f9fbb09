//! What is said after a result: nothing moves money, or ends or changes a stay, unless it is asked
//! for in these words.

use serde_json::{Value, json};

use crate::chat_history::{answer, beth, called, one, said, user};

/// Tools whose proposal must be asked for.
const CHANGES: [&str; 4] = [
    "process_guest_checkout",
    "check_in_guest",
    "manage_bookings",
    "create_booking",
];

/// A request with its call and result, and the text about it.
fn shown(says: &str, tool: &str, result: &Value, text: &str) -> Vec<Value> {
    let [call, result] = called(tool, &json!({}), result);
    vec![user(says), call, result, said(text)]
}

fn ok(data: &Value) -> Value {
    json!({"answer": {"success": true, "execution_id": "exe_1", "data": data}})
}

fn bill() -> Vec<Value> {
    let line = json!({"kind": "room", "description": "Room", "amount": 25_000});
    let folio = json!({"room_number": "302", "booking_number": "BK-0042", "balance": 25_000, "currency": "usd", "lines": [line]});
    shown(
        "What is my bill",
        "get_folio",
        &json!({"answer": {"success": true, "data": folio}}),
        "The balance of room 302 is $250.00:\n- Room: $250.00",
    )
}

fn stays() -> Vec<Value> {
    let stay = json!({"booking_number": "BK-0042", "room_number": "302", "check_in_date": "2026-03-08", "check_out_date": "2026-03-12", "booking_status": "Checked In"});
    shown(
        "which room do I have",
        "search_rooms_on_behalf_of_guest",
        &json!({"answer": {"success": true, "data": {"stays": [stay]}}}),
        "Your stays:\n- BK-0042, room 302",
    )
}

fn free_rooms() -> Vec<Value> {
    let room = |number: &str, total: i64| json!({"room_number": number, "room_type": "Suite", "total": total});
    let rooms = json!({"answer": {"success": true, "data": {"rooms": [room("204", 60_000), room("309", 45_000)]}}});
    shown(
        "Which suites are free from 20 to 22 March?",
        "search_available_rooms",
        &rooms,
        "These rooms are free; tell me which one I should book:\n- 204 Suite\n- 309 Suite",
    )
}

fn request(state: &str) -> Vec<Value> {
    let proposed = json!({"proposed": {"question": "Send this request?", "state": state}});
    shown(
        "I need more towels",
        "submit_guest_service_request",
        &proposed,
        "Please decide above.",
    )
}

fn finished_request() -> Vec<Value> {
    let mut messages = request("the person said yes; it was done");
    let mut done = ok(&json!({"case_number": "00001010", "type": "Housekeeping"}));
    done["decided_by"] = json!("person");
    messages.extend(called("submit_guest_service_request", &json!({}), &done));
    messages.push(said("It is passed on (Housekeeping)."));
    messages
}

fn declined_check_out() -> Vec<Value> {
    let mut messages = bill();
    let no = json!({"proposed": {"question": "Check out?", "state": "the person said no; nothing was done"}});
    messages.push(user("check me out"));
    messages.extend(called("process_guest_checkout", &json!({}), &no));
    messages
}

fn declined_check_in() -> Vec<Value> {
    let no = json!({"proposed": {"question": "Check in?", "state": "the person said no; nothing was done"}});
    shown(
        "I'd like to check in now",
        "check_in_guest",
        &no,
        "Please decide above.",
    )
}

fn checked_in() -> Vec<Value> {
    let yes =
        json!({"proposed": {"question": "Check in?", "state": "the person said yes; it was done"}});
    let mut done = ok(
        &json!({"booking_number": "BK-0042", "room_number": "302", "check_out_date": "2026-03-12"}),
    );
    done["decided_by"] = json!("person");
    let mut messages = shown(
        "check me in",
        "check_in_guest",
        &yes,
        "Please decide above.",
    );
    messages.extend(called("check_in_guest", &json!({}), &done));
    messages.push(said(
        "Welcome! You are checked in to room 302 until 2026-03-12.",
    ));
    messages
}

/// Everything that may precede, with its name.
fn beginnings() -> [(&'static str, Vec<Value>); 8] {
    [
        ("nothing", Vec::new()),
        ("the bill", bill()),
        ("stays", stays()),
        ("free rooms", free_rooms()),
        ("an open request", request("waits for the person")),
        ("a finished request", finished_request()),
        ("a declined check-out", declined_check_out()),
        ("a check-in", checked_in()),
    ]
}

/// Sentences that change nothing, whatever was said before.
const HARMLESS: &str = include_str!("harmless_sentences.txt");

fn harmless() -> impl Iterator<Item = &'static str> {
    let lines = HARMLESS.lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[tokio::test(start_paused = true)]
async fn what_is_not_asked_for_is_not_proposed() {
    let mut wrong = Vec::new();
    for (after, messages) in beginnings() {
        for says in harmless() {
            let mut messages = messages.clone();
            messages.push(user(says));
            let reply = answer(&beth("Checked In"), None, &messages).await;
            let calls = reply.calls.iter();
            let changes = calls.filter(|(_, tool, _)| CHANGES.contains(&tool.as_str()));
            wrong.extend(changes.map(|(_, tool, with)| format!("{after}: {says}: {tool} {with}")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[tokio::test(start_paused = true)]
async fn who_puts_off_what_was_offered_requests_nothing() {
    let mut wrong = Vec::new();
    for says in [
        "sorry, my husband has the passports, we'll do it later. what room is it?",
        "my wife is still parking the car, so maybe later. which room do we have?",
        "not now, we wait for my brother. what is my room number?",
        "we are still at the airport, we do that later. where am I staying?",
        "my passport is in the car, later then. which room is mine?",
        "later, we have to eat first. how long do I stay with you?",
    ] {
        let mut messages = declined_check_in();
        messages.push(user(says));
        let reply = answer(&beth("Reserved"), None, &messages).await;
        let read = |tool: &str| tool.starts_with("search_") || tool.starts_with("get_");
        if !reply.calls.iter().all(|(_, tool, _)| read(tool)) || reply.calls.is_empty() {
            wrong.push(format!("{says}: {reply:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for says in [
        "the tv does not work, and we want to eat later. what room is it?",
        "can we check out later? what room is it?",
        "we need two more towels, what room is it?",
    ] {
        let reply = after(Vec::new(), says).await;
        assert!(
            reply
                .calls
                .iter()
                .any(|(_, tool, _)| tool.starts_with("submit_")),
            "{says}: {reply:?}"
        );
    }
}

/// Answers to what was said after a beginning.
async fn after(mut messages: Vec<Value>, says: &str) -> crate::chat_client::Reply {
    messages.push(user(says));
    answer(&beth("Checked In"), None, &messages).await
}

#[tokio::test(start_paused = true)]
async fn a_late_check_out_is_a_request_and_never_now() {
    for (name, messages) in beginnings() {
        for says in [
            "Can I check out late?",
            "can I check out late tomorrow?",
            "May I leave a bit later?",
        ] {
            let reply = after(messages.clone(), says).await;
            let (tool, arguments) = one(&reply);
            assert_eq!(
                (tool, &arguments["type"]),
                ("submit_guest_service_request", &json!("Concierge")),
                "{name}: {says}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_for_is_still_proposed() {
    for (name, messages) in beginnings() {
        for says in ["check me out please", "I want to pay and leave now"] {
            let reply = after(messages.clone(), says).await;
            let tool = one(&reply).0;
            let known = ["the bill", "a declined check-out"].contains(&name);
            let expected = ["get_folio", "process_guest_checkout"][usize::from(known)];
            assert_eq!(tool, expected, "{name}: {says}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_yes_to_another_card_leads_to_the_proposal_again() {
    let yes = json!({"proposed": {"question": "Check out?", "state": "the person said yes; it was not possible"}});
    let refused = json!({"decided_by": "person", "ask": "Do you want to try another card?",
        "answer": {"success": false, "execution_id": "exe_1", "error_code": "PAYMENT_FAILED", "error_message": "The card was declined. You were not charged."}});
    let mut messages = bill();
    messages.push(user("check me out"));
    messages.extend(called("process_guest_checkout", &json!({}), &yes));
    messages.push(said("Please decide above."));
    messages.extend(called("process_guest_checkout", &json!({}), &refused));
    let text = "The card was declined. You were not charged. Do you want to try another card?";
    messages.push(said(text));
    for says in ["Yes", "yes please", "ok", "Sure!"] {
        let reply = after(messages.clone(), says).await;
        assert_eq!(one(&reply).0, "process_guest_checkout", "{says}");
    }
    let reply = after(messages, "No").await;
    assert!(reply.calls.is_empty(), "{reply:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_known_is_said_and_a_person_offered() {
    for (name, messages) in beginnings() {
        for (says, knows) in [
            ("Is breakfast included?", "7 to 10 AM"),
            ("How much is breakfast?", "7 to 10 AM"),
            ("Is that with tax?", "I don't know"),
            ("Where can I eat tonight?", "I don't know"),
            ("Is the bed big enough for three?", "I don't know"),
            ("How long will it take?", "I can't say how long"),
        ] {
            let mut messages = messages.clone();
            messages.push(user(says));
            let reply = answer(&beth("Checked In"), None, &messages).await;
            assert!(
                reply.calls.is_empty() && reply.text.contains(knows),
                "{name}: {says}: {reply:?}"
            );
            assert!(reply.text.contains("call a colleague"), "{says}: {reply:?}");
            messages.push(said(&reply.text));
            let reply = after(messages, "yes please").await;
            assert_eq!(one(&reply).0, "hand_over_to_staff", "{name}: {says}");
        }
    }
    let reply = after(Vec::new(), "¿Está incluido el desayuno?").await;
    assert!(
        reply.text.contains("Desayuno") && reply.text.contains("incluido"),
        "{reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_room_alone_belongs_to_the_open_request() {
    let reply = after(request("waits for the person"), "room 103").await;
    let (tool, arguments) = one(&reply);
    assert_eq!(tool, "submit_guest_service_request");
    assert_eq!(arguments["room_number"], "103");
    assert_eq!(arguments["description"], "I need more towels, room 103");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_was_passed_on_is_not_called_completed() {
    let mut messages = finished_request();
    messages.push(user("did it go through?"));
    let summary = "Housekeeping was asked for: “I need more towels”";
    let status = json!({"answer": {"success": true, "data": {"execution_id": "exe_1", "state": "completed", "summary": summary}}});
    messages.extend(called(
        "get_execution",
        &json!({"execution_id": "exe_1"}),
        &status,
    ));
    let reply = answer(&beth("Checked In"), None, &messages).await;
    assert!(
        reply.text.contains("It was received") && !reply.text.contains("completed"),
        "{reply:?}"
    );
}
