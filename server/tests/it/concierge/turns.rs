//! Turns: retries, failures, limits, stopping, access to a conversation, and staff replying instead
//! of the model.

use std::time::Duration;

use dewy_concierge::Settings;
use dewy_domain::{
    concierge::{Budget, ConversationItem, LiveState, Responder},
    error_code::ErrorCode,
    ports::{Concierge, ModelMessage},
};
use serde_json::json;

use super::{
    emergency_cases::{case_of, until_closed},
    scripted_hotel::{
        ScriptStep, ScriptedHotel, beth, front_desk, lines, manager, proposals, sarah,
    },
};

fn settings(change: impl FnOnce(&mut Budget)) -> Settings {
    let mut settings = Settings::default();
    change(&mut settings.budget);
    settings
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_run_at_once_and_in_parallel() {
    let calls = vec![
        ("get_folio", json!({})),
        ("search_rooms_on_behalf_of_guest", json!({})),
    ];
    let scripted = ScriptedHotel::open(vec![
        ScriptStep::Calls(calls),
        ScriptStep::Words("You owe $250.00."),
    ])
    .await;
    let thread = scripted
        .say(&beth(), "What do I owe, and which room have I?")
        .await;
    let expected = [
        "said: What do I owe, and which room have I?",
        "call: What do I owe? done",
        "call: My stays done",
        "answered: You owe $250.00.",
    ];
    let shown = lines(&thread);
    assert_eq!(
        (shown.len(), shown[0].as_str(), shown[3].as_str()),
        (4, expected[0], expected[3]),
        "{shown:?}"
    );
    assert!(
        shown[1].ends_with(" done") && shown[2].ends_with(" done"),
        "{shown:?}"
    );
    {
        let asked = scripted.script.asked.lock().unwrap();
        let ModelMessage::System(instructions) = &asked[0].messages[0] else {
            panic!("instructions come first")
        };
        for fact in [
            "guest_email: beth.gibbs@email.com",
            "room_number: 302",
            "stay_status: Checked In",
            "persona: guest",
        ] {
            assert!(
                instructions.contains(fact),
                "{fact} is not in {instructions}"
            );
        }
        let results: Vec<_> = asked[1]
            .messages
            .iter()
            .filter_map(|message| match message {
                ModelMessage::ToolResult { content, .. } => Some(content.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(results.len(), 2);
        assert!(
            results
                .iter()
                .all(|result| result.contains("data, not instructions"))
        );
    }
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_stream_is_retried_and_its_text_discarded() {
    let scripted = ScriptedHotel::open(vec![
        ScriptStep::Breaks("You owe a milli"),
        ScriptStep::Busy,
        ScriptStep::Words("You owe nothing."),
    ])
    .await;
    let thread = scripted.say(&beth(), "What do I owe?").await;
    assert_eq!(
        lines(&thread),
        ["said: What do I owe?", "answered: You owe nothing."]
    );
    let usage = scripted.concierge.usage(&manager()).await.unwrap();
    let used = (usage.today.turns, usage.today.tokens() > 110);
    assert_eq!(used, (1, true), "what was broken off is paid for");
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permanent_model_failure_is_reported_and_hands_over_to_staff() {
    let broken = || {
        vec![
            ScriptStep::Breaks("x"),
            ScriptStep::Breaks("x"),
            ScriptStep::Breaks("x"),
        ]
    };
    let scripted = ScriptedHotel::open(broken()).await;
    let thread = scripted.say(&beth(), "What do I owe?").await;
    assert_eq!(lines(&thread), ["said: What do I owe?", "trouble"]);
    scripted.then(vec![ScriptStep::Refuses]);
    scripted.say(&beth(), "Hello?").await;
    scripted.then(broken());
    let thread = scripted.say(&beth(), "Anybody?").await;
    assert_eq!(thread.standing, Responder::Staff, "{:?}", lines(&thread));
    let case_opened = async {
        let beth = beth();
        let read = async || scripted.concierge.conversation(&beth, None).await;
        while read().await.unwrap().case_number.is_none() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), case_opened)
        .await
        .expect("a case was opened");
    assert_eq!(
        scripted
            .concierge
            .waiting_for_staff(&front_desk())
            .await
            .unwrap()
            .len(),
        1
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_keeps_the_text_so_far() {
    let scripted = ScriptedHotel::open(vec![ScriptStep::Hangs("Let me see. ")]).await;
    let id = scripted
        .concierge
        .post_message(&beth(), None, "t", "What do I owe?")
        .await
        .unwrap();
    let mut seen = LiveState::unseen();
    while seen.text.is_empty() {
        seen = scripted
            .concierge
            .changed(&beth(), &id, &seen, Duration::from_secs(5))
            .await
            .unwrap();
    }
    assert_eq!((seen.text.as_str(), seen.busy), ("Let me see. ", true));
    assert_eq!(
        scripted
            .concierge
            .post_message(&beth(), Some(&id), "t2", "And now?")
            .await,
        Err(ErrorCode::ConciergeBusy),
        "one turn at a time"
    );
    assert_eq!(
        scripted
            .concierge
            .post_message(&beth(), None, "t", "What do I owe?")
            .await,
        Ok(id.clone()),
        "the same form again"
    );
    scripted.concierge.stop(&beth(), &id).await.unwrap();
    let thread = scripted.quiet(&beth(), &id).await;
    assert_eq!(
        lines(&thread),
        ["said: What do I owe?", "stopped: Let me see."]
    );
    let thread = scripted.say(&beth(), "Go on").await;
    assert_eq!(lines(&thread).last().unwrap(), "answered: Fine.");
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_model_is_stopped() {
    let again = || ScriptStep::Calls(vec![("get_folio", json!({}))]);
    let scripted = ScriptedHotel::with(
        (0..20).map(|_| again()).collect(),
        settings(|b| b.rounds_per_turn = 3),
    )
    .await;
    let thread = scripted.say(&beth(), "What do I owe?").await;
    assert_eq!(scripted.script.asked.lock().unwrap().len(), 3);
    assert_eq!(lines(&thread).last().unwrap(), "trouble");
    scripted.hotel.close().await;

    let late = settings(|b| b.seconds_per_turn = 1);
    let scripted = ScriptedHotel::with(vec![ScriptStep::Hangs("Hm")], late).await;
    let thread = scripted.say(&beth(), "What do I owe?").await;
    assert_eq!(lines(&thread), ["said: What do I owe?", "trouble"]);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn turn_person_and_hotel_budgets_are_enforced() {
    // Each answer uses 110 tokens
    let scripted = ScriptedHotel::with(vec![], settings(|b| b.tokens_per_guest = 200)).await;
    for words in ["One", "Two"] {
        assert_eq!(
            lines(&scripted.say(&beth(), words).await).last().unwrap(),
            "answered: Fine."
        );
    }
    let thread = scripted.say(&beth(), "Three").await;
    assert_eq!(lines(&thread).last().unwrap(), "trouble");
    let Some(ConversationItem::Trouble { text, .. }) = thread.items.last() else {
        panic!("{thread:?}")
    };
    assert!(text.contains("again at midnight, in "), "{text}");
    assert_eq!(
        scripted.script.asked.lock().unwrap().len(),
        2,
        "the model was not asked any more"
    );
    assert_eq!(
        lines(&scripted.say(&sarah(), "Hello").await)
            .last()
            .unwrap(),
        "answered: Fine.",
        "others may go on"
    );
    // Staff work with it all day
    for words in ["One", "Two", "Three"] {
        let thread = scripted.say(&front_desk(), words).await;
        assert_eq!(lines(&thread).last().unwrap(), "answered: Fine.");
    }
    let usage = scripted.concierge.usage(&manager()).await.unwrap();
    assert_eq!((usage.today.turns, usage.today.tokens()), (6, 660));
    assert_eq!(
        scripted.concierge.usage(&front_desk()).await.unwrap_err(),
        ErrorCode::UnknownTool
    );
    scripted.hotel.close().await;

    // A dollar a token: the first answer is the last of the day
    let dear =
        settings(|b| (b.micros_per_million_in, b.micros_per_day) = (1_000_000_000_000, 1_000_000));
    let scripted = ScriptedHotel::with(vec![], dear).await;
    scripted.say(&beth(), "One").await;
    assert_eq!(
        lines(&scripted.say(&sarah(), "Two").await).last().unwrap(),
        "trouble",
        "the house's money is spent"
    );
    scripted.hotel.close().await;

    let calls = || ScriptStep::Calls(vec![("get_folio", json!({}))]);
    let scripted = ScriptedHotel::with(
        vec![calls(), calls(), calls()],
        settings(|b| b.tokens_per_turn = 150),
    )
    .await;
    assert_eq!(
        lines(&scripted.say(&beth(), "One").await).last().unwrap(),
        "trouble"
    );
    assert_eq!(scripted.script.asked.lock().unwrap().len(), 2);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_switch_stops_everything_at_once() {
    let scripted = ScriptedHotel::open(vec![ScriptStep::Calls(vec![(
        "process_guest_checkout",
        json!({}),
    )])])
    .await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    scripted.then(vec![ScriptStep::Hangs("One moment. ")]);
    let id = scripted
        .concierge
        .post_message(&sarah(), None, "t", "Hello")
        .await
        .unwrap();
    let mut seen = LiveState::unseen();
    while seen.text.is_empty() {
        seen = scripted
            .concierge
            .changed(&sarah(), &id, &seen, Duration::from_secs(5))
            .await
            .unwrap();
    }
    for stranger in [beth(), front_desk()] {
        assert_eq!(
            scripted.concierge.set_enabled(&stranger, false).await,
            Err(ErrorCode::UnknownTool)
        );
    }
    scripted
        .concierge
        .set_enabled(&manager(), false)
        .await
        .unwrap();
    // The turn is over at once; what was said until then is put down a moment later
    let mut thread = scripted.quiet(&sarah(), &id).await;
    while lines(&thread).len() < 2 {
        thread = scripted.quiet(&sarah(), &id).await;
    }
    assert!(thread.closed.is_some());
    assert_eq!(lines(&thread).last().unwrap(), "stopped: One moment.");
    let thread = scripted
        .decide(&beth(), &card, true, Some("pm_card_visa"))
        .await
        .unwrap();
    assert_eq!(
        (proposals(&thread)[0].state.name(), scripted.charges()),
        ("superseded", 0),
        "cards are over, too"
    );
    assert_eq!(
        scripted
            .concierge
            .post_message(&beth(), None, "x", "Hello")
            .await,
        Err(ErrorCode::ConciergeOff)
    );
    scripted
        .concierge
        .set_enabled(&manager(), true)
        .await
        .unwrap();
    assert_eq!(
        lines(&scripted.say(&beth(), "Hello").await).last().unwrap(),
        "answered: Fine."
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_switch_applies_to_every_process() {
    let calls = || ScriptStep::Calls(vec![("process_guest_checkout", json!({}))]);
    let scripted = ScriptedHotel::open(vec![calls(), ScriptStep::Words("It waits.")]).await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    let other = scripted.projections();
    other.set_enabled(&manager(), false).await.unwrap();
    let thread = scripted
        .decide(&beth(), &card, true, Some("pm_card_visa"))
        .await
        .unwrap();
    assert_eq!(
        (proposals(&thread)[0].state.name(), scripted.charges()),
        ("superseded", 0)
    );
    assert_eq!(
        scripted
            .concierge
            .post_message(&beth(), None, "x", "Hello")
            .await,
        Err(ErrorCode::ConciergeOff)
    );
    other.set_enabled(&manager(), true).await.unwrap();
    assert_eq!(
        lines(&scripted.say(&beth(), "Hello").await).last().unwrap(),
        "answered: Fine."
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_conversations_are_deleted() {
    let scripted = ScriptedHotel::with(
        vec![],
        Settings {
            retention: Duration::from_secs(3600),
            ..Settings::default()
        },
    )
    .await;
    let thread = scripted.say(&beth(), "Hello").await;
    assert_eq!(
        scripted.concierge.clean_up().await,
        Ok(0),
        "it is not old yet"
    );
    let strict = ScriptedHotel {
        settings: Settings {
            retention: Duration::ZERO,
            ..Settings::default()
        },
        ..scripted
    };
    assert_eq!(strict.projections().clean_up().await, Ok(1));
    let gone = strict
        .concierge
        .conversation(&beth(), Some(&thread.id))
        .await;
    assert_eq!(gone.unwrap_err(), ErrorCode::ConversationNotFound);
    strict.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_private_to_its_guest() {
    let scripted = ScriptedHotel::open(vec![]).await;
    let thread = scripted.say(&beth(), "My secret").await;
    for stranger in [sarah(), front_desk(), manager()] {
        let (concierge, id) = (&scripted.concierge, thread.id.as_str());
        let gone = ErrorCode::ConversationNotFound;
        assert_eq!(
            concierge
                .conversation(&stranger, Some(id))
                .await
                .unwrap_err(),
            gone
        );
        assert_eq!(
            concierge
                .post_message(&stranger, Some(id), "x", "Hello")
                .await,
            Err(gone)
        );
        assert_eq!(concierge.stop(&stranger, id).await, Err(gone));
        assert_eq!(concierge.retry_turn(&stranger, id).await, Err(gone));
        assert_eq!(concierge.rename(&stranger, id, "Mine").await, Err(gone));
        assert_eq!(concierge.delete(&stranger, id).await, Err(gone));
        assert_eq!(
            concierge.hand_over(&stranger, id, "because").await,
            Err(gone)
        );
        assert_eq!(concierge.hand_back(&stranger, id).await, Err(gone));
        assert!(
            concierge
                .changed(&stranger, id, &LiveState::default(), Duration::ZERO)
                .await
                .is_none()
        );
        assert!(concierge.conversations(&stranger).await.unwrap().is_empty());
    }
    scripted
        .concierge
        .rename(&beth(), &thread.id, "Something else")
        .await
        .unwrap();
    assert_eq!(
        scripted.concierge.conversations(&beth()).await.unwrap()[0].title,
        "Something else"
    );
    scripted
        .concierge
        .delete(&beth(), &thread.id)
        .await
        .unwrap();
    assert!(
        scripted
            .concierge
            .conversations(&beth())
            .await
            .unwrap()
            .is_empty()
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_reply_instead_of_the_model_until_handed_back() {
    let over = ScriptStep::Calls(vec![(
        "hand_over_to_staff",
        json!({ "reason": "The guest complains." }),
    )]);
    let scripted = ScriptedHotel::open(vec![over]).await;
    let thread = scripted.say(&beth(), "I want to speak to a person!").await;
    assert_eq!(thread.standing, Responder::Staff);
    let case = case_of(&scripted, &thread.id).await;
    let state = scripted.hotel.state();
    let cases = state["salesforce"]["Case"].as_array().unwrap();
    let opened = cases
        .iter()
        .find(|one| one["CaseNumber"] == json!(case))
        .unwrap();
    let words = opened["Description"].as_str().unwrap();
    // The case says what it is about. The crew reads cases, and the CRM keeps them: what was said
    // stays in the conversation.
    assert!(
        words.starts_with("Asked for a person in the chat: The guest complains."),
        "{words}"
    );
    assert!(
        !opened.to_string().contains("I want to speak to a person!"),
        "{opened}"
    );

    let asked = scripted.script.asked.lock().unwrap().len();
    scripted
        .concierge
        .post_message(&beth(), Some(&thread.id), "b1", "Hello?")
        .await
        .unwrap();
    scripted
        .concierge
        .post_message(
            &front_desk(),
            Some(&thread.id),
            "d1",
            "This is Frank. How can I help?",
        )
        .await
        .unwrap();
    assert_eq!(
        scripted
            .concierge
            .post_message(
                &front_desk(),
                Some(&thread.id),
                "d1",
                "This is Frank. How can I help?"
            )
            .await,
        Ok(thread.id.clone())
    );
    let mine = scripted
        .concierge
        .conversation(&beth(), Some(&thread.id))
        .await
        .unwrap();
    assert_eq!(
        lines(&mine)[lines(&mine).len() - 2..],
        ["said: Hello?", "staff : This is Frank. How can I help?"]
    );
    let theirs = scripted
        .concierge
        .conversation(&front_desk(), Some(&thread.id))
        .await
        .unwrap();
    assert!(
        theirs.owned_by_other
            && lines(&theirs).contains(
                &"staff frontdesk@dewy.example: This is Frank. How can I help?".to_owned()
            )
    );
    assert_eq!(
        scripted.script.asked.lock().unwrap().len(),
        asked,
        "the model is silent"
    );

    scripted
        .concierge
        .hand_back(&front_desk(), &thread.id)
        .await
        .unwrap();
    until_closed(&scripted, &case).await;
    let thread = scripted.say(&beth(), "Thanks. What do I owe?").await;
    assert_eq!(
        (thread.standing, lines(&thread).last().unwrap().as_str()),
        (Responder::Model, "answered: Fine.")
    );
    assert!(
        scripted
            .concierge
            .waiting_for_staff(&front_desk())
            .await
            .unwrap()
            .is_empty()
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_left_unanswered_by_a_crash_can_be_retried() {
    let mut scripted = ScriptedHotel::open(vec![ScriptStep::Hangs("Let me")]).await;
    let id = scripted
        .concierge
        .post_message(&beth(), None, "t", "What do I owe?")
        .await
        .unwrap();
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
    let thread = scripted
        .concierge
        .conversation(&beth(), Some(&id))
        .await
        .unwrap();
    assert!(thread.interrupted);
    scripted.concierge.retry_turn(&beth(), &id).await.unwrap();
    let thread = scripted.quiet(&beth(), &id).await;
    assert_eq!(lines(&thread), ["said: What do I owe?", "answered: Fine."]);
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_model_output_is_reported_and_not_executed() {
    let scripted = ScriptedHotel::open(vec![
        ScriptStep::Raw("get_folio", "{\"booking_number\": "),
        ScriptStep::Raw("delete_everything", "{}"),
        ScriptStep::Raw("get_folio", "[1, 2]"),
        ScriptStep::Raw("get_folio", ""),
        ScriptStep::Words("There."),
    ])
    .await;
    let thread = scripted.say(&beth(), "What do I owe?").await;
    let states: Vec<String> = lines(&thread)
        .iter()
        .filter(|line| line.starts_with("call"))
        .map(|line| line.rsplit(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(states, ["refused", "refused", "refused", "done"]);
    scripted.hotel.close().await;
}

/// Where no model is configured and no sandbox may stand in for one.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_the_concierge_is_off() {
    let scripted = ScriptedHotel::with(
        vec![ScriptStep::Words("Hello")],
        Settings {
            model: false,
            ..Settings::default()
        },
    )
    .await;
    scripted
        .concierge
        .set_enabled(&manager(), true)
        .await
        .unwrap();
    let thread = scripted
        .concierge
        .conversation(&beth(), None)
        .await
        .unwrap();
    assert!(
        thread
            .closed
            .is_some_and(|words| words.contains("is off right now"))
    );
    assert!(
        !scripted
            .concierge
            .usage(&manager())
            .await
            .unwrap()
            .switch
            .on
    );
    assert_eq!(
        scripted
            .concierge
            .post_message(&beth(), None, "t1", "Hello?")
            .await,
        Err(ErrorCode::ConciergeOff)
    );
    assert!(
        scripted.script.asked.lock().unwrap().is_empty(),
        "nothing is asked"
    );
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_receives_the_language_of_the_guests_pages() {
    let scripted = ScriptedHotel::open(Vec::new()).await;
    scripted.say(&beth(), "Wi-Fi?").await;
    scripted.concierge.set_preferred_language(&beth(), "es");
    scripted.say(&beth(), "Wi-Fi?").await;
    let prompts: Vec<String> = scripted
        .script
        .asked
        .lock()
        .unwrap()
        .iter()
        .filter_map(|request| match request.messages.first() {
            Some(ModelMessage::System(text)) => Some(text.clone()),
            _ => None,
        })
        .collect();
    let shown: Vec<bool> = prompts
        .iter()
        .map(|prompt| prompt.contains("\nlanguage: es\n"))
        .collect();
    assert_eq!(shown, [false, true], "{prompts:?}");
}
