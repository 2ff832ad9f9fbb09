use super::prelude::*;

every_store!(
    one_of_ten_gets_a_claim,
    claims_are_all_or_none,
    own_claims_may_be_taken_again,
    a_claim_changed_after_the_mark_is_stale,
    a_claim_taken_and_released_meanwhile_is_stale,
    a_claim_outlives_its_lease,
);

async fn one_of_ten_gets_a_claim(s: Subject) {
    let mut calls = Vec::new();
    for _ in 0..10 {
        let run = s.run("w1").await;
        let (mut append, _) = run.plan(vec![read(), intended("pay")]);
        append.claims = take_claims(&["booking:1", "room:302:2026-03-10"], run.mark);
        let journal = s.journal.clone();
        calls.push(tokio::spawn(async move {
            (
                run.lease.id,
                journal.append(&run.lease, append).await.unwrap(),
            )
        }));
    }
    let mut winner = Vec::new();
    let mut held = Vec::new();
    for call in calls {
        match call.await.unwrap() {
            (id, AppendResult::Ok) => winner.push(id),
            (_, AppendResult::Held { by }) => held.push(by),
            (_, other) => panic!("{other:?}"),
        }
    }
    assert_eq!(winner.len(), 1);
    assert_eq!(held, vec![winner[0]; 9]);
    assert_eq!(
        s.journal.claim_holder("booking:1").await.unwrap(),
        Some(winner[0])
    );
}

async fn claims_are_all_or_none(s: Subject) {
    let mut first = s.run("w1").await;
    first
        .append_with(&*s.journal, vec![read()], |a| {
            a.claims = take_claims(&["b"], first_mark())
        })
        .await;
    let second = s.run("w2").await;
    let (mut append, _) = second.plan(vec![read()]);
    append.claims = take_claims(&["c", "b", "a"], second.mark);
    assert_eq!(
        s.journal.append(&second.lease, append).await,
        Ok(AppendResult::Held { by: first.lease.id })
    );
    for resource in ["a", "c"] {
        assert_eq!(s.journal.claim_holder(resource).await.unwrap(), None);
    }
    assert_eq!(s.load(second.lease.id).await.rows.len(), 1);
    // Nothing was taken, so nothing changed for a third worker.
    let mut third = s.run("w3").await;
    let mark = third.mark;
    third
        .append_with(&*s.journal, vec![read()], |a| {
            a.claims = take_claims(&["a", "c"], mark)
        })
        .await;
}

/// Any mark is valid if nothing was ever claimed.
fn first_mark() -> i64 {
    i64::MAX
}

async fn own_claims_may_be_taken_again(s: Subject) {
    let mut run = s.run("w1").await;
    let mark = run.mark;
    for resources in [&["a"][..], &["a", "b"], &["b", "a", "a"]] {
        run.append_with(&*s.journal, vec![], |a| {
            a.claims = take_claims(resources, mark)
        })
        .await;
    }
    run.append_with(&*s.journal, vec![], |a| a.claims = ClaimChange::Release)
        .await;
    run.append_with(&*s.journal, vec![], |a| a.claims = ClaimChange::Release)
        .await;
    for resource in ["a", "b"] {
        assert_eq!(s.journal.claim_holder(resource).await.unwrap(), None);
    }
}

async fn a_claim_changed_after_the_mark_is_stale(s: Subject) {
    let reader = s.run("w1").await;
    let mut other = s.run("w2").await;
    let mark = other.mark;
    other
        .append_with(&*s.journal, vec![read()], |a| {
            a.claims = take_claims(&["a"], mark)
        })
        .await;
    let between = s.journal.claim_mark().await.unwrap();
    other
        .append_with(&*s.journal, vec![], |a| a.claims = ClaimChange::Release)
        .await;
    for mark in [reader.mark, between] {
        let (mut append, _) = reader.plan(vec![read()]);
        append.claims = take_claims(&["a"], mark);
        let Ok(AppendResult::Stale { mark: now }) =
            s.journal.append(&reader.lease, append.clone()).await
        else {
            panic!("not stale")
        };
        assert!(now > mark);
        assert_eq!(s.journal.claim_mark().await.unwrap(), now);
    }
    assert_eq!(s.load(reader.lease.id).await.rows.len(), 1);
    let (mut append, _) = reader.plan(vec![read()]);
    append.claims = take_claims(&["a"], s.journal.claim_mark().await.unwrap());
    assert_eq!(
        s.journal.append(&reader.lease, append).await,
        Ok(AppendResult::Ok)
    );
}

async fn a_claim_taken_and_released_meanwhile_is_stale(s: Subject) {
    let reader = s.run("w1").await;
    for _ in 0..2 {
        let mut other = s.run("w2").await;
        let mark = s.journal.claim_mark().await.unwrap();
        other
            .append_with(&*s.journal, vec![read()], |a| {
                a.claims = take_claims(&["a"], mark)
            })
            .await;
        other
            .append_with(&*s.journal, vec![], |a| a.claims = ClaimChange::Release)
            .await;
    }
    let (mut append, _) = reader.plan(vec![read()]);
    append.claims = take_claims(&["a"], reader.mark);
    let stale = s.journal.append(&reader.lease, append.clone()).await;
    assert!(matches!(stale, Ok(AppendResult::Stale { .. })), "{stale:?}");
    append.claims = take_claims(&["b"], reader.mark);
    assert_eq!(
        s.journal.append(&reader.lease, append.clone()).await,
        Ok(AppendResult::Ok),
        "another resource is not concerned"
    );
    let late = s.run("w3").await;
    let (mut append, _) = late.plan(vec![read()]);
    append.claims = take_claims(&["a"], late.mark);
    assert_eq!(
        s.journal.append(&late.lease, append).await,
        Ok(AppendResult::Ok),
        "a mark of afterwards is fresh"
    );
}

async fn a_claim_outlives_its_lease(s: Subject) {
    let mut run = s.run("w1").await;
    let mark = run.mark;
    run.append_with(&*s.journal, vec![read()], |a| {
        a.claims = take_claims(&["a"], mark)
    })
    .await;
    run.rest(&*s.journal, Duration::from_secs(600)).await;
    let other = s.run("w2").await;
    let (mut append, _) = other.plan(vec![read()]);
    append.claims = take_claims(&["a"], other.mark);
    assert_eq!(
        s.journal.append(&other.lease, append).await,
        Ok(AppendResult::Held { by: run.lease.id })
    );
}
