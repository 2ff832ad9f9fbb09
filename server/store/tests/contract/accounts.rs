use std::time::Duration;

use dewy_domain::deployment_mode::DeploymentMode;
use dewy_store::{ApiToken, CodeCheck, CodeSend, NewCode, NewToken, StaffAccount};
use jiff::Timestamp;

use super::stores_under_test::{Constant, SHORT, Subject, at, read, take_claims};

every_sql_store!(
    tokens,
    a_code_allows_five_guesses,
    concurrent_guesses_are_limited_to_five,
    a_code_is_valid_once_and_expires,
    three_codes_an_hour,
    rate_limit_hits_are_counted_once,
    staff,
    settings,
    the_mode_only_rises,
    all_tokens_are_revoked,
    concurrent_creators_get_one_installation,
    one_worker_holds_a_named_lease,
    purge_keeps_the_claim_floor,
);

const MINUTE: Duration = Duration::from_secs(60);

fn whole(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap()
}

async fn tokens(s: Subject) {
    let (store, now) = (s.store(), whole(at()));
    let new = |n: u8, expires_at| NewToken {
        hash: [n; 32],
        persona: "guest".to_owned(),
        subject_email: Some("beth.gibbs@email.com".to_owned()),
        roles: vec!["guest".to_owned()],
        read_only: n == 2,
        created_by: (n == 2).then(|| "staff:ann@dewy.test".to_owned()),
        name: "my agent".to_owned(),
        created_at: now,
        expires_at,
    };
    assert!(store.create_token(new(1, None)).await.unwrap());
    assert!(
        !store.create_token(new(1, None)).await.unwrap(),
        "it is there already"
    );
    assert!(
        store
            .create_token(new(2, Some(now - MINUTE)))
            .await
            .unwrap()
    );
    let good = ApiToken {
        token: new(1, None),
        last_used_at: None,
        revoked_at: None,
    };
    assert_eq!(
        store.find_token_by_hash(&[1; 32]).await.unwrap(),
        Some(good.clone())
    );
    assert_eq!(good.id(), "tok_0101010101010101");
    assert_eq!(
        store.find_token_by_id(&good.id()).await.unwrap(),
        Some(good)
    );
    let expired = store
        .find_token_by_id("tok_0202020202020202")
        .await
        .unwrap()
        .unwrap();
    assert!(expired.token.read_only && expired.token.created_by.is_some());
    for id in [
        "tok_0303030303030303",
        "tok_01",
        "0101010101010101",
        "tok_%%%%%%%%%%%%%%%%",
        "",
    ] {
        assert_eq!(store.find_token_by_id(id).await.unwrap(), None, "{id}");
    }
    assert_eq!(
        store.find_token_by_hash(&[2; 32]).await.unwrap(),
        None,
        "expired"
    );
    assert_eq!(store.find_token_by_hash(&[3; 32]).await.unwrap(), None);
    store.touch_token_last_used(&[1; 32], now).await.unwrap();
    store
        .touch_token_last_used(&[1; 32], now + Duration::from_secs(5))
        .await
        .unwrap();
    assert_eq!(
        store
            .find_token_by_hash(&[1; 32])
            .await
            .unwrap()
            .unwrap()
            .last_used_at,
        Some(now)
    );
    assert!(store.revoke_token(&[1; 32], now).await.unwrap());
    assert!(!store.revoke_token(&[1; 32], now).await.unwrap());
    assert_eq!(store.find_token_by_hash(&[1; 32]).await.unwrap(), None);
    assert_eq!(store.tokens().await.unwrap().len(), 2);
}

fn code(n: u8, now: Timestamp) -> NewCode {
    NewCode {
        email_hash: [7; 32],
        code_hash: [n; 32],
        expires_at: now + MINUTE * 10,
        sent_at: now,
    }
}

async fn a_code_allows_five_guesses(s: Subject) {
    let (store, now) = (s.store(), at());
    assert_eq!(
        store.check_code(&[7; 32], &[1; 32], now).await.unwrap(),
        CodeCheck::Gone
    );
    store.store_code(&code(1, now)).await.unwrap();
    for left in (0..5).rev() {
        assert_eq!(
            store.check_code(&[7; 32], &[9; 32], now).await.unwrap(),
            CodeCheck::Wrong { left }
        );
    }
    assert_eq!(
        store.check_code(&[7; 32], &[1; 32], now).await.unwrap(),
        CodeCheck::Gone
    );
}

async fn concurrent_guesses_are_limited_to_five(s: Subject) {
    let now = at();
    s.store().store_code(&code(1, now)).await.unwrap();
    let guesses = (0..100).map(|n: u8| {
        let store = s.store().clone();
        tokio::spawn(async move {
            store
                .check_code(&[7; 32], &[n.wrapping_add(2); 32], now)
                .await
                .unwrap()
        })
    });
    let mut counted = 0;
    for guess in guesses.collect::<Vec<_>>() {
        counted += u32::from(guess.await.unwrap() != CodeCheck::Gone);
    }
    assert_eq!(counted, 5);
}

async fn a_code_is_valid_once_and_expires(s: Subject) {
    let (store, now) = (s.store(), at());
    store.store_code(&code(1, now)).await.unwrap();
    store.store_code(&code(2, now)).await.unwrap();
    assert_eq!(
        store.check_code(&[7; 32], &[1; 32], now).await.unwrap(),
        CodeCheck::Wrong { left: 4 },
        "a new one replaces it"
    );
    assert_eq!(
        store
            .check_code(&[7; 32], &[2; 32], now + MINUTE * 9)
            .await
            .unwrap(),
        CodeCheck::Right
    );
    assert_eq!(
        store
            .check_code(&[7; 32], &[2; 32], now + MINUTE * 9)
            .await
            .unwrap(),
        CodeCheck::Gone
    );
    store.store_code(&code(3, now)).await.unwrap();
    assert_eq!(
        store
            .check_code(&[7; 32], &[3; 32], now + MINUTE * 10)
            .await
            .unwrap(),
        CodeCheck::Gone,
        "too late"
    );
}

async fn three_codes_an_hour(s: Subject) {
    let (store, now) = (s.store(), at());
    for n in 1..=3 {
        assert_eq!(
            store
                .store_code(&code(n, now + MINUTE * u32::from(n)))
                .await
                .unwrap(),
            CodeSend::Send
        );
    }
    assert_eq!(
        store.store_code(&code(4, now + MINUTE * 59)).await.unwrap(),
        CodeSend::TooMany
    );
    assert_eq!(
        store.check_code(&[7; 32], &[3; 32], now).await.unwrap(),
        CodeCheck::Right,
        "the third is still good"
    );
    for n in 5..=7 {
        assert_eq!(
            store.store_code(&code(n, now + MINUTE * 62)).await.unwrap(),
            CodeSend::Send
        );
    }
    assert_eq!(
        store.store_code(&code(8, now + MINUTE * 63)).await.unwrap(),
        CodeSend::TooMany
    );
    let other = NewCode {
        email_hash: [8; 32],
        ..code(1, now)
    };
    assert_eq!(store.store_code(&other).await.unwrap(), CodeSend::Send);
}

async fn rate_limit_hits_are_counted_once(s: Subject) {
    let now = at();
    let hits = (0..50).map(|_| {
        let store = s.store().clone();
        tokio::spawn(async move {
            store
                .count_rate_limit_hit("sign-in:203.0.113.7", MINUTE, now)
                .await
                .unwrap()
        })
    });
    let mut counts = Vec::new();
    for hit in hits.collect::<Vec<_>>() {
        counts.push(hit.await.unwrap());
    }
    counts.sort_unstable();
    assert_eq!(counts, (1..=50).collect::<Vec<_>>());
    assert_eq!(
        s.store()
            .count_rate_limit_hit("sign-in:198.51.100.1", MINUTE, now)
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        s.store()
            .count_rate_limit_hit("sign-in:203.0.113.7", MINUTE, now + Duration::from_secs(59))
            .await
            .unwrap(),
        51
    );
    assert_eq!(
        s.store()
            .count_rate_limit_hit("sign-in:203.0.113.7", MINUTE, now + MINUTE)
            .await
            .unwrap(),
        1
    );
}

async fn staff(s: Subject) {
    let store = s.store();
    let mut ann = StaffAccount {
        email: "Ann@Dewy.test".to_owned(),
        role: "desk".to_owned(),
        password_hash: "$a$".to_owned(),
        disabled: false,
    };
    store.upsert_staff(&ann).await.unwrap();
    ann.email = ann.email.to_lowercase();
    (ann.role, ann.disabled) = ("manager".to_owned(), true);
    store.upsert_staff(&ann).await.unwrap();
    assert_eq!(
        store.staff_by_email("ANN@dewy.test").await.unwrap(),
        Some(ann.clone())
    );
    assert_eq!(store.staff_by_email("bob@dewy.test").await.unwrap(), None);
    assert!(!format!("{ann:?}").contains("$a$"));
}

async fn settings(s: Subject) {
    let store = s.store();
    assert_eq!(store.get_setting("webhook").await.unwrap(), None);
    store.put_setting("webhook", "we_1").await.unwrap();
    store.put_setting("webhook", "we_2").await.unwrap();
    assert_eq!(
        store.get_setting("webhook").await.unwrap().as_deref(),
        Some("we_2")
    );
    assert_eq!(
        store
            .get_or_insert_setting("webhook", "we_3")
            .await
            .unwrap(),
        "we_2"
    );
    assert_eq!(
        store.get_or_insert_setting("key", "k1").await.unwrap(),
        "k1"
    );
    assert_eq!(
        store.get_or_insert_setting("key", "k2").await.unwrap(),
        "k1"
    );
    assert_eq!(store.get_json("sweep").await.unwrap(), None);
    for n in [1, 2] {
        let fact = serde_json::json!({ "found": n, "trouble": null });
        store.put_json("sweep", &fact).await.unwrap();
        assert_eq!(store.get_json("sweep").await.unwrap(), Some(fact.clone()));
        let names = ["sweep", "none"].map(str::to_owned);
        let facts = store.get_jsons(&names).await.unwrap();
        assert_eq!(facts, [("sweep".to_owned(), fact)].into());
    }
}

async fn the_mode_only_rises(s: Subject) {
    let store = s.store();
    assert_eq!(store.highest_mode().await.unwrap(), None);
    for (asked, highest) in [
        (DeploymentMode::Demo, DeploymentMode::Demo),
        (DeploymentMode::Trial, DeploymentMode::Trial),
        (DeploymentMode::Demo, DeploymentMode::Trial),
        (DeploymentMode::Live, DeploymentMode::Live),
        (DeploymentMode::Trial, DeploymentMode::Live),
    ] {
        assert_eq!(store.raise_mode(asked).await.unwrap(), highest, "{asked}");
    }
    let (_, since) = store.highest_mode().await.unwrap().unwrap();
    store.raise_mode(DeploymentMode::Live).await.unwrap();
    assert_eq!(
        store.highest_mode().await.unwrap(),
        Some((DeploymentMode::Live, since)),
        "since it was first used so"
    );
    store
        .put_setting("mode", "of a later release")
        .await
        .unwrap();
    assert!(store.highest_mode().await.is_err());
    assert!(
        store.raise_mode(DeploymentMode::Live).await.is_err(),
        "and it is left alone"
    );
    assert_eq!(
        store.get_setting("mode").await.unwrap().as_deref(),
        Some("of a later release")
    );
}

async fn all_tokens_are_revoked(s: Subject) {
    let (store, now) = (s.store(), whole(at()));
    let token = NewToken {
        hash: [1; 32],
        persona: "guest".to_owned(),
        subject_email: Some("beth.gibbs@email.com".to_owned()),
        roles: vec!["guest".to_owned()],
        read_only: false,
        created_by: None,
        name: "my agent".to_owned(),
        created_at: now,
        expires_at: None,
    };
    assert!(store.create_token(token).await.unwrap());
    store.revoke_all_access(now).await.unwrap();
    assert_eq!(store.find_token_by_hash(&[1; 32]).await.unwrap(), None);
    let [kept] = &store.tokens().await.unwrap()[..] else {
        panic!("it is still listed")
    };
    assert_eq!(kept.revoked_at, Some(now));
    store.revoke_all_access(now + MINUTE).await.unwrap();
    assert_eq!(
        store.tokens().await.unwrap()[0].revoked_at,
        Some(now),
        "when it was revoked first"
    );
}

async fn concurrent_creators_get_one_installation(s: Subject) {
    let store = s.store();
    assert_eq!(store.known_installation().await.unwrap(), None);
    let sources: Vec<Constant> = (1..=20).map(Constant).collect();
    let made =
        futures::future::join_all(sources.iter().map(|source| store.installation(source))).await;
    let first = *made[0].as_ref().unwrap();
    assert!(made.iter().all(|id| id.as_ref() == Ok(&first)), "{made:?}");
    assert_eq!(store.known_installation().await.unwrap(), Some(first));
    assert_eq!(store.installation(&Constant(99)).await.unwrap(), first);
    store.put_setting("installation", "no id").await.unwrap();
    assert!(store.installation(&Constant(99)).await.is_err());
}

async fn one_worker_holds_a_named_lease(s: Subject) {
    let store = s.store();
    let hold = async |name: &str, worker: &str, lasts| {
        store
            .acquire_named_lease(name, worker, lasts, at())
            .await
            .unwrap()
    };
    assert!(hold("sweep", "a", MINUTE).await);
    assert!(!hold("sweep", "b", MINUTE).await);
    assert!(
        hold("other", "b", MINUTE).await,
        "another name is another lease"
    );
    assert!(hold("sweep", "a", SHORT).await, "its holder may renew it");
    assert!(!hold("sweep", "b", MINUTE).await);
    tokio::time::sleep(SHORT * 2).await;
    assert!(hold("sweep", "b", MINUTE).await, "it lapsed");
    assert!(!hold("sweep", "a", MINUTE).await);
    store.release_named_lease("sweep", "a").await.unwrap();
    assert!(
        !hold("sweep", "a", MINUTE).await,
        "only its holder can give it back"
    );
    store.release_named_lease("sweep", "b").await.unwrap();
    // However many are concurrent, over connections of two instances.
    let second = dewy_store::Store::open(
        &s.url,
        std::sync::Arc::new(super::stores_under_test::WallClock),
    )
    .await
    .unwrap();
    let asks = (0..20).map(|n| {
        let store = if n % 2 == 0 {
            store.clone()
        } else {
            second.clone()
        };
        tokio::spawn(async move {
            store
                .acquire_named_lease("sweep", &format!("w{n}"), MINUTE, at())
                .await
                .unwrap()
        })
    });
    let mut taken = 0;
    for ask in asks.collect::<Vec<_>>() {
        taken += u32::from(ask.await.unwrap());
    }
    assert_eq!(taken, 1);
}

/// A deleted claim must not make an old read look fresh.
async fn purge_keeps_the_claim_floor(s: Subject) {
    let (store, now) = (s.store(), at());
    store
        .count_rate_limit_hit("x", MINUTE, now - MINUTE * 2)
        .await
        .unwrap();
    store
        .store_code(&code(1, now - MINUTE * 100))
        .await
        .unwrap();
    let reader = s.run("w1").await;
    let mut other = s.run("w2").await;
    let mark = other.mark;
    other
        .append_with(&*s.journal, vec![read()], |a| {
            a.claims = take_claims(&["a", "b"], mark)
        })
        .await;
    other
        .append_with(&*s.journal, vec![], |a| {
            a.claims = dewy_saga::journal::ClaimChange::Release
        })
        .await;
    assert_eq!(store.purge(now).await.unwrap(), 2, "the rate and the code");
    assert_eq!(
        store
            .purge(now + Duration::from_secs(90_000))
            .await
            .unwrap(),
        2,
        "the claims"
    );
    let (mut append, _) = reader.plan(vec![read()]);
    append.claims = take_claims(&["a"], reader.mark);
    let stale = s
        .journal
        .append(&reader.lease, append.clone())
        .await
        .unwrap();
    let dewy_saga::journal::AppendResult::Stale { mark } = stale else {
        panic!("{stale:?}")
    };
    append.claims = take_claims(&["a"], mark);
    assert_eq!(
        s.journal.append(&reader.lease, append).await,
        Ok(dewy_saga::journal::AppendResult::Ok)
    );
}
