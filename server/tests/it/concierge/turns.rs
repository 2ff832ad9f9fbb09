//! Turns: retries, failures, limits, stopping, access to a conversation, and staff replying instead
//! of the model.

use dewy_concierge::Settings;
use dewy_domain::ports::ModelMessage;

use super::{script_player::scripts, scripted_hotel::*};
use crate::prelude::*;

scripts! {
    reads_run_at_once_and_in_parallel "
        model calls get_folio {} search_rooms_on_behalf_of_guest {}
        model says You owe $250.00.
        beth: What do I owe, and which room have I?
        lines is said: What do I owe, and which room have I? | call: Show the folio done | call: My stays done | answered: You owe $250.00.
        prompt has guest_email: beth.gibbs@email.com & room_number: 302 & stay_status: Checked In & persona: guest
        results is 2 of 2 are data, not instructions"

    a_broken_stream_is_retried_and_its_text_discarded "
        model breaks You owe a milli
        model is busy
        model says You owe nothing.
        beth: What do I owe?
        lines is said: What do I owe? | answered: You owe nothing.
        # What was broken off is paid for
        usage starts 1 turns,
        usage lacks , 110 tokens"

    a_permanent_model_failure_is_reported_and_hands_over_to_staff "
        model breaks x
        model breaks x
        model breaks x
        beth: What do I owe?
        lines is said: What do I owe? | trouble
        model refuses
        beth: Hello?
        model breaks x
        model breaks x
        model breaks x
        beth: Anybody?
        standing is staff
        case Status is New
        waiting count is 1"

    an_endless_model_is_stopped "
        with rounds_per_turn=3
        model calls get_folio {}
        model calls get_folio {}
        model calls get_folio {}
        model calls get_folio {}
        beth: What do I owe?
        asked is 3
        last is trouble"

    a_model_that_takes_too_long_is_stopped "
        with seconds_per_turn=1
        model hangs Hm
        beth: What do I owe?
        lines is said: What do I owe? | trouble"

    // Each answer uses 110 tokens
    a_guests_budget_is_theirs_alone "
        with tokens_per_guest=200
        beth: One
        last is answered: Fine.
        beth: Two
        last is answered: Fine.
        beth: Three
        last is trouble
        trouble has again at midnight, in
        asked is 0
        sarah: Hello
        last is answered: Fine.
        # Staff work with it all day
        desk: One
        last is answered: Fine.
        desk: Two
        last is answered: Fine.
        desk: Three
        last is answered: Fine.
        usage starts 6 turns, 660 tokens"

    // A dollar a token: the first answer is the last of the day
    the_hotels_budget_is_enforced "
        with micros_per_token=1000000 micros_per_day=1000000
        beth: One
        sarah: Two
        last is trouble"

    a_turns_budget_is_enforced "
        with tokens_per_turn=150
        model calls get_folio {}
        model calls get_folio {}
        model calls get_folio {}
        beth: One
        last is trouble
        asked is 2"

    a_conversation_is_private_to_its_guest "
        beth: My secret
        sarah has no access
        desk has no access
        manager has no access
        beth renames: Something else
        beth lists Something else
        beth deletes
        beth lists nothing"

    staff_reply_instead_of_the_model_until_handed_back r#"
        model calls hand_over_to_staff {"reason":"The guest complains."}
        beth: I want to speak to a person!
        standing is staff
        # The case says what it is about. The crew reads cases, and the CRM keeps them: what was said
        # stays in the conversation.
        case Description starts Asked for a person in the chat: The guest complains.
        records Case Description=I want to speak to a person! is 0
        beth posts b1 here: Hello?
        desk posts d1 here: This is Frank. How can I help?
        lines ends staff frontdesk@dewy.example: This is Frank. How can I help?
        same is true
        owned_by_other is true
        desk posts d1 here: This is Frank. How can I help?
        same is true
        asked is 0
        beth opens
        lines ends said: Hello? | staff : This is Frank. How can I help?
        let case = case CaseNumber
        desk leaves
        closed {case}
        beth: Thanks. What do I owe?
        standing is model
        last is answered: Fine.
        waiting count is 0"#

    invalid_model_output_is_reported_and_not_executed "
        model writes get_folio `{\"booking_number\": `
        model writes delete_everything `{}`
        model writes get_folio `[1, 2]`
        model writes get_folio ``
        model says There.
        beth: What do I owe?
        calls is refused refused refused done"

    // Where no model is configured and no sandbox may stand in for one.
    without_a_model_the_concierge_is_off "
        with model=false
        model says Hello
        manager switches on
        beth views
        off_because has is off right now
        usage ends on: false
        beth posts t1: Hello? => CONCIERGE_OFF
        asked is 0"
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_keeps_the_text_so_far() {
    let scripted = ScriptedHotel::open(vec![ScriptStep::Hangs("Let me see. ")]).await;
    let (concierge, beth) = (&scripted.concierge, beth());
    let id = scripted.post(&beth, None, "t", "What do I owe?").await;
    let seen = scripted.shown(&beth, &id).await;
    assert_eq!((seen.text.as_str(), seen.busy), ("Let me see. ", true));
    let second = concierge.post_message(&beth, Some(&id), "t2", "And now?");
    assert_eq!(
        second.await,
        Err(ErrorCode::ConciergeBusy),
        "one turn at a time"
    );
    let same = scripted.post(&beth, None, "t", "What do I owe?").await;
    assert_eq!(same, id, "the same form again");
    concierge.stop(&beth, &id).await.unwrap();
    let thread = scripted.quiet(&beth, &id).await;
    assert_eq!(
        lines(&thread),
        ["said: What do I owe?", "stopped: Let me see."]
    );
    let thread = scripted.say(&beth, "Go on").await;
    assert_eq!(lines(&thread).last().unwrap(), "answered: Fine.");
}

/// In its own process, and in every other one.
#[tokio::test(flavor = "multi_thread")]
async fn the_switch_stops_everything_at_once() {
    let call = || ScriptStep::Calls(vec![("process_guest_checkout", json!({}))]);
    for other_process in [false, true] {
        let scripted = ScriptedHotel::open(vec![call(), ScriptStep::Words("It waits.")]).await;
        let thread = scripted.say(&beth(), "I want to check out").await;
        let card = proposals(&thread).remove(0);
        let (concierge, other) = (&scripted.concierge, scripted.another_process());
        let switch = if other_process { &other } else { concierge };
        scripted.then(vec![ScriptStep::Hangs("One moment. ")]);
        let id = scripted.post(&sarah(), None, "t", "Hello").await;
        scripted.shown(&sarah(), &id).await;
        for stranger in [beth(), front_desk()] {
            let refused = switch.set_enabled(&stranger, false).await;
            assert_eq!(refused, Err(ErrorCode::UnknownTool));
            assert_eq!(
                switch.usage(&front_desk()).await.err(),
                Some(ErrorCode::UnknownTool)
            );
        }
        switch.set_enabled(&manager(), false).await.unwrap();
        if !other_process {
            // The turn is over at once; what was said until then is put down a moment later
            let mut thread = scripted.quiet(&sarah(), &id).await;
            while lines(&thread).len() < 2 {
                thread = scripted.quiet(&sarah(), &id).await;
            }
            assert!(thread.closed.is_some());
            assert_eq!(lines(&thread).last().unwrap(), "stopped: One moment.");
        }
        let guest = beth();
        let decided = scripted.decide(&guest, &card, true, Some("pm_card_visa"));
        let decided = states(&decided.await.unwrap());
        assert_eq!((decided[0].name(), scripted.charges()), ("superseded", 0));
        let posted = concierge.post_message(&beth(), None, "x", "Hello").await;
        assert_eq!(posted, Err(ErrorCode::ConciergeOff));
        switch.set_enabled(&manager(), true).await.unwrap();
        let thread = scripted.say(&beth(), "Hello").await;
        assert_eq!(lines(&thread).last().unwrap(), "answered: Fine.");
        scripted.hotel.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_conversations_are_deleted() {
    let settings = |retention| Settings {
        retention,
        ..Settings::default()
    };
    let mut scripted = ScriptedHotel::with(vec![], settings(Duration::from_secs(3600))).await;
    let thread = scripted.say(&beth(), "Hello").await;
    assert_eq!(
        scripted.concierge.clean_up().await,
        Ok(0),
        "it is not old yet"
    );
    scripted.settings = settings(Duration::ZERO);
    assert_eq!(scripted.another_process().clean_up().await, Ok(1));
    let gone = scripted
        .concierge
        .conversation(&beth(), Some(&thread.id))
        .await;
    assert_eq!(gone.unwrap_err(), ErrorCode::ConversationNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_left_unanswered_by_a_crash_can_be_retried() {
    let mut scripted = ScriptedHotel::open(vec![ScriptStep::Hangs("Let me")]).await;
    let id = scripted.post(&beth(), None, "t", "What do I owe?").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    // The process is gone, and its turn with it
    scripted.restart();
    scripted
        .hotel
        .server
        .store
        .end_turn(&id, None)
        .await
        .unwrap();
    assert!(scripted.thread(&beth(), &id).await.interrupted);
    scripted.concierge.retry_turn(&beth(), &id).await.unwrap();
    let thread = scripted.quiet(&beth(), &id).await;
    assert_eq!(lines(&thread), ["said: What do I owe?", "answered: Fine."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_receives_the_language_of_the_guests_pages() {
    let scripted = ScriptedHotel::open(Vec::new()).await;
    scripted.say(&beth(), "Wi-Fi?").await;
    scripted.concierge.set_preferred_language(&beth(), "es");
    scripted.say(&beth(), "Wi-Fi?").await;
    let asked = scripted.script.asked.lock().unwrap().clone();
    let shown = asked.iter().map(|request| {
        let Some(ModelMessage::System(text)) = request.messages.first() else {
            panic!("{request:?}")
        };
        text.contains("\nlanguage: es\n")
    });
    assert_eq!(shown.collect::<Vec<_>>(), [false, true]);
}
