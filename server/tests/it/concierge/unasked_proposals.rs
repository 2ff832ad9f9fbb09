//! Whatever the model wants: nothing that moves money or ends a stay is proposed unless the person's own
//! words wish for it, and no case is changed that they did not speak of. The model of these tests always
//! wants everything.

use dewy_domain::{caller::Caller, ports::Concierge};
use serde_json::{Value, json};

use super::scripted_hotel::{
    ScriptStep, ScriptedHotel, beth, front_desk, lines, manager, proposals, sarah,
};

const COMPLAINTS: &str = include_str!("../../../lab/dialogues/first_messages/complaints.txt");
const WISHES: &str = include_str!("../../../lab/dialogues/first_messages/wishes.txt");
/// Sarah's booking of today.
const BOOKING: &str = "BK-0034";

fn check_out() -> (&'static str, Value) {
    ("process_guest_checkout", json!({}))
}

fn cancel() -> (&'static str, Value) {
    (
        "manage_bookings",
        json!({ "booking_number": BOOKING, "action": "cancel" }),
    )
}

/// What the guest reads after the model wanted these calls: questions of proposals, and what may be
/// pressed instead.
async fn offered(
    scripted: &ScriptedHotel,
    caller: &Caller,
    said: &str,
    calls: Vec<(&'static str, Value)>,
) -> (usize, Vec<String>) {
    let before = proposals(&scripted.concierge.conversation(caller, None).await.unwrap()).len();
    scripted.then(vec![ScriptStep::Calls(calls), ScriptStep::Words("Hm.")]);
    let thread = scripted.say(caller, said).await;
    (proposals(&thread).len() - before, thread.suggestions)
}

#[tokio::test(flavor = "multi_thread")]
async fn complaints_questions_and_reports_get_no_proposal() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let today = jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date();
    let early = json!({ "booking_number": "BK-0042", "check_out_date": today.to_string() });
    let mut wrong = Vec::new();
    let complaints = COMPLAINTS.lines().filter_map(|line| line.split_once('\t'));
    // All of them are told apart in the concierge's own tests
    let complaints: Vec<_> = complaints.take(60).collect();
    assert!(complaints.len() >= 40);
    for (_, said) in complaints {
        let leave = vec![check_out(), ("manage_bookings", early.clone())];
        for (caller, calls) in [(beth(), leave), (sarah(), vec![cancel()])] {
            let (made, _) = offered(&scripted, &caller, said, calls).await;
            wrong.extend((made > 0).then(|| format!("{}: {said}", caller.email)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_gets_its_proposal() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let wishes: Vec<_> = WISHES
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .collect();
    assert!(wishes.len() >= 25);
    for wish in wishes {
        let [_, said, act] = wish.as_slice() else {
            panic!("{wish:?}")
        };
        let (caller, call) = match *act {
            "checkout" => (beth(), check_out()),
            _ => (sarah(), cancel()),
        };
        scripted.then(vec![
            ScriptStep::Calls(vec![call]),
            ScriptStep::Words("Please decide above."),
        ]);
        let thread = scripted.say(&caller, said).await;
        let card = proposals(&thread)
            .pop()
            .unwrap_or_else(|| panic!("{said}: {:?}", lines(&thread)));
        assert!(!card.nonce.is_empty(), "{said}: {:?}", lines(&thread));
        scripted.decide(&caller, &card, false, None).await.unwrap();
    }
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_in_own_words_or_a_yes_to_an_offer_after_one_gets_its_proposal() {
    let scripted = ScriptedHotel::open(vec![]).await;
    scripted.then(vec![ScriptStep::Words(
        "You are not here yet. Do you want to cancel the booking?",
    )]);
    let thread = scripted.say(&sarah(), "I'd like to check out").await;
    assert!(
        lines(&thread)
            .last()
            .unwrap()
            .ends_with("cancel the booking?")
    );
    let (made, _) = offered(&scripted, &sarah(), "yes please", vec![cancel()]).await;
    assert_eq!(made, 1);
    // A question leaves it open, and a complaint makes no second one
    for said in ["What does that mean?", "somebody canceled my booking"] {
        let (made, _) = offered(&scripted, &sarah(), said, vec![cancel()]).await;
        assert_eq!(made, 0, "{said}");
    }
    let open = proposals(
        &scripted
            .concierge
            .conversation(&sarah(), None)
            .await
            .unwrap(),
    );
    assert!(!open[0].nonce.is_empty(), "it waits still");
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_reports_get_no_money_proposal() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let calls = || {
        vec![
            (
                "process_guest_checkout",
                json!({ "guest_email": "beth.gibbs@email.com" }),
            ),
            (
                "post_charge",
                json!({ "room_number": "302", "amount": 1800, "description": "Minibar" }),
            ),
            (
                "manage_bookings",
                json!({ "booking_number": BOOKING, "action": "cancel" }),
            ),
        ]
    };
    for said in [
        "302 was charged twice",
        "did Beth Gibbs pay?",
        "don't check out 302",
        "302 says he was charged 18 dollars twice",
        "why was BK-0034 cancelled?",
        "check out failed for 302",
    ] {
        let (made, _) = offered(&scripted, &manager(), said, calls()).await;
        assert_eq!(made, 0, "{said}");
    }
    let said = "Beth Gibbs is checking out, and she says the toilet in her room is broken.";
    let repair = (
        "submit_maintenance_request",
        json!({ "room_number": "302", "description": "Toilet broken" }),
    );
    let (made, _) = offered(
        &scripted,
        &front_desk(),
        said,
        vec![calls().remove(0), repair],
    )
    .await;
    assert_eq!(made, 2);
    let (made, _) = offered(&scripted, &front_desk(), "cancel BK-0034", calls()).await;
    assert_eq!(made, 1);
    let thread = scripted
        .concierge
        .conversation(&front_desk(), None)
        .await
        .unwrap();
    let card = proposals(&thread).pop().unwrap();
    let named = "Guest: Sarah Johnson, room 205.";
    assert!(
        card.facts.iter().any(|fact| fact == named),
        "{:?}",
        card.facts
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_case_is_changed_only_if_it_is_meant_and_its_card_says_whose_it_is() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let state = scripted.hotel.state();
    let cases = state["salesforce"]["Case"].as_array().unwrap();
    let breakfast = cases
        .iter()
        .find(|case| case["Subject"] == "Late breakfast in 310")
        .unwrap();
    let number = breakfast["CaseNumber"].as_str().unwrap();
    let set = |status: &str| {
        vec![(
            "manage_cases",
            json!({ "case_number": number, "status": status }),
        )]
    };
    let (made, _) = offered(&scripted, &front_desk(), "ac in 310 fixed", set("Closed")).await;
    assert_eq!(made, 0);
    let asked = scripted
        .script
        .asked
        .lock()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert!(
        format!("{asked:?}").contains("Late breakfast in 310"),
        "the model can ask which one"
    );
    for said in [
        "the late breakfast in 310 was not delivered yet",
        "was the late breakfast in 310 delivered?",
    ] {
        let (made, _) = offered(&scripted, &front_desk(), said, set("Closed")).await;
        assert_eq!(made, 0, "{said}");
    }
    // It is in progress already
    let (made, _) = offered(
        &scripted,
        &front_desk(),
        "working on the breakfast for 310",
        set("In Progress"),
    )
    .await;
    assert_eq!(made, 0);
    let clean = json!({ "room_number": "201", "status": "Cleaning" });
    let (made, _) = offered(
        &scripted,
        &front_desk(),
        "201 is dirty",
        vec![("set_room_status", clean)],
    )
    .await;
    assert_eq!(made, 0);
    scripted.then(vec![ScriptStep::Calls(set("Closed"))]);
    let thread = scripted
        .say(&front_desk(), "the breakfast in 310 was brought")
        .await;
    let card = proposals(&thread).pop().unwrap();
    for part in [number, "Late breakfast", "room 310", "Olivia Martin"] {
        assert!(card.question.contains(part), "{}", card.question);
    }
    assert!(
        card.facts
            .iter()
            .any(|fact| fact == "Status: Closed, instead of In Progress."),
        "{:?}",
        card.facts
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_is_so_already_gets_no_proposal() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let guests = |number: i64| {
        let input = json!({ "booking_number": BOOKING, "number_of_guests": number });
        vec![("manage_bookings", input)]
    };
    let state = scripted.hotel.state();
    let bookings = state["salesforce"]["Booking__c"].as_array().unwrap();
    let booked = bookings.iter().find(|row| row["Name"] == BOOKING).unwrap();
    let now = booked["Number_of_Guests__c"].as_f64().unwrap().round();
    for (number, made) in [(now, 0), (3.0 - now, 1)] {
        let number = format!("{number}").parse().unwrap();
        let said = format!("we will be {number}");
        let found = offered(&scripted, &sarah(), &said, guests(number)).await;
        assert_eq!(found.0, made, "{said}");
    }
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_names_the_charge_the_room_and_the_guest() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let post = json!({ "room_number": "302", "amount": 1800, "description": "Minibar" });
    scripted.then(vec![ScriptStep::Calls(vec![("post_charge", post)])]);
    let thread = scripted
        .say(&front_desk(), "post 18 to 302 for the minibar")
        .await;
    let card = proposals(&thread).pop().unwrap();
    scripted
        .decide(&front_desk(), &card, true, None)
        .await
        .unwrap();
    scripted.quiet(&front_desk(), &thread.id).await;
    let state = scripted.hotel.state();
    let lines = state["salesforce"]["Payment_Transaction__c"]
        .as_array()
        .unwrap();
    let number = lines.last().unwrap()["Name"].as_str().unwrap();
    let void = json!({ "room_number": "302", "charge_number": number, "void": true });
    scripted.then(vec![ScriptStep::Calls(vec![("post_charge", void)])]);
    let said = format!("void charge {number} of 302");
    let thread = scripted.say(&front_desk(), &said).await;
    let card = proposals(&thread).pop().unwrap();
    for part in [number, "302", "Minibar", "$18.00"] {
        assert!(card.question.contains(part), "{}", card.question);
    }
    let named = |fact: &String| fact.starts_with("Guest: Beth Gibbs");
    assert!(card.facts.iter().any(named), "{:?}", card.facts);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_complains_reads_how_their_check_out_ended() {
    let scripted = ScriptedHotel::open(vec![]).await;
    scripted
        .hotel
        .fault("salesforce", "composite", "unable_to_lock_row", 0, 0)
        .await;
    scripted.then(vec![ScriptStep::Calls(vec![check_out()])]);
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).pop().unwrap();
    let choice = card.choices.first().map(|choice| choice.value.clone());
    scripted
        .decide(&beth(), &card, true, choice.as_deref())
        .await
        .unwrap();
    scripted.quiet(&beth(), &thread.id).await;
    let (made, _) = offered(
        &scripted,
        &beth(),
        "I got charged but checkout failed",
        vec![check_out()],
    )
    .await;
    assert_eq!(made, 0);
    let asked = scripted
        .script
        .asked
        .lock()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    let asked = format!("{asked:?}");
    for fact in ["refunded", "Your booking of room 302 is Checked In."] {
        assert!(asked.contains(fact), "{fact}: {asked}");
    }
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_does_not_become_the_line_of_a_bill() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let said = "charge 302 12.50 minibar";
    let post = |text: &str| json!({ "room_number": "302", "amount": 1250, "description": text });
    for (text, cards) in [
        ("Charge 302 12.50 minibar", 0),
        ("12.50 minibar", 0),
        ("Minibar", 1),
    ] {
        let (made, _) = offered(
            &scripted,
            &front_desk(),
            said,
            vec![("post_charge", post(text))],
        )
        .await;
        assert_eq!(made, cards, "{text}");
    }
    // An answer to what it is for is its text
    scripted.then(vec![ScriptStep::Words("What is the charge for?")]);
    scripted.say(&front_desk(), "charge 302 9 dollars").await;
    let input =
        json!({ "room_number": "302", "amount": 900, "description": "Two glasses of wine" });
    let said = "two glasses of wine";
    let (made, _) = offered(&scripted, &front_desk(), said, vec![("post_charge", input)]).await;
    assert_eq!(made, 1);
    scripted.hotel.close().await;
}
