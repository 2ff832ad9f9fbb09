//! Nothing that is noted on a booking is lost by what a guest writes later.

use dewy_domain::ports::Concierge;
use serde_json::{Value, json};

use super::scripted_hotel::{ScriptStep, ScriptedHotel, beth, front_desk, lines, proposals, sarah};

fn asks(booking: &str, text: &str) -> Vec<ScriptStep> {
    let input = json!({ "booking_number": booking, "special_requests": text });
    vec![ScriptStep::Calls(vec![("manage_bookings", input)])]
}

fn noted(scripted: &ScriptedHotel, booking: &str) -> Value {
    let state = scripted.hotel.state();
    let bookings = state["salesforce"]["Booking__c"].as_array().unwrap();
    let row = bookings.iter().find(|row| row["Name"] == booking).unwrap();
    row["Special_Requests__c"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allergy_stays_beside_a_later_wish() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let mut told = Vec::new();
    for (caller, said, text) in [
        (
            front_desk(),
            "note a peanut allergy on BK-0034",
            "PEANUT ALLERGY",
        ),
        (sarah(), "a room with a view, please", "A room with a view"),
    ] {
        scripted.then(asks("BK-0034", text));
        let thread = scripted.say(&caller, said).await;
        let card = proposals(&thread).pop().unwrap();
        told = card.facts.clone();
        told.push(card.question.clone());
        scripted.decide(&caller, &card, true, None).await.unwrap();
    }
    assert!(told.iter().any(|fact| fact.contains("PEANUT")), "{told:?}");
    let both = "PEANUT ALLERGY; A room with a view";
    assert!(
        noted(&scripted, "BK-0034")
            .as_str()
            .unwrap()
            .ends_with(both)
    );
    // In the house it is a request of now
    scripted.then(asks("BK-0042", "An ocean view"));
    let thread = scripted
        .say(&beth(), "Can I get a room with an ocean view?")
        .await;
    assert_eq!(proposals(&thread).len(), 0, "{:?}", lines(&thread));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_words_of_a_further_conversation_reach_the_desk() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let call = || vec![("hand_over_to_staff", json!({ "reason": "They complain." }))];
    let mut last = String::new();
    for (n, said) in [
        "The bed is broken",
        "So is the shower",
        "I want my money back",
    ]
    .into_iter()
    .enumerate()
    {
        scripted.then(vec![ScriptStep::Calls(call())]);
        let token = format!("new{n}");
        let posted = scripted
            .concierge
            .post_message(&beth(), None, &token, said)
            .await;
        last = posted.unwrap();
        scripted.quiet(&beth(), &last).await;
    }
    let own = scripted
        .concierge
        .conversation(&beth(), Some(&last))
        .await
        .unwrap();
    assert!(
        !lines(&own).iter().any(|line| line.contains("failed")),
        "{own:?}"
    );
    let waiting = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    let mut found = 0;
    for one in &waiting {
        let thread = scripted
            .concierge
            .conversation(&front_desk(), Some(&one.id))
            .await
            .unwrap();
        found += usize::from(lines(&thread).contains(&"said: I want my money back".to_owned()));
    }
    assert_eq!((waiting.len(), found), (2, 1));
    scripted.hotel.close().await;
}
