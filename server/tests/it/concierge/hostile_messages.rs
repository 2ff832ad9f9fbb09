//! Messages that cost more than they should: too long, too many, or by an older release.

use dewy_domain::concierge::{Danger, Entry, MAX_MESSAGE_LENGTH};

use super::{emergencies::FIRE, scripted_hotel::*};
use crate::prelude::*;

#[tokio::test(flavor = "multi_thread")]
async fn too_many_messages_wait_but_danger_does_not() {
    let scripted = ScriptedHotel::with(vec![], emergency_settings()).await;
    let (concierge, beth) = (&scripted.concierge, beth());
    let mut posted = 0;
    let refused = loop {
        match concierge
            .post_message(&beth, None, &format!("t{posted}"), " ")
            .await
        {
            Err(ErrorCode::ValidationFailed) if posted < 200 => posted += 1,
            other => break other,
        }
    };
    assert_eq!(refused, Err(ErrorCode::RateLimited), "after {posted}");
    assert!(posted >= 20, "nobody types as fast: {posted}");
    let long = "x ".repeat(16_000);
    let other = concierge.post_message(&sarah(), None, "s1", &long).await;
    assert_eq!(
        other,
        Err(ErrorCode::ValidationFailed),
        "another person's are not limited"
    );
    let raised = scripted
        .post(&beth, None, "fire", &format!("{FIRE} {long}"))
        .await;
    let report = scripted.waiting().await[0].emergency.clone().unwrap();
    assert!(report.text.starts_with(&format!("{FIRE} x x")));
    assert_eq!(report.text.chars().count(), MAX_MESSAGE_LENGTH);
    assert_eq!(dangers(&scripted, &raised).await[0], Some(Danger::Certain));
}

/// What is stored of each message of the conversation.
async fn dangers(scripted: &ScriptedHotel, id: &str) -> Vec<Option<Danger>> {
    let entries = scripted
        .hotel
        .server
        .store
        .entries(id)
        .await
        .unwrap()
        .into_iter();
    let dangers = entries.filter_map(|numbered| match numbered.entry {
        Entry::Said { danger, .. } => Some(danger),
        _ => None,
    });
    dangers.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn danger_in_messages_of_an_older_release_is_found_once() {
    let scripted = ScriptedHotel::with(vec![], emergency_settings()).await;
    let id = scripted.post(&beth(), None, "t1", FIRE).await;
    let store = &scripted.hotel.server.store;
    for (token, text) in [("t2", "Thanks"), ("t3", "I smell smoke again")] {
        let (danger, text) = (None, text.to_owned());
        let said = Entry::Said { danger, text };
        let added = store.add_entry(&id, jiff::Timestamp::now(), Some(token), &said);
        assert_eq!(added.await, Ok(true));
    }
    let report = async || scripted.waiting().await[0].emergency.clone().unwrap();
    let first = report().await;
    assert_eq!(first.text, format!("{FIRE}” “I smell smoke again"));
    assert_eq!(report().await, first);
    let expected = [Danger::Certain, Danger::None, Danger::Certain].map(Some);
    assert_eq!(dangers(&scripted, &id).await, expected);
}
