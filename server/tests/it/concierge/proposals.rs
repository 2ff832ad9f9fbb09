//! Proposals say everything before the click, and are made only for what was asked.

use dewy_domain::{
    caller::{Caller, Interface},
    concierge::{ProposalState, ProposalView},
    ports::Concierge,
};
use serde_json::{Value, json};

use super::scripted_hotel::{Line, ScriptedHotel, beth, cards, front_desk, lines, sarah, states};

fn day(ahead: i64) -> String {
    let today = jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date();
    today
        .checked_add(jiff::Span::new().days(ahead))
        .unwrap()
        .to_string()
}

async fn proposed(
    talk: &ScriptedHotel,
    caller: &Caller,
    words: &str,
    tool: &'static str,
    input: Value,
) -> ProposalView {
    talk.then(vec![Line::Calls(vec![(tool, input)])]);
    let thread = talk.say(caller, words).await;
    cards(&thread)
        .pop()
        .unwrap_or_else(|| panic!("no card: {:?}", lines(&thread)))
}

fn booking_of<'a>(state: &'a Value, status: &str, email: &str) -> &'a str {
    let all = state["salesforce"]["Booking__c"].as_array().unwrap();
    let contact = state["salesforce"]["Contact"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["Email"] == email)
        .unwrap();
    let theirs = |one: &&Value| one["Primary_Guest__c"] == contact["Id"];
    let found = all
        .iter()
        .filter(theirs)
        .find(|one| one["Status__c"] == status);
    found.and_then(|one| one["Name"].as_str()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_names_the_room_the_nights_and_the_total() {
    let talk = ScriptedHotel::open(vec![]).await;
    let input = json!({ "room_type": "Standard", "check_in_date": day(20), "check_out_date": day(22),
        "guest_first_name": "Beth", "guest_last_name": "Gibbs", "number_of_guests": 1 });
    let card = proposed(
        &talk,
        &beth(),
        "Book me a standard room",
        "create_booking",
        input,
    )
    .await;
    assert!(
        card.question.starts_with("Book room ") && card.question.contains("for $"),
        "{}",
        card.question
    );
    assert!(card.yes.starts_with("Book for $"), "{}", card.yes);
    assert!(
        card.facts[0].starts_with("Total: $") && card.facts[0].contains("2 nights"),
        "{:?}",
        card.facts
    );
    assert!(
        card.facts[1].starts_with("Paid now: $0.00."),
        "{:?}",
        card.facts
    );
    let thread = talk.decide(&beth(), &card, true, None).await.unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Done],
        "{:?}",
        lines(&thread)
    );
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_is_marked_destructive_and_names_the_loss() {
    let talk = ScriptedHotel::open(vec![]).await;
    let number = booking_of(&talk.hotel.state(), "Reserved", "sarah@example.com").to_owned();
    let input = json!({ "booking_number": number, "action": "cancel" });
    let card = proposed(
        &talk,
        &sarah(),
        "Cancel my booking",
        "manage_bookings",
        input,
    )
    .await;
    assert!(card.loses && card.yes == "Cancel the booking");
    assert!(
        card.question.contains(&number) && card.question.contains("room 205"),
        "{}",
        card.question
    );
    assert!(
        card.facts[0].starts_with("Lost: room 205 for "),
        "{:?}",
        card.facts
    );
    assert!(
        card.facts[1].starts_with("Refund: none"),
        "{:?}",
        card.facts
    );
    let longer = json!({ "booking_number": number, "check_out_date": day(9) });
    let card = proposed(
        &talk,
        &sarah(),
        "Make it longer instead",
        "manage_bookings",
        longer,
    )
    .await;
    assert!(!card.loses);
    assert!(
        card.facts
            .iter()
            .any(|fact| fact.starts_with("New total: $") && fact.contains("more than before"))
    );
    let thread = talk.say(&sarah(), "What does that mean?").await;
    assert_eq!(
        states(&thread),
        [ProposalState::Superseded, ProposalState::Proposed],
        "the newer wish took its place"
    );
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_out_names_its_time_amount_and_lost_nights() {
    let talk = ScriptedHotel::open(vec![]).await;
    let card = proposed(
        &talk,
        &beth(),
        "I want to check out",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    assert!(card.facts[0].starts_with("When: now"), "{:?}", card.facts);
    assert!(
        card.facts
            .iter()
            .any(|fact| fact == "Paid now: $250.00. Open afterwards: $0.00."),
        "{:?}",
        card.facts
    );
    let staying = Caller::guest("wei.chen@example.com", Interface::Form);
    let card = proposed(
        &talk,
        &staying,
        "Check me out of 102",
        "process_guest_checkout",
        json!({ "room_number": "102" }),
    );
    let card = card.await;
    let early = card
        .facts
        .iter()
        .any(|fact| fact.starts_with("Early departure: the stay is booked until "));
    let state = talk.hotel.state();
    let stays = state["salesforce"]["Booking__c"].as_array().unwrap();
    let until = stays
        .iter()
        .filter(|one| card.question.contains(one["Name"].as_str().unwrap_or("-")));
    let until = until
        .filter_map(|one| one["Check_Out_Date__c"].as_str())
        .next()
        .unwrap();
    assert_eq!(
        early,
        until > day(0).as_str(),
        "{:?}, until {until}",
        card.facts
    );
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn later_is_never_now() {
    let talk = ScriptedHotel::open(vec![]).await;
    for words in [
        "I'd like to check out later",
        "Can I check out tomorrow at 9?",
        "Not now, but check me out",
    ] {
        talk.then(vec![
            Line::Calls(vec![("process_guest_checkout", json!({}))]),
            Line::Words("Whenever you like."),
        ]);
        let thread = talk.say(&beth(), words).await;
        assert!(cards(&thread).is_empty(), "{words}: {:?}", lines(&thread));
        assert_eq!(
            lines(&thread).last().unwrap(),
            "answered: Whenever you like."
        );
    }
    assert_eq!(talk.charges(), 0);
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_names_the_bill_before_and_after() {
    let talk = ScriptedHotel::open(vec![]).await;
    let input = json!({ "room_number": "302", "amount": 1250, "description": "Minibar" });
    let card = proposed(
        &talk,
        &front_desk(),
        "Post 12.50 to 302",
        "post_charge",
        input,
    )
    .await;
    assert!(
        card.facts[0].contains("open $250.00 now, $262.50 afterwards"),
        "{:?}",
        card.facts
    );
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_a_stay_never_uses_another_guests() {
    let talk = ScriptedHotel::open(vec![]).await;
    talk.then(vec![
        Line::Calls(vec![(
            "post_charge",
            json!({ "amount": 5000, "description": "Spa" }),
        )]),
        Line::Words("Which room is it?"),
    ]);
    let thread = talk
        .say(&front_desk(), "Put $50 for the spa on her room")
        .await;
    assert!(cards(&thread).is_empty(), "{:?}", lines(&thread));
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_move_a_checked_in_guest() {
    let talk = ScriptedHotel::open(vec![]).await;
    let number = booking_of(
        &talk.hotel.state(),
        "Checked In",
        "nora.o'brien@example.com",
    )
    .to_owned();
    let input = json!({ "booking_number": number, "room_number": "305" });
    let card = proposed(
        &talk,
        &front_desk(),
        "Move Nora O'Brien to 305",
        "manage_bookings",
        input,
    )
    .await;
    let told = card.facts.join("\n");
    assert!(
        told.contains("Room: 305, instead of 104.") && told.contains("New total: $700.00"),
        "{told}"
    );
    let thread = talk.decide(&front_desk(), &card, true, None).await.unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Done],
        "{:?}",
        lines(&thread)
    );
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_started_stay_cannot_be_canceled() {
    let talk = ScriptedHotel::open(vec![]).await;
    let number = booking_of(&talk.hotel.state(), "Checked In", "beth.gibbs@email.com").to_owned();
    talk.then(vec![
        Line::Calls(vec![(
            "manage_bookings",
            json!({ "booking_number": number, "action": "cancel" }),
        )]),
        Line::Words("You are in the house; only a check-out ends the stay."),
    ]);
    let thread = talk.say(&beth(), "Cancel my booking").await;
    assert!(cards(&thread).is_empty(), "{:?}", lines(&thread));
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_would_be_refused_are_not_proposed() {
    let talk = ScriptedHotel::open(vec![]).await;
    let state = talk.hotel.state();
    let inside = booking_of(&state, "Checked In", "beth.gibbs@email.com").to_owned();
    let later = booking_of(&state, "Reserved", "sarah@example.com").to_owned();
    for (caller, input) in [
        (
            beth(),
            json!({ "booking_number": inside, "check_in_date": day(1) }),
        ),
        (
            beth(),
            json!({ "booking_number": inside, "check_in_date": day(1), "check_out_date": day(1) }),
        ),
        (
            sarah(),
            json!({ "booking_number": later, "check_in_date": day(6), "check_out_date": day(6) }),
        ),
        (
            sarah(),
            json!({ "booking_number": later, "number_of_guests": 12 }),
        ),
    ] {
        talk.then(vec![Line::Calls(vec![("manage_bookings", input.clone())])]);
        let thread = talk.say(&caller, "Change my dates, please").await;
        assert!(cards(&thread).is_empty(), "{input}: {:?}", lines(&thread));
    }
    // Two hours are no night
    let input = json!({ "booking_number": inside, "check_out_date": day(9) });
    talk.then(vec![Line::Calls(vec![("manage_bookings", input)])]);
    let thread = talk
        .say(&beth(), "Can I leave two hours later tomorrow?")
        .await;
    assert!(cards(&thread).is_empty(), "{:?}", lines(&thread));
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_a_proposal_is_answered_from_its_own_terms() {
    let talk = ScriptedHotel::open(vec![]).await;
    let card = proposed(
        &talk,
        &beth(),
        "I want to check out now",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    let asked = talk.script.asked.lock().unwrap().len();
    let thread = talk
        .say(&beth(), "how much will that be and what do I lose?")
        .await;
    let told = lines(&thread).pop().unwrap();
    assert!(told.contains("$250.00"), "{told}");
    for fact in card.facts.iter().filter(|fact| fact.starts_with("When: ")) {
        assert!(told.contains(fact.as_str()), "{told}");
    }
    assert_eq!(states(&thread), [ProposalState::Proposed], "still open");
    assert_eq!(
        talk.script.asked.lock().unwrap().len(),
        asked,
        "no model is asked"
    );
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_replaces_another_of_the_same_stay() {
    let talk = ScriptedHotel::open(vec![]).await;
    let number = booking_of(&talk.hotel.state(), "Checked In", "beth.gibbs@email.com").to_owned();
    let longer = json!({ "booking_number": number, "check_out_date": day(9) });
    proposed(
        &talk,
        &beth(),
        "I want to check out",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    proposed(
        &talk,
        &beth(),
        "Or one more week",
        "manage_bookings",
        longer.clone(),
    )
    .await;
    let thread = talk.concierge.thread(&beth(), None).await.unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Superseded, ProposalState::Proposed]
    );
    // Nor both from one answer
    talk.then(vec![Line::Calls(vec![
        ("process_guest_checkout", json!({})),
        ("manage_bookings", longer),
    ])]);
    let thread = talk.say(&beth(), "Check me out, and a week more").await;
    let open = states(&thread);
    let open = open
        .iter()
        .filter(|state| **state == ProposalState::Proposed);
    assert_eq!(open.count(), 1, "{:?}", lines(&thread));
    talk.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_staff_propose_for_two_guests_stays_open() {
    let talk = ScriptedHotel::open(vec![]).await;
    let number = booking_of(
        &talk.hotel.state(),
        "Checked In",
        "nora.o'brien@example.com",
    )
    .to_owned();
    let sarah = "sarah@example.com";
    let calls = vec![
        ("check_in_guest", json!({ "guest_email": sarah })),
        (
            "manage_bookings",
            json!({ "booking_number": number, "room_number": "305" }),
        ),
    ];
    talk.then(vec![Line::Calls(calls)]);
    let words = "Check in Sarah, and move Nora to 305";
    let thread = talk.say(&front_desk(), words).await;
    assert_eq!(
        states(&thread),
        [ProposalState::Proposed; 2],
        "{:?}",
        lines(&thread)
    );
    talk.hotel.close().await;
}
