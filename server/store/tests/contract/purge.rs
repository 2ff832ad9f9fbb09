use dewy_store::NewCode;

use super::prelude::*;

every_sql_store!(purge_keeps_the_claim_floor);

const MINUTE: Duration = Duration::from_secs(60);

fn code(n: u8, now: Timestamp) -> NewCode {
    NewCode {
        asked_hash: [7; 32],
        code_hash: [n; 32],
        expires_at: now + MINUTE * 10,
        sent_at: now,
    }
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
