//! Proposals state all terms before approval, and are made only for what the user asked.

use dewy_domain::{
    caller::{Caller, Interface},
    concierge::{ProposalState, ProposalView},
    ports::Concierge,
};
use serde_json::{Value, json};

use super::scripted_hotel::{
    ScriptStep, ScriptedHotel, beth, front_desk, lines, proposals, sarah, states,
};

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
    scripted: &ScriptedHotel,
    caller: &Caller,
    words: &str,
    tool: &'static str,
    input: Value,
) -> ProposalView {
    scripted.then(vec![ScriptStep::Calls(vec![(tool, input)])]);
    let thread = scripted.say(caller, words).await;
    proposals(&thread)
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
    let scripted = ScriptedHotel::open(vec![]).await;
    let input = json!({ "room_type": "Standard", "check_in_date": day(20), "check_out_date": day(22),
        "guest_first_name": "Beth", "guest_last_name": "Gibbs", "number_of_guests": 1 });
    let proposal = proposed(
        &scripted,
        &beth(),
        "Book me a standard room",
        "create_booking",
        input,
    )
    .await;
    assert!(
        proposal.question.starts_with("Book room ") && proposal.question.contains("for $"),
        "{}",
        proposal.question
    );
    assert!(proposal.yes.starts_with("Book for $"), "{}", proposal.yes);
    assert!(
        proposal.facts[0].starts_with("Total: $") && proposal.facts[0].contains("2 nights"),
        "{:?}",
        proposal.facts
    );
    assert!(
        proposal.facts[1].starts_with("Paid now: $0.00."),
        "{:?}",
        proposal.facts
    );
    let thread = scripted
        .decide(&beth(), &proposal, true, None)
        .await
        .unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Done],
        "{:?}",
        lines(&thread)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_is_marked_destructive_and_names_the_loss() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let number = booking_of(&scripted.hotel.state(), "Reserved", "sarah@example.com").to_owned();
    let input = json!({ "booking_number": number, "action": "cancel" });
    let proposal = proposed(
        &scripted,
        &sarah(),
        "Cancel my booking",
        "manage_bookings",
        input,
    )
    .await;
    assert!(proposal.loses && proposal.yes == "Cancel the booking");
    assert!(
        proposal.question.contains(&number) && proposal.question.contains("room 205"),
        "{}",
        proposal.question
    );
    assert!(
        proposal.facts[0].starts_with("Lost: room 205 for "),
        "{:?}",
        proposal.facts
    );
    assert!(
        proposal.facts[1].starts_with("Refund: none"),
        "{:?}",
        proposal.facts
    );
    let longer = json!({ "booking_number": number, "check_out_date": day(9) });
    let proposal = proposed(
        &scripted,
        &sarah(),
        "Make it longer instead",
        "manage_bookings",
        longer,
    )
    .await;
    assert!(!proposal.loses);
    assert!(
        proposal
            .facts
            .iter()
            .any(|fact| fact.starts_with("New total: $") && fact.contains("more than before"))
    );
    let thread = scripted.say(&sarah(), "What does that mean?").await;
    assert_eq!(
        states(&thread),
        [ProposalState::Superseded, ProposalState::Proposed],
        "the newer wish took its place"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_out_names_its_time_amount_and_lost_nights() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let proposal = proposed(
        &scripted,
        &beth(),
        "I want to check out",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    assert!(
        proposal.facts[0].starts_with("When: now"),
        "{:?}",
        proposal.facts
    );
    assert!(
        proposal
            .facts
            .iter()
            .any(|fact| fact == "Paid now: $250.00. Open afterwards: $0.00."),
        "{:?}",
        proposal.facts
    );
    let staying = Caller::guest("wei.chen@example.com", Interface::Form);
    let card = proposed(
        &scripted,
        &staying,
        "Check me out of 102",
        "process_guest_checkout",
        json!({ "room_number": "102" }),
    );
    let proposal = card.await;
    let early = proposal
        .facts
        .iter()
        .any(|fact| fact.starts_with("Early departure: the stay is booked until "));
    let state = scripted.hotel.state();
    let stays = state["salesforce"]["Booking__c"].as_array().unwrap();
    let until = stays.iter().filter(|one| {
        proposal
            .question
            .contains(one["Name"].as_str().unwrap_or("-"))
    });
    let until = until
        .filter_map(|one| one["Check_Out_Date__c"].as_str())
        .next()
        .unwrap();
    assert_eq!(
        early,
        until > day(0).as_str(),
        "{:?}, until {until}",
        proposal.facts
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_in_names_the_room_the_nights_the_guest_and_the_price() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let own = proposed(
        &scripted,
        &sarah(),
        "I have arrived",
        "check_in_guest",
        json!({}),
    )
    .await;
    assert_eq!(own.question, "Check in to room 205 now?");
    assert!(
        own.facts[0].starts_with("Stay: ")
            && own.facts[0].ends_with("(3 nights), booking BK-0034."),
        "{:?}",
        own.facts
    );
    assert_eq!(own.facts[1], "Price of the stay: $525.00. Paid now: $0.00.");
    let staff = proposed(
        &scripted,
        &front_desk(),
        "Check in Sarah Johnson",
        "check_in_guest",
        json!({ "guest_email": "sarah@example.com" }),
    )
    .await;
    assert_eq!(staff.question, "Check Sarah Johnson in to room 205 now?");
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn later_is_never_now() {
    let scripted = ScriptedHotel::open(vec![]).await;
    for words in [
        "I'd like to check out later",
        "Can I check out tomorrow at 9?",
        "Not now, but check me out",
    ] {
        scripted.then(vec![
            ScriptStep::Calls(vec![("process_guest_checkout", json!({}))]),
            ScriptStep::Words("Whenever you like."),
        ]);
        let thread = scripted.say(&beth(), words).await;
        assert!(
            proposals(&thread).is_empty(),
            "{words}: {:?}",
            lines(&thread)
        );
        assert_eq!(
            lines(&thread).last().unwrap(),
            "answered: Whenever you like.\nNothing has been changed."
        );
    }
    assert_eq!(scripted.charges(), 0);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_names_the_bill_before_and_after() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let input = json!({ "room_number": "302", "amount": 1250, "description": "Minibar" });
    let proposal = proposed(
        &scripted,
        &front_desk(),
        "Post 12.50 to 302",
        "post_charge",
        input,
    )
    .await;
    assert!(
        proposal.facts[0].contains("open $250.00 now, $262.50 afterwards"),
        "{:?}",
        proposal.facts
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_a_stay_never_uses_another_guests() {
    let scripted = ScriptedHotel::open(vec![]).await;
    scripted.then(vec![
        ScriptStep::Calls(vec![(
            "post_charge",
            json!({ "amount": 5000, "description": "Spa" }),
        )]),
        ScriptStep::Words("Which room is it?"),
    ]);
    let thread = scripted
        .say(&front_desk(), "Put $50 for the spa on her room")
        .await;
    assert!(proposals(&thread).is_empty(), "{:?}", lines(&thread));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_move_a_checked_in_guest() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let number = booking_of(
        &scripted.hotel.state(),
        "Checked In",
        "nora.o'brien@example.com",
    )
    .to_owned();
    let input = json!({ "booking_number": number, "room_number": "305" });
    let proposal = proposed(
        &scripted,
        &front_desk(),
        "Move Nora O'Brien to 305",
        "manage_bookings",
        input,
    )
    .await;
    let shown = proposal.facts.join("\n");
    assert!(
        shown.contains("Room: 305, instead of 104.") && shown.contains("New total: $629.00"),
        "{shown}"
    );
    let thread = scripted
        .decide(&front_desk(), &proposal, true, None)
        .await
        .unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Done],
        "{:?}",
        lines(&thread)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_started_stay_cannot_be_canceled() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let number = booking_of(
        &scripted.hotel.state(),
        "Checked In",
        "beth.gibbs@email.com",
    )
    .to_owned();
    scripted.then(vec![
        ScriptStep::Calls(vec![(
            "manage_bookings",
            json!({ "booking_number": number, "action": "cancel" }),
        )]),
        ScriptStep::Words("You are in the house; only a check-out ends the stay."),
    ]);
    let thread = scripted.say(&beth(), "Cancel my booking").await;
    assert!(proposals(&thread).is_empty(), "{:?}", lines(&thread));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_would_be_refused_are_not_proposed() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let state = scripted.hotel.state();
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
        scripted.then(vec![ScriptStep::Calls(vec![(
            "manage_bookings",
            input.clone(),
        )])]);
        let thread = scripted.say(&caller, "Change my dates, please").await;
        assert!(
            proposals(&thread).is_empty(),
            "{input}: {:?}",
            lines(&thread)
        );
    }
    // Two hours are no night
    let input = json!({ "booking_number": inside, "check_out_date": day(9) });
    scripted.then(vec![ScriptStep::Calls(vec![("manage_bookings", input)])]);
    let thread = scripted
        .say(&beth(), "Can I leave two hours later tomorrow?")
        .await;
    assert!(proposals(&thread).is_empty(), "{:?}", lines(&thread));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_a_proposal_is_answered_from_its_own_terms() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let proposal = proposed(
        &scripted,
        &beth(),
        "I want to check out now",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    let asked = scripted.script.asked.lock().unwrap().len();
    let thread = scripted
        .say(&beth(), "how much will that be and what do I lose?")
        .await;
    let shown = lines(&thread).pop().unwrap();
    assert!(shown.contains("$250.00"), "{shown}");
    for fact in proposal
        .facts
        .iter()
        .filter(|fact| fact.starts_with("When: "))
    {
        assert!(shown.contains(fact.as_str()), "{shown}");
    }
    assert_eq!(states(&thread), [ProposalState::Proposed], "still open");
    assert_eq!(
        scripted.script.asked.lock().unwrap().len(),
        asked,
        "no model is asked"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_yes_is_no_click_and_a_typed_no_declines() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let proposal = proposed(
        &scripted,
        &beth(),
        "Check me out",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    let asked = scripted.script.asked.lock().unwrap().len();
    let thread = scripted.say(&beth(), "Yes, please!").await;
    let shown = lines(&thread).pop().unwrap();
    let button = format!("press “{}” above", proposal.yes);
    assert!(shown.contains(&button), "{shown}");
    assert_eq!(states(&thread), [ProposalState::Proposed], "still open");
    let models = || scripted.script.asked.lock().unwrap().len();
    assert_eq!(models(), asked, "no model is asked");
    // Of two questions the last one is answered
    let question = "I don't know. Shall I call a colleague?";
    scripted.then(vec![
        ScriptStep::Words(question),
        ScriptStep::Words("Fine."),
    ]);
    scripted.say(&beth(), "Is there a pool?").await;
    let thread = scripted.say(&beth(), "no").await;
    assert_eq!(models(), asked + 2, "the model is");
    assert_eq!(states(&thread), [ProposalState::Proposed], "still open");
    let thread = scripted.say(&beth(), "no thanks").await;
    let shown = lines(&thread).pop().unwrap();
    assert!(shown.contains("Declined. Nothing was done."), "{shown}");
    assert_eq!(states(&thread), [ProposalState::Declined]);
    assert_eq!(scripted.charges(), 0);
    assert_eq!(models(), asked + 2, "no model is asked");
    scripted.say(&beth(), "no").await;
    assert_eq!(models(), asked + 3, "nothing is open: it is asked again");
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_states_each_value_once() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let check_out = proposed(
        &scripted,
        &beth(),
        "Check me out",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    let towels = proposed(
        &scripted,
        &beth(),
        "May I have two more towels?",
        "submit_guest_service_request",
        json!({ "type": "Housekeeping", "description": "May I have two more towels?" }),
    )
    .await;
    assert_eq!(
        towels.question,
        "Send this request to Housekeeping? “May I have two more towels?”"
    );
    let booking = proposed(
        &scripted,
        &beth(),
        "Book me a standard room",
        "create_booking",
        json!({ "room_type": "Standard", "check_in_date": day(20), "check_out_date": day(22), "number_of_guests": 1 }),
    )
    .await;
    assert!(
        booking.facts.contains(&"Number of guests: 1".to_owned()),
        "{:?}",
        booking.facts
    );
    for fact in [check_out, towels, booking]
        .iter()
        .flat_map(|one| &one.facts)
    {
        for label in [
            "Amount:",
            "Booking number:",
            "Check in date:",
            "Check out date:",
            "Room number:",
            "Description:",
            "Type:",
            "Action:",
        ] {
            assert!(!fact.starts_with(label), "{fact}");
        }
    }
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_replaces_another_of_the_same_stay() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let number = booking_of(
        &scripted.hotel.state(),
        "Checked In",
        "beth.gibbs@email.com",
    )
    .to_owned();
    let longer = json!({ "booking_number": number, "check_out_date": day(9) });
    proposed(
        &scripted,
        &beth(),
        "I want to check out",
        "process_guest_checkout",
        json!({}),
    )
    .await;
    proposed(
        &scripted,
        &beth(),
        "Or one more week",
        "manage_bookings",
        longer.clone(),
    )
    .await;
    let thread = scripted
        .concierge
        .conversation(&beth(), None)
        .await
        .unwrap();
    assert_eq!(
        states(&thread),
        [ProposalState::Superseded, ProposalState::Proposed]
    );
    // Nor both from one answer
    scripted.then(vec![ScriptStep::Calls(vec![
        ("process_guest_checkout", json!({})),
        ("manage_bookings", longer),
    ])]);
    let thread = scripted.say(&beth(), "Check me out, and a week more").await;
    let open = states(&thread);
    let open = open
        .iter()
        .filter(|state| **state == ProposalState::Proposed);
    assert_eq!(open.count(), 1, "{:?}", lines(&thread));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_staff_propose_for_two_guests_stays_open() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let number = booking_of(
        &scripted.hotel.state(),
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
    scripted.then(vec![ScriptStep::Calls(calls)]);
    let words = "Check in Sarah, and move Nora to 305";
    let thread = scripted.say(&front_desk(), words).await;
    assert_eq!(
        states(&thread),
        [ProposalState::Proposed; 2],
        "{:?}",
        lines(&thread)
    );
    scripted.hotel.close().await;
}
