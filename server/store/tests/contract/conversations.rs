use dewy_domain::{
    concierge::{
        Conversation, Entry, Proposal, ProposalEvent, ProposalState, Responder, UsageTotals,
    },
    sentence::Sentence,
};
use dewy_store::{HandleResult, Question, StartTurnResult};

use super::prelude::*;

every_sql_store!(
    concurrent_entries_keep_their_order,
    a_repeated_token_adds_one_entry,
    one_turn_at_a_time,
    a_question_is_stored_atomically,
    one_of_twenty_concurrent_questions_is_stored,
    a_person_is_erased_with_all_data,
    a_proposal_is_confirmed_once_by_its_owner_in_time,
    proposals_change_only_as_documented,
    a_conversation_is_deleted_with_its_content,
    model_usage_is_summed,
    a_guest_waits_since_the_first_unanswered_message,
    an_emergency_is_handed_over_once,
);

const BETH: &str = "guest:beth.gibbs@email.com";

pub fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub fn message(text: &str) -> Entry {
    Entry::Said {
        danger: None,
        text: text.to_owned(),
    }
}

pub async fn begun(s: &Subject, id: &str) -> Store {
    let store = s.store.clone().unwrap();
    let new = Conversation {
        id: id.to_owned(),
        owner: BETH.to_owned(),
        title: "Check-out".to_owned(),
        responder: Responder::Model,
        case_number: None,
        created_at: at(1),
        changed_at: at(1),
        turn: None,
        waiting_since: None,
        emergency: false,
    };
    store.begin_conversation(&new).await.unwrap();
    store
}

fn proposal(id: &str) -> Proposal {
    Proposal {
        id: id.to_owned(),
        conversation: "c1".to_owned(),
        owner: BETH.to_owned(),
        call_id: "call_0".to_owned(),
        tool: "process_guest_checkout".to_owned(),
        input: json!({ "amount": 25000 }),
        question: Sentence::named("ask", "Charge it?"),
        yes: "Charge".into(),
        facts: vec!["One".into()],
        choices: Vec::new(),
        takes_new_card: true,
        chooses: Some("payment_method_id".to_owned()),
        nonce: "n1".to_owned(),
        state: ProposalState::Proposed,
        created_at: at(1),
        expires_at: at(100),
        execution_id: None,
        chosen: None,
    }
}

async fn add(
    store: &Store,
    id: &str,
    second: i64,
    token: Option<&str>,
    text: &str,
) -> Result<bool, StoreError> {
    store.add_entry(id, at(second), token, &message(text)).await
}

pub async fn conversation(store: &Store, id: &str) -> Conversation {
    store.conversation(id).await.unwrap().unwrap()
}

async fn card(store: &Store, id: &str) -> Proposal {
    store.proposal(id).await.unwrap().unwrap()
}

async fn concurrent_entries_keep_their_order(s: Subject) {
    let store = begun(&s, "c1").await;
    let writers = (0..8).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            for k in 0..5 {
                assert!(
                    add(&store, "c1", n * 10 + k, None, &format!("{n}.{k}"))
                        .await
                        .unwrap()
                );
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let entries = store.entries("c1").await.unwrap();
    assert_eq!(
        entries.iter().map(|e| e.seq).collect::<Vec<_>>(),
        (1..=40).collect::<Vec<_>>()
    );
    assert_eq!(store.last_entry("c1").await, Ok(40));
    assert_eq!(store.last_entry("c2").await, Ok(0));
}

async fn a_repeated_token_adds_one_entry(s: Subject) {
    let store = begun(&s, "c1").await;
    begun(&s, "c2").await;
    assert_eq!(add(&store, "c1", 2, Some("t"), "one").await, Ok(true));
    assert_eq!(add(&store, "c1", 3, Some("t"), "two").await, Ok(false));
    assert_eq!(
        add(&store, "c2", 3, Some("t"), "three").await,
        Ok(true),
        "another conversation"
    );
    assert_eq!(add(&store, "gone", 3, Some("t"), "four").await, Ok(false));
    let entries = store.entries("c1").await.unwrap();
    assert_eq!(
        entries
            .iter()
            .map(|e| (e.seq, e.at, e.entry.clone()))
            .collect::<Vec<_>>(),
        [(1, at(2), message("one"))]
    );
    assert_eq!(conversation(&store, "c1").await.changed_at, at(2));
    let mine: Vec<String> = store
        .conversations_of(BETH)
        .await
        .unwrap()
        .into_iter()
        .map(|c| c.id)
        .collect();
    assert_eq!(mine, ["c2", "c1"], "the latest first");
    assert_eq!(
        store.conversations_of("guest:other@example.com").await,
        Ok(Vec::new())
    );
}

async fn one_turn_at_a_time(s: Subject) {
    let store = begun(&s, "c1").await;
    let take = async |turn: &str, now: i64| {
        store
            .take_turn("c1", turn, at(now), Duration::from_secs(10))
            .await
            .unwrap()
    };
    assert!(take("a", 10).await);
    assert!(!take("b", 15).await);
    assert!(take("a", 15).await, "its own is made longer");
    assert!(!take("b", 24).await);
    assert!(take("b", 25).await, "it has lapsed");
    let renew = async |turn: &str| {
        store
            .renew_turn("c1", turn, at(25), Duration::from_secs(10))
            .await
            .unwrap()
    };
    assert!(renew("b").await && !renew("a").await);
    assert_eq!(
        (
            store.has_turn("c1", "a").await,
            store.has_turn("c1", "b").await
        ),
        (Ok(false), Ok(true))
    );
    assert_eq!(
        store.end_turn("c1", Some("a")).await,
        Ok(false),
        "not its own any more"
    );
    assert_eq!(store.end_turn("c1", None).await, Ok(true));
    assert_eq!(store.end_turn("c1", None).await, Ok(false));
    assert!(!renew("b").await, "what was stopped stays stopped");
    assert!(take("c", 26).await);
    let hand = async |from, to, case| {
        let handed = store
            .hand_over_conversation("c1", from, to, at(3))
            .await
            .unwrap();
        if let (true, Some(case)) = (handed, case) {
            store.set_conversation_case("c1", case).await.unwrap();
        }
        handed
    };
    assert!(hand(Responder::Model, Responder::Staff, Some("00001007")).await);
    assert!(
        !hand(Responder::Model, Responder::Staff, None).await,
        "once"
    );
    assert_eq!(
        store.has_turn("c1", "c").await,
        Ok(false),
        "the model is silent at once"
    );
    assert!(!take("d", 100).await);
    let waiting = store.conversations_with_staff().await.unwrap();
    assert_eq!(
        waiting
            .iter()
            .map(|c| c.case_number.as_deref())
            .collect::<Vec<_>>(),
        [Some("00001007")]
    );
    assert!(hand(Responder::Staff, Responder::Model, None).await);
    assert_eq!(
        conversation(&store, "c1").await.case_number.as_deref(),
        Some("00001007")
    );
    assert!(take("d", 100).await);
    assert_eq!(store.end_all_turns().await, Ok(1));
}

async fn a_proposal_is_confirmed_once_by_its_owner_in_time(s: Subject) {
    let store = begun(&s, "c1").await;
    for id in ["k1", "k2", "k3"] {
        store.add_proposal(&proposal(id)).await.unwrap();
    }
    assert_eq!(card(&store, "k1").await, proposal("k1"));
    let yes = async |id: &str, owner: &str, nonce: &str, now: i64| {
        store
            .confirm_proposal(id, owner, nonce, Some("pm_card_visa"), at(now))
            .await
            .unwrap()
    };
    assert!(
        !yes("k1", "guest:other@example.com", "n1", 5).await,
        "somebody else"
    );
    assert!(!yes("k1", BETH, "n2", 5).await, "another page");
    assert!(!yes("k1", BETH, "", 5).await);
    assert!(!yes("k1", BETH, "n1", 100).await, "too late");
    let clicks = (0..8).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            store
                .confirm_proposal("k1", BETH, "n1", Some("pm_card_visa"), at(5))
                .await
                .unwrap()
        })
    });
    let mut first = 0;
    for click in clicks.collect::<Vec<_>>() {
        first += u32::from(click.await.unwrap());
    }
    assert_eq!(first, 1);
    let k1 = card(&store, "k1").await;
    assert_eq!(
        (k1.state, k1.chosen.as_deref(), k1.nonce.as_str()),
        (ProposalState::Confirmed, Some("pm_card_visa"), "")
    );
    assert_eq!(
        store.supersede_proposals("c1").await,
        Ok(2),
        "the confirmed one stays"
    );
    assert!(!yes("k2", BETH, "n1", 5).await);
    assert_eq!(store.supersede_all_proposals().await, Ok(0));
    let under_way: Vec<String> = store
        .running_proposals()
        .await
        .unwrap()
        .into_iter()
        .map(|card| card.id)
        .collect();
    assert_eq!(under_way, ["k1"]);
}

async fn proposals_change_only_as_documented(s: Subject) {
    use ProposalEvent as E;
    let store = begun(&s, "c1").await;
    store.add_proposal(&proposal("k1")).await.unwrap();
    let begin = store
        .transition_proposal("k1", E::Begin, Some("exe_1"))
        .await;
    assert_eq!(begin, Ok(false));
    let yes = store.confirm_proposal("k1", BETH, "n1", None, at(5)).await;
    assert_eq!(yes, Ok(true));
    for (event, execution, changes) in [
        // A yes is a yes
        (E::Decline, None, false),
        (E::Begin, Some("exe_1"), true),
        (E::GetStuck, None, true),
        (E::Undo, None, true),
        (E::Complete, None, false),
    ] {
        let changed = store.transition_proposal("k1", event, execution).await;
        assert_eq!(changed, Ok(changes), "{event:?}");
    }
    let k1 = card(&store, "k1").await;
    assert_eq!(
        (k1.state, k1.execution_id.as_deref()),
        (ProposalState::Compensated, Some("exe_1"))
    );
    store.add_proposal(&proposal("k2")).await.unwrap();
    let no = store.transition_proposal("k2", E::Decline, None).await;
    assert_eq!(no, Ok(true));
    let late = store.confirm_proposal("k2", BETH, "n1", None, at(5)).await;
    assert_eq!(late, Ok(false), "a decline is final");
}

async fn a_conversation_is_deleted_with_its_content(s: Subject) {
    let store = begun(&s, "c1").await;
    begun(&s, "c2").await;
    for id in ["c1", "c2"] {
        add(&store, id, 50, None, "hello").await.unwrap();
    }
    store.add_proposal(&proposal("k1")).await.unwrap();
    assert_eq!(
        store
            .forget_conversation("c1", "guest:other@example.com")
            .await,
        Ok(false)
    );
    assert_eq!(
        store
            .rename_conversation("c1", "guest:other@example.com", "x")
            .await,
        Ok(false)
    );
    assert_eq!(
        store.rename_conversation("c1", BETH, "Leaving").await,
        Ok(true)
    );
    assert_eq!(conversation(&store, "c1").await.title, "Leaving");
    assert_eq!(store.forget_conversation("c1", BETH).await, Ok(true));
    assert_eq!(store.entries("c1").await, Ok(Vec::new()));
    assert_eq!(store.proposal("k1").await, Ok(None));
    assert_eq!(
        add(&store, "c1", 60, None, "again").await,
        Ok(false),
        "nothing is added to what is gone"
    );
    assert_eq!(store.forget_conversations_before(at(50)).await, Ok(0));
    assert_eq!(store.forget_conversations_before(at(51)).await, Ok(1));
    assert_eq!(store.entries("c2").await, Ok(Vec::new()));
}

async fn model_usage_is_summed(s: Subject) {
    let store = s.store.as_ref().unwrap();
    let spent = |n: u64| UsageTotals {
        turns: 1,
        input: n,
        output: 2,
        micros: 3,
        millis: 4,
    };
    for (day, person, n) in [
        ("2026-03-10", BETH, 10),
        ("2026-03-10", BETH, 20),
        ("2026-03-10", "staff:m", 5),
        ("2026-03-09", BETH, 1),
    ] {
        store.add_model_usage(day, person, spent(n)).await.unwrap();
    }
    let (own, all) = store.model_usage("2026-03-10", BETH).await.unwrap();
    assert_eq!(
        (own.turns, own.input, all.turns, all.input, all.micros),
        (2, 30, 3, 35, 9)
    );
    assert_eq!(
        store.model_usage("2026-03-11", BETH).await.unwrap(),
        (UsageTotals::default(), UsageTotals::default())
    );
    let lines: Vec<_> = store
        .list_model_usage()
        .await
        .unwrap()
        .into_iter()
        .map(|l| (l.day, l.person, l.spent.input))
        .collect();
    let line = |day: &str, person: &str, n| (day.to_owned(), person.to_owned(), n);
    assert_eq!(
        lines,
        [
            line("2026-03-10", BETH, 30),
            line("2026-03-10", "staff:m", 5),
            line("2026-03-09", BETH, 1)
        ]
    );
    assert_eq!(store.delete_model_usage_before("2026-03-10").await, Ok(1));
}

fn question<'a>(token: &'a str, turn: &'a str, entry: &'a Entry, second: i64) -> Question<'a> {
    Question {
        conversation: "c1",
        token,
        entry,
        turn,
        duration: Duration::from_secs(10),
        at: at(second),
    }
}

async fn a_question_is_stored_atomically(s: Subject) {
    let store = begun(&s, "c1").await;
    store.add_proposal(&proposal("k1")).await.unwrap();
    let (one, two) = (message("one"), message("two"));
    let ask = async |token: &str, turn: &str, entry: &Entry, second: i64| {
        let asked = question(token, turn, entry, second);
        store.start_turn(&asked).await
    };
    assert_eq!(ask("t1", "a", &one, 10).await, Ok(StartTurnResult::Taken));
    assert_eq!(
        card(&store, "k1").await.state,
        ProposalState::Proposed,
        "who asks has not said no"
    );
    assert_eq!(conversation(&store, "c1").await.changed_at, at(10));
    assert_eq!(
        ask("t1", "b", &one, 11).await,
        Ok(StartTurnResult::Known),
        "the same form again"
    );
    assert_eq!(
        ask("t2", "b", &two, 12).await,
        Ok(StartTurnResult::Busy),
        "another turn is under way"
    );
    assert_eq!(store.last_entry("c1").await, Ok(1));
    assert_eq!(
        (
            store.has_turn("c1", "a").await,
            store.has_turn("c1", "b").await
        ),
        (Ok(true), Ok(false))
    );
    assert_eq!(
        ask("t2", "b", &two, 21).await,
        Ok(StartTurnResult::Taken),
        "the first turn has lapsed"
    );
    assert_eq!(store.last_entry("c1").await, Ok(2));
    assert_eq!(
        ask("t1", "c", &one, 40).await,
        Ok(StartTurnResult::Known),
        "also when nobody is at work"
    );
    assert_eq!(
        store.has_turn("c1", "b").await,
        Ok(true),
        "and it takes no turn"
    );
    store
        .hand_over_conversation("c1", Responder::Model, Responder::Staff, at(3))
        .await
        .unwrap();
    assert_eq!(
        ask("t3", "d", &two, 60).await,
        Ok(StartTurnResult::Busy),
        "staff answer there"
    );
    let gone = Question {
        conversation: "gone",
        ..question("t4", "e", &two, 60)
    };
    assert_eq!(store.start_turn(&gone).await, Ok(StartTurnResult::Busy));
}

async fn one_of_twenty_concurrent_questions_is_stored(s: Subject) {
    let store = begun(&s, "c1").await;
    let asks = (0..20).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            let (token, turn, entry) = (format!("t{n}"), format!("turn{n}"), message("one"));
            store
                .start_turn(&question(&token, &turn, &entry, 10))
                .await
                .unwrap()
        })
    });
    // Others write there concurrently
    let other = {
        let store = store.clone();
        tokio::spawn(async move {
            for n in 0..10 {
                add(&store, "c1", n, None, "other").await.unwrap();
            }
        })
    };
    let mut put = Vec::new();
    for ask in asks.collect::<Vec<_>>() {
        put.push(ask.await.unwrap());
    }
    other.await.unwrap();
    assert_eq!(
        put.iter()
            .filter(|put| **put == StartTurnResult::Taken)
            .count(),
        1
    );
    assert!(
        put.iter()
            .all(|put| matches!(put, StartTurnResult::Taken | StartTurnResult::Busy))
    );
    assert_eq!(store.last_entry("c1").await, Ok(11));
}

async fn a_person_is_erased_with_all_data(s: Subject) {
    let store = begun(&s, "c1").await;
    add(&store, "c1", 2, None, "My name is Beth").await.unwrap();
    store.add_proposal(&proposal("k1")).await.unwrap();
    store
        .add_model_usage(
            "2026-03-10",
            BETH,
            UsageTotals {
                turns: 1,
                ..UsageTotals::default()
            },
        )
        .await
        .unwrap();
    let other = Conversation {
        id: "c2".to_owned(),
        owner: "guest:wei.chen@example.com".to_owned(),
        ..conversation(&store, "c1").await
    };
    store.begin_conversation(&other).await.unwrap();
    add(&store, "c2", 2, None, "Hello").await.unwrap();
    let one_of_several = Conversation {
        id: "c3".to_owned(),
        owner: format!("{BETH};003A"),
        ..other
    };
    store.begin_conversation(&one_of_several).await.unwrap();
    assert_eq!(store.forget_conversations_of(BETH).await, Ok(2));
    assert_eq!(
        store.forget_conversations_of(BETH).await,
        Ok(0),
        "again does no harm"
    );
    assert_eq!(
        (store.last_entry("c1").await, store.last_entry("c2").await),
        (Ok(0), Ok(1))
    );
    assert!(store.proposal("k1").await.unwrap().is_none());
    assert_eq!(
        store.model_usage("2026-03-10", BETH).await.unwrap().0.turns,
        0
    );
}

async fn a_guest_waits_since_the_first_unanswered_message(s: Subject) {
    let store = begun(&s, "c1").await;
    let since = async || conversation(&store, "c1").await.waiting_since;
    add(&store, "c1", 2, Some("t1"), "Hello").await.unwrap();
    assert_eq!(since().await, None, "the model answers");
    assert!(
        store
            .hand_over_conversation("c1", Responder::Model, Responder::Staff, at(3))
            .await
            .unwrap()
    );
    add(&store, "c1", 4, Some("t2"), "Anybody?").await.unwrap();
    assert_eq!(since().await, Some(at(3)));
    let answer = Entry::StaffSaid {
        by: "frank@dewy.example".to_owned(),
        text: "Yes".to_owned(),
    };
    store.add_entry("c1", at(5), None, &answer).await.unwrap();
    assert_eq!(since().await, None, "answered");
    add(&store, "c1", 6, Some("t3"), "Thanks, and towels?")
        .await
        .unwrap();
    assert_eq!(since().await, Some(at(6)));
    assert!(
        store
            .hand_over_conversation("c1", Responder::Staff, Responder::Model, at(7))
            .await
            .unwrap()
    );
    assert_eq!(since().await, None, "the model answers again");
}

async fn an_emergency_is_handed_over_once(s: Subject) {
    let store = begun(&s, "c1").await;
    store.add_proposal(&proposal("k1")).await.unwrap();
    let (fire, answer) = (message("Fire!"), Entry::answered("Call 911."));
    let asked = message("What do I owe?");
    let question = Question {
        conversation: "c1",
        token: "t0",
        entry: &asked,
        turn: "a",
        duration: Duration::from_secs(60),
        at: at(2),
    };
    assert_eq!(
        store.start_turn(&question).await,
        Ok(StartTurnResult::Taken)
    );
    assert_eq!(
        store
            .raise_emergency("c1", at(3), "Fire", "t1", &fire, &answer)
            .await,
        Ok(true),
        "whoever is at work"
    );
    assert_eq!(
        store
            .raise_emergency("c1", at(4), "Fire", "t1", &fire, &answer)
            .await,
        Ok(false),
        "the same form again"
    );
    let found = conversation(&store, "c1").await;
    assert_eq!(
        (found.responder, found.emergency, found.waiting_since),
        (Responder::Staff, true, Some(at(3)))
    );
    assert_eq!(found.title, "Fire", "named after the danger");
    assert_eq!(
        store.has_turn("c1", "a").await,
        Ok(false),
        "the model is silent at once"
    );
    assert_eq!(store.last_entry("c1").await, Ok(3));
    assert_eq!(card(&store, "k1").await.state, ProposalState::Superseded);
    let other = Conversation {
        id: "c2".to_owned(),
        ..found.clone()
    };
    store.begin_conversation(&other).await.unwrap();
    store
        .hand_over_conversation("c2", Responder::Staff, Responder::Staff, at(1))
        .await
        .unwrap();
    let ids: Vec<_> = store
        .conversations_with_staff()
        .await
        .unwrap()
        .into_iter()
        .map(|c| c.id)
        .collect();
    assert_eq!(
        ids,
        ["c1", "c2"],
        "danger comes first, however long others wait"
    );
    assert_eq!(
        store.forget_conversation("c1", BETH).await,
        Ok(false),
        "nobody has handled it yet"
    );
    let later = at(4_000_000);
    store.forget_conversations_before(later).await.unwrap();
    assert!(store.conversation("c1").await.unwrap().is_some());
    let owed = store.owed_cases(Some("c1")).await.unwrap();
    assert_eq!((owed.len(), owed[0].token.as_str()), (1, "t1"));
    store.owed_case_opened(&owed[0], "00001042").await.unwrap();
    assert!(store.owed_cases(None).await.unwrap().is_empty());
    add(&store, "c1", 8, Some("t8"), "It is in the hall now")
        .await
        .unwrap();
    store.add_entry("c1", at(9), None, &answer).await.unwrap();
    let frank = "staff:frank@dewy.example";
    assert_eq!(
        store.end_emergency("c1", 3, frank).await,
        Ok(HandleResult::Newer),
        "unread"
    );
    assert_eq!(
        store
            .hand_over_conversation("c1", Responder::Staff, Responder::Model, at(9))
            .await,
        Ok(false),
        "nobody has handled it yet"
    );
    assert_eq!(
        store.end_emergency("c1", 4, frank).await,
        Ok(HandleResult::Handled)
    );
    assert_eq!(
        store.end_emergency("c1", 9, frank).await,
        Ok(HandleResult::Nothing),
        "once"
    );
    let owed = store.owed_cases(None).await.unwrap();
    assert_eq!(
        (
            owed[0].case_number.as_deref(),
            owed[0].handled_by.as_deref()
        ),
        (Some("00001042"), Some(frank))
    );
    store.forget_owed_case(&owed[0]).await.unwrap();
    assert!(store.owed_cases(None).await.unwrap().is_empty());
    let found = conversation(&store, "c1").await;
    assert_eq!(
        (found.responder, found.emergency, found.waiting_since),
        (Responder::Staff, false, None)
    );
    assert!(
        store
            .raise_emergency("gone", at(3), "Fire", "t1", &fire, &answer)
            .await
            .is_err()
    );
}
