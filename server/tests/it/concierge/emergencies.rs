//! Emergencies alert staff at once, whatever the limits, and stay open until a person has handled
//! them; the case that each of them owes is opened and closed whatever happens meanwhile.

use dewy_domain::concierge::{Entry, Responder};
use dewy_saga::journal::ExecutionFilter;
use dewy_store::HandleResult;

use super::{script_player::scripts, scripted_hotel::*};
use crate::prelude::*;

pub(super) const FIRE: &str = "There's a fire in my room!";

scripts! {
    emergencies_alert_staff_and_get_first_advice r#"
        with hotel=dewy
        beth posts t1: There's a fire in my room!
        lines starts said: There's a fire in my room! | answered: Call 911 first. Our staff have been told.\nDewy Resort · 1 Lake Road · +1 212 555 0190
        standing is staff
        emergency is true
        # No model is asked
        asked is 0
        waiting text is There's a fire in my room!
        waiting title is There's a fire in my room!
        waiting unanswered is true
        case Priority is Urgent
        # The guest's pages say whom to call, in the guest's own words; staff see it on the wall, and
        # once on each page
        panel /guest has href="tel:911"
        panel /guest/requests has href="tel:911"
        staff handle it once
        wall has EMERGENCY
        # An answer does not end it
        desk posts d1 here: We are on our way.
        waiting unanswered is false
        waiting emergency is true
        beth leaves => INVALID_TRANSITION
        # Somebody marks it handled, with its case
        let case = case CaseNumber
        beth handles => CONVERSATION_NOT_FOUND
        desk reads
        desk handles
        waiting emergency is false
        closed {case}
        # The hotel's pages belong to another instance, which asks once a second
        panel /guest goes"#

    an_unread_message_keeps_an_emergency_open "
        with hotel=dewy
        beth posts t1: There's a fire in my room!
        waiting latest is none
        desk reads
        # Not a word of danger, and yet
        beth posts t2 here: Please be quick
        desk handles too early
        # Still first of those who wait
        waiting unanswered is true
        waiting text is There's a fire in my room!
        waiting latest is Please be quick
        # Another danger does not hide the first one
        beth posts t3 here: My husband is having a heart attack
        waiting text is There's a fire in my room!” “My husband is having a heart attack
        desk reads
        desk handles
        desk handles => INVALID_TRANSITION"

    an_emergency_ends_turns_and_proposals_until_staff_answer "
        with hotel=dewy
        beth asks to check out
        model hangs Let me see.
        beth posts t2 here: What do I owe?
        beth posts t3 here: Fuego en la cocina
        # The model is at work there, and is stopped
        same is true
        states is superseded
        lines has | answered: Llame primero
        beth leaves => INVALID_TRANSITION
        desk posts d1 here: On our way.
        desk reads
        desk handles
        # A guest can always go back
        beth leaves
        beth opens
        standing is model
        emergency is false"

    emergencies_reported_by_staff_reach_the_front_desk "
        with hotel=dewy
        model says Two arrive today.
        manager posts t1: There is smoke in the kitchen
        lines has | answered: Call 911 first, then tell the manager. & urgent case
        lines lacks Our staff
        asked is 0
        waiting text is There is smoke in the kitchen
        case Priority is Urgent
        let case = case CaseNumber
        staff handle it once
        # The concierge goes on answering, and what is asked of it is not part of the alarm
        manager: Who arrives today?
        lines has answered: Two arrive today.
        waiting latest is none
        # A colleague reads it and answers; what they write is an answer, and no second alarm
        desk posts d1 here: I have called the fire department.
        waiting count is 1
        waiting unanswered is false
        manager opens
        lines has fire department
        # Danger that was reported since the page was read keeps it open
        desk reads
        manager posts t2 here: There is a fire on the third floor now
        desk handles too early
        desk reads
        desk handles
        closed {case}
        waiting count is 0
        manager opens
        lines has | answered: The urgent case is {case}."

    possible_danger_alerts_staff_and_is_labeled r#"
        with hotel=dewy tokens_per_guest=0
        beth posts t1: There's a weird chemical smell in our room
        lines has | answered: Our staff have been told and will contact you. If anyone may be in danger, call 911.\nDewy Resort · 1 Lake Road · +1 212 555 0190
        standing is staff
        emergency is true
        # No model is asked, and none has a say
        asked is 0
        waiting text is There's a weird chemical smell in our room
        waiting possible is true
        waiting latest is none
        case Priority is Urgent
        case Description has EMERGENCY (possible) in the chat: There's a weird
        # It gets worse: everything unanswered is quoted, and it is never made less of
        beth posts t2: Now there is a fire
        waiting text is There's a weird chemical smell in our room” “Now there is a fire
        waiting possible is false
        beth posts t3: someone keeps knocking
        waiting text is There's a weird chemical smell in our room” “Now there is a fire” “someone keeps knocking
        waiting possible is false
        waiting latest is none"#

    an_emergency_of_a_guest_with_two_rooms_names_both r#"
        with hotel=dewy
        wei posts t1: There's a fire in my room!
        case Description is EMERGENCY in the chat: There's a fire in my room!\nRooms: 102, 103
        page /staff has Wei Chen, rooms 102 and 103"#
}

#[tokio::test(flavor = "multi_thread")]
async fn no_limit_blocks_an_emergency() {
    let mut settings = emergency_settings();
    settings.budget.tokens_per_guest = 1;
    let scripted = ScriptedHotel::with(vec![ScriptStep::Words("Hi.")], settings).await;
    let (beth, sarah) = (beth(), sarah());
    scripted.say(&sarah, "Hello").await;
    // The budget is spent
    let thread = scripted.say(&sarah, "And now?").await;
    assert_eq!(lines(&thread).last().unwrap(), "trouble");
    scripted
        .concierge
        .set_enabled(&manager(), false)
        .await
        .unwrap();
    // Switched off, no budget, too long, and a form that was not whole
    let long =
        format!("{} my husband is not breathing", "please ".repeat(10)) + &" help".repeat(600);
    let id = scripted.post(&sarah, Some(&thread.id), "", &long).await;
    assert_eq!(id, thread.id, "where they wrote it");
    let thread = scripted.thread(&sarah, &id).await;
    assert_eq!(
        (thread.standing, thread.emergency),
        (Responder::Staff, true)
    );
    // A conversation that is gone or not theirs is no reason either
    let id = scripted
        .post(&beth, Some("cnv_of_nobody"), "t", "I smell smoke in here")
        .await;
    assert_eq!(scripted.thread(&beth, &id).await.standing, Responder::Staff);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emergency_joins_the_thread_with_staff() {
    let call = ScriptStep::Calls(vec![("process_guest_checkout", json!({}))]);
    let scripted = ScriptedHotel::with(vec![call], emergency_settings()).await;
    let (concierge, beth) = (&scripted.concierge, beth());
    let other = scripted
        .post(&beth, None, "t1", "I want to check out")
        .await;
    scripted.quiet(&beth, &other).await;
    // Two conversations wait for people already, which is as many as one guest may have there
    for n in 0..2 {
        let id = scripted.post(&beth, None, &format!("p{n}"), "Hello").await;
        scripted.quiet(&beth, &id).await;
        let reason = "The guest asked for a person.";
        concierge.hand_over(&beth, &id, reason).await.unwrap();
    }
    let with_staff = scripted.waiting().await.len();
    let id = scripted
        .post(&beth, Some(&other), "t9", "my wife is unconscious")
        .await;
    assert_ne!(id, other, "one thread of staff's, not a third");
    let again = scripted
        .post(&beth, Some(&other), "t9", "my wife is unconscious")
        .await;
    assert_eq!(again, id);
    let waiting = scripted.waiting().await;
    assert_eq!(
        (waiting.len(), &waiting[0].id),
        (with_staff, &id),
        "first of those who wait"
    );
    let said = lines(&scripted.thread(&front_desk(), &id).await);
    let heard = said.iter().filter(|line| line.contains("unconscious"));
    assert_eq!(heard.count(), 1, "the same form once: {said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emergency_case_is_closed_despite_concurrent_events() {
    let scripted = ScriptedHotel::with(vec![], emergency_settings()).await;
    let (concierge, beth) = (&scripted.concierge, beth());
    let id = scripted.post(&beth, None, "t1", "Hello").await;
    scripted.quiet(&beth, &id).await;
    let reason = "The guest asked for a person.";
    concierge.hand_over(&beth, &id, reason).await.unwrap();
    let asked = case_of(&scripted, &id).await;
    // The process dies right after both: whoever tidies up opens the case, and closes it
    let fire = Entry::Said {
        danger: None,
        text: FIRE.to_owned(),
    };
    let answer = Entry::answered("Call 911 first.");
    let (store, now) = (&scripted.hotel.server.store, jiff::Timestamp::now());
    let raised = store.raise_emergency(&id, now, "Fire", "t2", &fire, &answer);
    assert_eq!(raised.await, Ok(true));
    let ended = store.end_emergency(&id, 99, &front_desk().key()).await;
    assert_eq!(ended, Ok(HandleResult::Handled));
    // And Salesforce is away for a while
    scripted
        .hotel
        .fault("salesforce", "composite", "request_limit", 1, 0)
        .await;
    let mut case = asked.clone();
    for _ in 0..100 {
        concierge.clean_up().await.unwrap();
        case = case_of(&scripted, &id).await;
        if case != asked {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_ne!(case, asked, "a case of its own");
    concierge.clean_up().await.unwrap();
    until_closed(&scripted, &case).await;
    let other = scripted.hotel.record("Case", "CaseNumber", &asked);
    assert_eq!(other["Status"], "New", "another matter");
    concierge.hand_back(&front_desk(), &id).await.unwrap();
    until_closed(&scripted, &asked).await;
}

/// Salesforce fails for longer than an execution tries: the case is opened once it answers again.
#[tokio::test(flavor = "multi_thread")]
async fn a_case_that_could_not_be_opened_is_opened_later() {
    let hotel = TestHotel::with(&[("FORWARD_BUDGET_SECONDS", "1")]).await;
    let scripted = ScriptedHotel::inside(hotel, vec![], emergency_settings());
    let hotel = &scripted.hotel;
    let guest = hotel.browser().guest("beth.gibbs@email.com").await;
    hotel
        .fault("salesforce", "*", "reset_before_effect", 0, 0)
        .await;
    let id = scripted.post(&beth(), None, "t1", FIRE).await;
    let filter = ExecutionFilter {
        limit: 9,
        ..ExecutionFilter::default()
    };
    loop {
        let executions = hotel.server.store.list(&filter).await.unwrap();
        if executions.iter().any(|one| one.state.has_ended()) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The guest is told whom to call all the same, where no stay can be shown either
    for path in ["/guest", "/guest/requests", "/guest/account"] {
        let page = guest.until(path, "You have reported an emergency").await;
        page.has(&["Open the chat"]);
    }
    hotel.heal().await;
    let mut case = None;
    for _ in 0..100 {
        scripted.concierge.clean_up().await.unwrap();
        case = scripted.thread(&beth(), &id).await.case_number;
        if case.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let case = hotel.record("Case", "CaseNumber", &case.unwrap());
    assert_eq!(case["Status"], "New");
}

/// The conversation has got another case since: that one is left alone.
#[tokio::test(flavor = "multi_thread")]
async fn an_emergency_closes_its_own_case() {
    let scripted = ScriptedHotel::with(vec![], emergency_settings()).await;
    let (store, desk) = (&scripted.hotel.server.store, front_desk());
    let id = scripted.post(&beth(), None, "t1", FIRE).await;
    let first = case_of(&scripted, &id).await;
    let seen = scripted.thread(&desk, &id).await.seq;
    let handled = scripted.concierge.mark_emergency_handled(&desk, &id, seen);
    assert_eq!(handled.await, Ok(true));
    until_closed(&scripted, &first).await;
    assert_eq!(scripted.post(&beth(), None, "t2", FIRE).await, id);
    let mut second = first.clone();
    while second == first {
        tokio::time::sleep(Duration::from_millis(50)).await;
        second = case_of(&scripted, &id).await;
    }
    let ended = store.end_emergency(&id, 99, &desk.key()).await;
    assert_eq!(ended, Ok(HandleResult::Handled));
    store.set_conversation_case(&id, &first).await.unwrap();
    scripted.concierge.clean_up().await.unwrap();
    until_closed(&scripted, &second).await;
}
