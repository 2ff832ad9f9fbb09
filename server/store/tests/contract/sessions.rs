use std::time::Duration;

use dewy_store::SUBJECT_KEY;
use jiff::Timestamp;
use tower_sessions::{
    SessionStore,
    cookie::time,
    session::{Id, Record},
};

use super::stores_under_test::{Subject, at};

every_sql_store!(
    sessions,
    sessions_are_listed_per_person,
    a_revoked_session_stays_revoked,
    all_sessions_are_revoked
);

const MINUTE: Duration = Duration::from_secs(60);

fn whole(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap()
}

/// A session that holds this text.
pub fn holding(id: i128, text: &str) -> Record {
    let expiry_date = time::OffsetDateTime::now_utc() + time::Duration::seconds(600);
    let mut record = Record {
        id: Id(id),
        data: Default::default(),
        expiry_date,
    };
    record.data.insert("text".to_owned(), text.into());
    record
}

async fn sessions(s: Subject) {
    let store = s.store();
    let expiry = |seconds| time::OffsetDateTime::now_utc() + time::Duration::seconds(seconds);
    let mut first = Record {
        id: Id(42),
        data: Default::default(),
        expiry_date: expiry(600),
    };
    first
        .data
        .insert(SUBJECT_KEY.to_owned(), "guest:beth".into());
    store.create(&mut first).await.unwrap();
    let mut twin = Record {
        data: Default::default(),
        ..first.clone()
    };
    store.create(&mut twin).await.unwrap();
    assert_ne!(twin.id, first.id, "an id in use is not given twice");
    assert_eq!(
        store.load(&first.id).await.unwrap().unwrap().data,
        first.data
    );
    twin.data
        .insert(SUBJECT_KEY.to_owned(), "guest:beth".into());
    store.save(&twin).await.unwrap();
    assert_eq!(store.sessions_of("guest:beth").await.unwrap().len(), 2);
    store.delete(&twin.id).await.unwrap();
    assert_eq!(store.load(&twin.id).await.unwrap(), None);
    first.expiry_date = expiry(-1);
    store.save(&first).await.unwrap();
    assert_eq!(store.load(&first.id).await.unwrap(), None, "expired");
    first.expiry_date = expiry(600);
    store.save(&first).await.unwrap();
    signed_in(&s, 8, "guest:beth;003A").await;
    signed_in(&s, 9, "guest:bethany").await;
    // With all who share the email
    assert_eq!(store.revoke_sessions("guest:beth").await.unwrap(), 2);
    assert_eq!(store.load(&first.id).await.unwrap(), None);
    assert_eq!(store.sessions_of("guest:bethany").await.unwrap().len(), 1);
}

async fn signed_in(s: &Subject, id: i128, subject: &str) -> Record {
    let expiry_date = time::OffsetDateTime::now_utc() + time::Duration::seconds(600);
    let mut record = Record {
        id: Id(id),
        data: Default::default(),
        expiry_date,
    };
    record.data.insert(SUBJECT_KEY.to_owned(), subject.into());
    record
        .data
        .insert("browser".to_owned(), format!("Browser {id}").into());
    s.store().create(&mut record).await.unwrap();
    record
}

async fn sessions_are_listed_per_person(s: Subject) {
    let store = s.store();
    let (one, two) = (
        signed_in(&s, 1, "guest:beth").await,
        signed_in(&s, 2, "guest:beth").await,
    );
    signed_in(&s, 3, "guest:wei").await;
    let later = whole(at() + MINUTE);
    assert!(store.touch_session(&one.id, later).await.unwrap());
    assert!(!store.touch_session(&Id(77), later).await.unwrap());
    let names = || async {
        store
            .sessions_of("guest:beth")
            .await
            .unwrap()
            .into_iter()
            .map(|s| s.name)
            .collect::<Vec<_>>()
    };
    let (first, second) = (
        dewy_store::Store::session_name(&one.id),
        dewy_store::Store::session_name(&two.id),
    );
    assert_eq!(
        names().await,
        [first.clone(), second.clone()],
        "the last used first"
    );
    let found = store.sessions_of("guest:beth").await.unwrap().remove(0);
    assert_eq!(
        (found.last_used, found.data["browser"].as_str()),
        (later, Some("Browser 1"))
    );
    assert!(found.since < later);
    assert!(
        !store.revoke_session("guest:wei", &first).await.unwrap(),
        "not somebody else's"
    );
    assert!(store.revoke_session("guest:beth", &first).await.unwrap());
    assert!(!store.revoke_session("guest:beth", &first).await.unwrap());
    assert!(
        !store.session_is_valid(&one.id).await.unwrap()
            && store.session_is_valid(&two.id).await.unwrap()
    );
    signed_in(&s, 4, "guest:beth").await;
    signed_in(&s, 5, "guest:beth").await;
    assert_eq!(
        store
            .revoke_other_sessions("guest:beth", &second)
            .await
            .unwrap(),
        2
    );
    assert_eq!(names().await, [second]);
    assert_eq!(store.sessions_of("guest:wei").await.unwrap().len(), 1);
}

/// A request that began before the revocation ends after it, and saves its session.
async fn a_revoked_session_stays_revoked(s: Subject) {
    let store = s.store();
    let one = signed_in(&s, 1, "guest:beth").await;
    let meanwhile = store.load(&one.id).await.unwrap().unwrap();
    assert_eq!(store.revoke_sessions("guest:beth").await.unwrap(), 1);
    store.save(&meanwhile).await.unwrap();
    assert_eq!(store.load(&one.id).await.unwrap(), None);
    assert_eq!(store.sessions_of("guest:beth").await.unwrap().len(), 0);
}

async fn all_sessions_are_revoked(s: Subject) {
    let store = s.store();
    signed_in(&s, 1, "guest:beth").await;
    signed_in(&s, 2, "staff:ann").await;
    store.revoke_all_access(at()).await.unwrap();
    assert_eq!(store.sessions_of("guest:beth").await.unwrap().len(), 0);
    assert_eq!(store.sessions_of("staff:ann").await.unwrap().len(), 0);
}
