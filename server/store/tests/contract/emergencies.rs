use dewy_domain::concierge::{Danger, Entry};
use dewy_store::HandleResult;

use super::{
    conversations::{at, begun, message as said},
    prelude::*,
};

every_sql_store!(
    messages_of_danger_are_found_among_all_others,
    an_open_emergency_owes_one_case,
    hand_overs_and_emergencies_close_their_own_cases,
    a_message_sent_while_an_emergency_ends_still_waits,
);

const FRANK: &str = "staff:frank@dewy.example";

/// A conversation whose guest has written of danger, in its first entry.
async fn in_danger(s: &Subject, id: &str) -> Store {
    let store = begun(s, id).await;
    raise(&store, id, "t1").await;
    store
}

async fn raise(store: &Store, id: &str, token: &str) {
    let answer = Entry::answered("Call 911.");
    let fire = said("Fire!");
    let raised = store.raise_emergency(id, at(2), "Fire", token, &fire, &answer);
    assert_eq!(raised.await, Ok(true));
}

/// Danger is stored with a message, and read without the rest of the conversation.
async fn messages_of_danger_are_found_among_all_others(s: Subject) {
    let store = in_danger(&s, "c1").await;
    let add = async |token: &str, danger, text: &str| {
        let text = text.to_owned();
        let entry = Entry::Said { danger, text };
        let added = store.add_entry("c1", at(3), Some(token), &entry).await;
        assert_eq!(added, Ok(true));
    };
    let found = async || {
        let found = store.alarming_messages("c1").await.unwrap();
        found.into_iter().map(|one| (one.seq, one.entry))
    };
    let seqs = async || found().await.map(|(seq, _)| seq).collect::<Vec<_>>();
    add("t2", Some(Danger::None), "{\"danger\":\"certain\"}").await;
    assert_eq!(seqs().await, [1, 3], "the alarm, and the last message");
    add("t3", Some(Danger::Possible), "I smell something").await;
    add("t4", Some(Danger::None), "Thanks").await;
    assert_eq!(seqs().await, [1, 4, 5]);
    // The first is of an older release
    let mut first = store.alarming_messages("c1").await.unwrap().remove(0);
    assert_eq!(first.entry, said("Fire!"));
    let (danger, text) = (Some(Danger::Certain), "Fire!".to_owned());
    first.entry = Entry::Said { danger, text };
    store.note_danger("c1", &first).await.unwrap();
    assert_eq!(found().await.next(), Some((1, first.entry)));
    for n in 0..60 {
        let token = format!("more-{n}");
        add(&token, Some(Danger::Certain), "Fire").await;
    }
    assert_eq!(seqs().await.len(), 50, "the newest");
    assert_eq!(seqs().await.last(), Some(&65));
}

async fn an_open_emergency_owes_one_case(s: Subject) {
    let store = in_danger(&s, "c1").await;
    raise(&store, "c1", "t2").await;
    let owed = async || {
        let owed = store.owed_cases(Some("c1")).await.unwrap();
        owed.into_iter().map(|one| one.token).collect::<Vec<_>>()
    };
    assert_eq!(owed().await, ["t1"], "the same emergency");
    assert_eq!(
        store.end_emergency("c1", 4, FRANK).await,
        Ok(HandleResult::Handled)
    );
    raise(&store, "c1", "t3").await;
    assert_eq!(owed().await, ["t1", "t3"], "another emergency");
}

async fn hand_overs_and_emergencies_close_their_own_cases(s: Subject) {
    let store = in_danger(&s, "c1").await;
    for _ in 0..2 {
        store.hand_over_case_opened("c1", "00001042").await.unwrap();
    }
    // It is not the emergency's case, which is still owed
    let owed = store.owed_cases(Some("c1")).await.unwrap();
    assert_eq!((owed.len(), owed[0].token.as_str()), (1, "t1"));
    store.owed_case_opened(&owed[0], "00001043").await.unwrap();
    let to_close = async || {
        let owed = store.owed_cases(Some("c1")).await.unwrap();
        let case = |one: dewy_store::OwedCase| (one.case_number.unwrap(), one.handled_by.unwrap());
        owed.into_iter().map(case).collect::<Vec<_>>()
    };
    let ended = store.end_emergency("c1", 4, FRANK).await;
    assert_eq!(ended, Ok(HandleResult::Handled));
    let emergency = ("00001043".to_owned(), FRANK.to_owned());
    assert_eq!(to_close().await, std::slice::from_ref(&emergency));
    store.close_hand_over_cases("c1", FRANK).await.unwrap();
    let handed_over = ("00001042".to_owned(), FRANK.to_owned());
    assert_eq!(to_close().await, [handed_over, emergency]);
}

/// Staff mark it as handled while its guest writes: either the emergency stays open, or the message
/// waits for an answer.
async fn a_message_sent_while_an_emergency_ends_still_waits(s: Subject) {
    let store = s.store.clone().unwrap();
    for n in 0..40 {
        let id = format!("c{n}");
        in_danger(&s, &id).await;
        let (again, last) = (said("She fell"), store.last_entry(&id).await.unwrap());
        let (ended, written) = tokio::join!(
            store.end_emergency(&id, last, FRANK),
            store.add_entry(&id, at(3), Some("t2"), &again),
        );
        assert_eq!(written, Ok(true));
        let found = super::conversations::conversation(&store, &id).await;
        assert!(
            found.emergency || found.waiting_since.is_some(),
            "{ended:?}: {found:?}"
        );
    }
}
