use dewy_store::{ApiToken, NewToken};

use super::prelude::*;

every_sql_store!(tokens_round_trip_and_expire, all_tokens_are_revoked);

fn whole(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap()
}

const MINUTE: Duration = Duration::from_secs(60);

async fn tokens_round_trip_and_expire(s: Subject) {
    let (store, now) = (s.store(), whole(at()));
    let new = |n: u8, expires_at| NewToken {
        hash: [n; 32],
        persona: "guest".to_owned(),
        subject_email: Some("beth.gibbs@email.com".into()),
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

async fn all_tokens_are_revoked(s: Subject) {
    let (store, now) = (s.store(), whole(at()));
    let token = NewToken {
        hash: [1; 32],
        persona: "guest".to_owned(),
        subject_email: Some("beth.gibbs@email.com".into()),
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
