//! Messages that cost more than they should: too long, too many, or by an older release.

use dewy_domain::{
    caller::Caller,
    concierge::{Danger, Entry, MAX_MESSAGE_LENGTH},
    error_code::ErrorCode,
    ports::Concierge,
};

use super::{
    emergencies::settings,
    scripted_hotel::{ScriptedHotel, beth, front_desk, sarah},
};

#[tokio::test(flavor = "multi_thread")]
async fn too_many_messages_wait_but_danger_does_not() {
    let scripted = ScriptedHotel::with(vec![], settings()).await;
    let say = async |caller: &Caller, token: String, text: &str| {
        let concierge = &scripted.concierge;
        concierge.post_message(caller, None, &token, text).await
    };
    let (beth, sarah) = (beth(), sarah());
    let mut posted = 0;
    let refused = loop {
        match say(&beth, format!("t{posted}"), " ").await {
            Err(ErrorCode::ValidationFailed) if posted < 200 => posted += 1,
            other => break other,
        }
    };
    assert_eq!(refused, Err(ErrorCode::RateLimited), "after {posted}");
    assert!(posted >= 20, "nobody types as fast: {posted}");
    let long = "x ".repeat(16_000);
    assert_eq!(
        say(&sarah, "s1".to_owned(), &long).await,
        Err(ErrorCode::ValidationFailed),
        "another person's messages are not limited"
    );
    let fire = format!("There's a fire in my room! {long}");
    let raised = say(&beth, "fire".to_owned(), &fire).await.unwrap();
    let waiting = scripted.concierge.waiting_for_staff(&front_desk()).await;
    let report = waiting.unwrap()[0].emergency.clone().unwrap();
    assert!(report.text.starts_with("There's a fire in my room! x x"));
    assert_eq!(report.text.chars().count(), MAX_MESSAGE_LENGTH);
    let store = &scripted.hotel.server.store;
    let entries = store.entries(&raised).await.unwrap();
    assert!(matches!(
        entries[0].entry,
        Entry::Said {
            danger: Some(Danger::Certain),
            ..
        }
    ));
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn danger_in_messages_of_an_older_release_is_found_once() {
    let scripted = ScriptedHotel::with(vec![], settings()).await;
    let concierge = &scripted.concierge;
    let fire = "There's a fire in my room!";
    let raised = concierge.post_message(&beth(), None, "t1", fire).await;
    let id = raised.unwrap();
    let store = &scripted.hotel.server.store;
    for (token, text) in [("t2", "Thanks"), ("t3", "I smell smoke again")] {
        let (danger, text) = (None, text.to_owned());
        let said = Entry::Said { danger, text };
        let added = store.add_entry(&id, jiff::Timestamp::now(), Some(token), &said);
        assert_eq!(added.await, Ok(true));
    }
    let report = async || {
        let waiting = concierge.waiting_for_staff(&front_desk()).await.unwrap();
        waiting[0].emergency.clone().unwrap()
    };
    let first = report().await;
    assert_eq!(
        first.text,
        "There's a fire in my room!” “I smell smoke again"
    );
    assert_eq!(report().await, first);
    let dangers = store.entries(&id).await.unwrap().into_iter();
    let dangers = dangers.filter_map(|numbered| match numbered.entry {
        Entry::Said { danger, .. } => Some(danger),
        _ => None,
    });
    let expected = [Danger::Certain, Danger::None, Danger::Certain].map(Some);
    assert_eq!(dangers.collect::<Vec<_>>(), expected);
    scripted.hotel.close().await;
}
