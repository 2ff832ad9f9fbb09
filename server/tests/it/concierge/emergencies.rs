//! Emergencies alert staff at once, whatever the limits, and stay open until a person has handled
//! them.

use dewy_concierge::Settings;
use dewy_domain::{
    concierge::{ConversationSummary, ProposalState, Responder},
    error_code::ErrorCode,
    hotel_profile::HotelProfile,
    ports::Concierge,
};
use serde_json::json;

use super::{
    emergency_cases::{case_of, record, until_closed},
    scripted_hotel::{ScriptStep, ScriptedHotel, beth, front_desk, lines, manager, sarah, states},
};

pub(super) fn settings() -> Settings {
    let hotel = HotelProfile {
        phone: Some("+1 212 555 0190".to_owned()),
        address: Some("1 Lake Road".to_owned()),
        emergency_number: Some("911".to_owned()),
        ..HotelProfile::default()
    };
    Settings {
        hotel,
        ..Settings::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn emergencies_alert_staff_and_get_first_advice() {
    let scripted = ScriptedHotel::with(vec![], settings()).await;
    let id = scripted
        .concierge
        .post_message(&beth(), None, "t1", "There's a fire in my room!")
        .await
        .unwrap();
    let thread = scripted
        .concierge
        .conversation(&beth(), Some(&id))
        .await
        .unwrap();
    let shown = lines(&thread);
    assert_eq!(shown[0], "said: There's a fire in my room!");
    assert_eq!(
        shown[1],
        "answered: Call 911 first. Our staff have been told.\nDewy Resort · 1 Lake Road · +1 212 555 0190"
    );
    assert_eq!(
        (thread.standing, thread.emergency),
        (Responder::Staff, true)
    );
    assert!(
        scripted.script.asked.lock().unwrap().is_empty(),
        "no model is asked"
    );
    let waiting = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    let words = |line: &ConversationSummary| line.emergency.clone().map(|report| report.text);
    assert_eq!(
        words(&waiting[0]).as_deref(),
        Some("There's a fire in my room!")
    );
    assert!(waiting[0].waiting_since.is_some());
    assert_eq!(waiting[0].title, "There's a fire in my room!");

    // An urgent case follows
    let case = case_of(&scripted, &id).await;
    assert_eq!(record(&scripted, &case)["Priority"], "Urgent");
    shown_first(&scripted, &id).await;

    // An answer does not end it
    scripted
        .concierge
        .post_message(&front_desk(), Some(&id), "d1", "We are on our way.")
        .await
        .unwrap();
    let waiting = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    assert!(waiting[0].waiting_since.is_none() && waiting[0].emergency.is_some());
    assert_eq!(
        scripted.concierge.hand_back(&beth(), &id).await,
        Err(ErrorCode::InvalidTransition)
    );
    // Somebody marks it handled, with its case
    assert!(
        scripted
            .concierge
            .mark_emergency_handled(&beth(), &id, 99)
            .await
            .is_err()
    );
    handle(&scripted, &id).await;
    assert!(
        scripted
            .concierge
            .waiting_for_staff(&front_desk())
            .await
            .unwrap()[0]
            .emergency
            .is_none()
    );
    until_closed(&scripted, &case).await;
    // The hotel's pages belong to another instance, which asks once a second
    let guest = scripted.hotel.browser().guest("beth.gibbs@email.com").await;
    let panel = "You have reported an emergency";
    guest.until_gone("/guest", panel).await;
    scripted.hotel.close().await;
}

/// The guest's pages say whom to call, in the guest's own words; staff see it on the wall, and once on
/// each page.
async fn shown_first(scripted: &ScriptedHotel, id: &str) {
    let guest = scripted.hotel.browser().guest("beth.gibbs@email.com").await;
    for path in ["/guest", "/guest/requests"] {
        let reported = "You have reported an emergency";
        let page = guest.until(path, reported).await;
        let panel = page.text.split(reported).nth(1).unwrap();
        let panel = panel.split("</div>").next().unwrap();
        assert!(panel.contains("href=\"tel:911\""), "{panel}");
        page.lacks(&["EMERGENCY in the chat"]);
    }
    let staff = scripted.hotel.browser().staff("manager@dewy.example").await;
    let wall = staff.open("/staff/wall").await;
    let cases = wall.text.split("Open cases").nth(1).unwrap();
    let first = cases.split("</li>").next().unwrap();
    assert!(first.contains("EMERGENCY"), "{cases}");
    shown_once_on_staff_pages(scripted, id).await;
}

/// To colleagues as to whoever reported it.
async fn shown_once_on_staff_pages(scripted: &ScriptedHotel, id: &str) {
    for email in ["manager@dewy.example", "frontdesk@dewy.example"] {
        let staff = scripted.hotel.browser().staff(email).await;
        for path in ["/staff", &format!("/staff/concierge/{id}")] {
            let page = staff.open(path).await;
            let shown = page.text.matches("Mark as handled").count();
            assert_eq!(shown, 1, "{email} {path}");
        }
    }
}

/// Marks it as handled, as a person who has read everything.
pub(super) async fn handle(scripted: &ScriptedHotel, id: &str) {
    let seen = scripted
        .concierge
        .conversation(&front_desk(), Some(id))
        .await
        .unwrap()
        .seq;
    assert_eq!(
        scripted
            .concierge
            .mark_emergency_handled(&front_desk(), id, seen)
            .await,
        Ok(true)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unread_message_keeps_an_emergency_open() {
    let scripted = ScriptedHotel::with(vec![], settings()).await;
    let say = async |token: &str, text: &str| {
        let id = scripted
            .concierge
            .post_message(&beth(), None, token, text)
            .await;
        id.unwrap()
    };
    let id = say("t1", "There's a fire in my room!").await;
    let drawn = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    let drawn = drawn[0].emergency.clone().unwrap();
    assert_eq!(drawn.latest, None);
    // Not a word of danger, and yet
    scripted
        .concierge
        .post_message(&beth(), Some(&id), "t2", "Please be quick")
        .await
        .unwrap();
    assert_eq!(
        scripted
            .concierge
            .mark_emergency_handled(&front_desk(), &id, drawn.seq)
            .await,
        Ok(false)
    );
    let now = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    assert!(
        now[0].waiting_since.is_some(),
        "still first of those who wait"
    );
    let now = now[0].emergency.clone().unwrap();
    assert_eq!(
        (now.text.as_str(), now.latest.as_deref()),
        ("There's a fire in my room!", Some("Please be quick"))
    );
    // Another danger does not hide the first one
    let other = "My husband is having a heart attack";
    scripted
        .concierge
        .post_message(&beth(), Some(&id), "t3", other)
        .await
        .unwrap();
    let now = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    let now = now[0].emergency.clone().unwrap();
    assert_eq!(
        now.text,
        "There's a fire in my room!” “My husband is having a heart attack"
    );
    assert_eq!(
        scripted
            .concierge
            .mark_emergency_handled(&front_desk(), &id, now.seq)
            .await,
        Ok(true)
    );
    assert_eq!(
        scripted
            .concierge
            .mark_emergency_handled(&front_desk(), &id, now.seq)
            .await,
        Err(ErrorCode::InvalidTransition),
        "once"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_limit_blocks_an_emergency() {
    let mut settings = settings();
    settings.budget.tokens_per_guest = 1;
    let over = || {
        ScriptStep::Calls(vec![(
            "hand_over_to_staff",
            json!({ "reason": "The guest asks for a person." }),
        )])
    };
    let scripted =
        ScriptedHotel::with(vec![ScriptStep::Words("Hi."), over(), over()], settings).await;
    scripted.say(&sarah(), "Hello").await;
    // The budget is spent
    assert_eq!(
        lines(&scripted.say(&sarah(), "And now?").await)
            .last()
            .unwrap(),
        "trouble"
    );
    scripted
        .concierge
        .set_enabled(&manager(), false)
        .await
        .unwrap();
    let open = scripted
        .concierge
        .conversation(&sarah(), None)
        .await
        .unwrap()
        .id;
    // Switched off, no budget, too long, and a form that was not whole
    let long =
        format!("{} my husband is not breathing", "please ".repeat(10)) + &" help".repeat(600);
    let id = scripted
        .concierge
        .post_message(&sarah(), Some(&open), "", &long)
        .await
        .unwrap();
    assert_eq!(id, open, "where they wrote it");
    let thread = scripted
        .concierge
        .conversation(&sarah(), Some(&id))
        .await
        .unwrap();
    assert_eq!(
        (thread.standing, thread.emergency),
        (Responder::Staff, true)
    );
    // A conversation that is gone or not theirs is no reason either
    let id = scripted
        .concierge
        .post_message(&beth(), Some("cnv_of_nobody"), "t", "I smell smoke in here")
        .await
        .unwrap();
    assert_eq!(
        scripted
            .concierge
            .conversation(&beth(), Some(&id))
            .await
            .unwrap()
            .standing,
        Responder::Staff
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emergency_joins_the_thread_with_staff() {
    let scripted = ScriptedHotel::with(
        vec![ScriptStep::Calls(vec![(
            "process_guest_checkout",
            json!({}),
        )])],
        settings(),
    )
    .await;
    let other = scripted
        .concierge
        .post_message(&beth(), None, "t1", "I want to check out")
        .await
        .unwrap();
    scripted.quiet(&beth(), &other).await;
    // Two conversations wait for people already, which is as many as one guest may have there
    for n in 0..2 {
        let id = scripted
            .concierge
            .post_message(&beth(), None, &format!("p{n}"), "Hello")
            .await
            .unwrap();
        scripted.quiet(&beth(), &id).await;
        scripted
            .concierge
            .hand_over(&beth(), &id, "The guest asked for a person.")
            .await
            .unwrap();
    }
    let with_staff = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap()
        .len();
    let id = scripted
        .concierge
        .post_message(&beth(), Some(&other), "t9", "my wife is unconscious")
        .await
        .unwrap();
    assert_ne!(id, other, "one thread of staff's, not a third");
    assert_eq!(
        scripted
            .concierge
            .post_message(&beth(), Some(&other), "t9", "my wife is unconscious")
            .await,
        Ok(id.clone())
    );
    let waiting = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    assert_eq!(
        (waiting.len(), waiting[0].id.as_str()),
        (with_staff, id.as_str()),
        "first of those who wait"
    );
    let said = lines(
        &scripted
            .concierge
            .conversation(&front_desk(), Some(&id))
            .await
            .unwrap(),
    );
    assert_eq!(
        said.iter()
            .filter(|line| line.contains("unconscious"))
            .count(),
        1,
        "the same form once: {said:?}"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emergency_ends_turns_and_proposals_until_staff_answer() {
    let check_out = ScriptStep::Calls(vec![("process_guest_checkout", json!({}))]);
    let scripted = ScriptedHotel::with(vec![check_out], settings()).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    scripted.then(vec![ScriptStep::Hangs("Let me see. ")]);
    let id = scripted
        .concierge
        .post_message(&beth(), Some(&thread.id), "t2", "What do I owe?")
        .await
        .unwrap();
    let same = scripted
        .concierge
        .post_message(&beth(), Some(&id), "t3", "Fuego en la cocina")
        .await
        .unwrap();
    assert_eq!(same, id, "the model is at work there, and is stopped");
    let thread = scripted
        .concierge
        .conversation(&beth(), Some(&id))
        .await
        .unwrap();
    assert_eq!(states(&thread), [ProposalState::Superseded]);
    assert!(
        lines(&thread)
            .iter()
            .any(|line| line.starts_with("answered: Llame primero")),
        "{:?}",
        lines(&thread)
    );
    assert_eq!(
        scripted.concierge.hand_back(&beth(), &id).await,
        Err(ErrorCode::InvalidTransition)
    );
    scripted
        .concierge
        .post_message(&front_desk(), Some(&id), "d1", "On our way.")
        .await
        .unwrap();
    handle(&scripted, &id).await;
    scripted.concierge.hand_back(&beth(), &id).await.unwrap();
    let thread = scripted
        .concierge
        .conversation(&beth(), Some(&id))
        .await
        .unwrap();
    assert_eq!(
        (thread.standing, thread.emergency),
        (Responder::Model, false),
        "a guest can always go back"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn emergencies_reported_by_staff_reach_the_front_desk() {
    let scripted =
        ScriptedHotel::with(vec![ScriptStep::Words("Two arrive today.")], settings()).await;
    let id = scripted
        .concierge
        .post_message(&manager(), None, "t1", "There is smoke in the kitchen")
        .await
        .unwrap();
    let thread = scripted.concierge.conversation(&manager(), Some(&id)).await;
    let told = &lines(&thread.unwrap())[1];
    assert!(
        told.contains("Call 911 first, then tell the manager."),
        "{told}"
    );
    assert!(
        told.contains("urgent case") && !told.contains("Our staff"),
        "{told}"
    );
    assert!(
        scripted.script.asked.lock().unwrap().is_empty(),
        "no model is asked"
    );
    let waiting = scripted
        .concierge
        .waiting_for_staff(&front_desk())
        .await
        .unwrap();
    let words = waiting[0].emergency.clone().map(|report| report.text);
    assert_eq!(words.as_deref(), Some("There is smoke in the kitchen"));
    let case = case_of(&scripted, &id).await;
    shown_once_on_staff_pages(&scripted, &id).await;
    assert_eq!(record(&scripted, &case)["Priority"], "Urgent");
    // The concierge goes on answering, and what is asked of it is not part of the alarm
    let shown = lines(&scripted.say(&manager(), "Who arrives today?").await);
    assert!(
        shown.contains(&"answered: Two arrive today.".to_owned()),
        "{shown:?}"
    );
    let waiting = scripted.concierge.waiting_for_staff(&front_desk()).await;
    let report = waiting.unwrap()[0].emergency.clone().unwrap();
    assert_eq!(report.latest, None);
    // A colleague reads it and answers; what they write is an answer, and no second alarm
    scripted
        .concierge
        .post_message(
            &front_desk(),
            Some(&id),
            "d1",
            "I have called the fire department.",
        )
        .await
        .unwrap();
    let waiting = scripted
        .concierge
        .waiting_for_staff(&manager())
        .await
        .unwrap();
    assert_eq!(waiting.len(), 1);
    assert!(waiting[0].waiting_since.is_none(), "seen to");
    let shown = lines(
        &scripted
            .concierge
            .conversation(&manager(), Some(&id))
            .await
            .unwrap(),
    );
    assert!(
        shown.iter().any(|line| line.contains("fire department")),
        "{shown:?}"
    );
    // Danger that was reported since the page was read keeps it open
    let seen = scripted
        .concierge
        .conversation(&front_desk(), Some(&id))
        .await
        .unwrap()
        .seq;
    scripted
        .concierge
        .post_message(
            &manager(),
            Some(&id),
            "t2",
            "There is a fire on the third floor now",
        )
        .await
        .unwrap();
    let handled = scripted
        .concierge
        .mark_emergency_handled(&front_desk(), &id, seen)
        .await;
    assert_eq!(handled, Ok(false));
    handle(&scripted, &id).await;
    until_closed(&scripted, &case).await;
    let waiting = scripted.concierge.waiting_for_staff(&front_desk()).await;
    assert!(waiting.unwrap().is_empty());
    let thread = scripted
        .concierge
        .conversation(&manager(), Some(&id))
        .await
        .unwrap();
    let told = format!("answered: The urgent case is {case}.");
    assert!(
        lines(&thread).contains(&told),
        "{told}: {:?}",
        lines(&thread)
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn possible_danger_alerts_staff_and_is_labeled() {
    let mut settings = settings();
    settings.budget.tokens_per_guest = 0;
    let scripted = ScriptedHotel::with(vec![], settings).await;
    let say = async |token: &str, text: &str| {
        let id = scripted
            .concierge
            .post_message(&beth(), None, token, text)
            .await;
        id.unwrap()
    };
    let reported = async || {
        let waiting = scripted.concierge.waiting_for_staff(&front_desk()).await;
        let report = waiting.unwrap()[0].emergency.clone().unwrap();
        (report.text, report.possible, report.latest)
    };
    let smell = "There's a weird chemical smell in our room";
    let id = say("t1", smell).await;
    let thread = scripted.concierge.conversation(&beth(), Some(&id)).await;
    let thread = thread.unwrap();
    assert_eq!(
        lines(&thread)[1],
        "answered: Our staff have been told and will contact you. If anyone may be in danger, call 911.\nDewy Resort · 1 Lake Road · +1 212 555 0190"
    );
    assert_eq!(
        (thread.standing, thread.emergency),
        (Responder::Staff, true)
    );
    assert!(
        scripted.script.asked.lock().unwrap().is_empty(),
        "no model is asked, and none has a say"
    );
    assert_eq!(reported().await, (smell.to_owned(), true, None));
    let case = record(&scripted, &case_of(&scripted, &id).await);
    assert_eq!(case["Priority"], "Urgent");
    let description = case["Description"].as_str().unwrap();
    assert!(
        description.contains("EMERGENCY (possible) in the chat: There's a weird"),
        "{description}"
    );
    // It gets worse: everything unanswered is quoted, and it is never made less of
    let fire = "Now there is a fire";
    say("t2", fire).await;
    let both = format!("{smell}” “{fire}");
    assert_eq!(reported().await, (both.clone(), false, None));
    let again = "someone keeps knocking";
    say("t3", again).await;
    let all = format!("{both}” “{again}");
    assert_eq!(reported().await, (all, false, None));
    scripted.hotel.close().await;
}
