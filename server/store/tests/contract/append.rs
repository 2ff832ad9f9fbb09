use dewy_saga::hash_chain;

use super::prelude::*;

every_store!(
    an_execution_from_begin_to_end,
    repeated_appends_are_harmless,
    repeated_appends_after_the_end_are_harmless,
    conflicting_rows_are_refused,
    a_gap_is_refused,
    a_stalled_worker_is_refused,
    a_released_lease_is_invalid,
    a_foreign_projection_key_rolls_everything_back,
    projections_are_replaced,
    projections_are_dropped,
    two_hundred_concurrent_appends,
    a_failed_append_does_not_affect_others,
);

async fn an_execution_from_begin_to_end(s: Subject) {
    let mut run = s.run("w1").await;
    let id = run.lease.id;
    run.append_with(&*s.journal, vec![read(), intended("pay")], |a| {
        a.labels = vec![
            ("guest_email".to_owned(), "new@email.com".to_owned()),
            ("payment".to_owned(), "pi_1".to_owned()),
        ];
        a.lease = LeaseChange::For(LONG);
    })
    .await;
    run.append(&*s.journal, vec![done("pay"), intended("move")])
        .await;
    run.append_with(
        &*s.journal,
        vec![done("move"), ended(End::Completed)],
        |a| {
            a.answer = Some(json!({"receipt": "R-1"}));
            a.lease = LeaseChange::Release;
            a.wake_at = Some(a.at + Duration::from_secs(30));
        },
    )
    .await;
    let record = s.load(id).await;
    assert_eq!(
        (record.state, record.worker, record.answer),
        (State::Completed, None, Some(json!({"receipt": "R-1"})))
    );
    assert_eq!(
        record.rows.iter().map(|r| r.seq).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6, 7]
    );
    assert_eq!(record.rows[2].event, intended("pay"));
    assert_eq!(
        (record.rows[2].by.as_str(), record.rows[2].fence),
        ("w1", 1)
    );
    let labels = [("guest_email", "new@email.com"), ("payment", "pi_1")]
        .map(|(n, v)| (n.to_owned(), v.to_owned()));
    assert_eq!(record.labels, labels);
    let wake = record.wake_at.unwrap();
    assert!(wake > at() + Duration::from_secs(25) && wake < at() + Duration::from_secs(31));
    hash_chain::verify(id, &record.rows, &record.audit).unwrap();
}

async fn repeated_appends_are_harmless(s: Subject) {
    let mut run = s.run("w1").await;
    let (append, after) = run.plan(vec![read(), intended("pay")]);
    for _ in 0..3 {
        assert_eq!(
            s.journal.append(&run.lease, append.clone()).await,
            Ok(AppendResult::Ok)
        );
    }
    run = after;
    assert_eq!(s.load(run.lease.id).await.rows.len(), 3);
    // Also concurrently.
    let (append, after) = run.plan(vec![done("pay")]);
    let calls = (0..8).map(|_| {
        let (journal, lease, append) = (s.journal.clone(), run.lease.clone(), append.clone());
        tokio::spawn(async move { journal.append(&lease, append).await })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap(), Ok(AppendResult::Ok));
    }
    run = after;
    run.append(&*s.journal, vec![intended("move")]).await;
    let record = s.load(run.lease.id).await;
    assert_eq!(record.rows.len(), 5);
    hash_chain::verify(record.id, &record.rows, &record.audit).unwrap();
}

async fn repeated_appends_after_the_end_are_harmless(s: Subject) {
    let run = s.run("w1").await;
    let (mut append, _) = run.plan(vec![ended(End::Refused)]);
    append.lease = LeaseChange::Release;
    append.wake_at = Some(append.at);
    assert_eq!(
        s.journal.append(&run.lease, append.clone()).await,
        Ok(AppendResult::Ok)
    );
    assert_eq!(
        s.journal.append(&run.lease, append.clone()).await,
        Ok(AppendResult::Ok)
    );
    // But an overtaken worker must stop, whatever was stored.
    assert_eq!(s.take("w2", 1).await.len(), 1);
    assert_eq!(
        s.journal.append(&run.lease, append).await,
        Err(StoreError::Fenced)
    );
}

async fn conflicting_rows_are_refused(s: Subject) {
    let mut run = s.run("w1").await;
    let twin = run.clone();
    run.append(&*s.journal, vec![read()]).await;
    let (append, _) = twin.plan(vec![ended(End::Refused)]);
    assert_eq!(
        s.journal.append(&twin.lease, append).await,
        Err(StoreError::Fenced)
    );
    assert_eq!(s.load(run.lease.id).await.rows.len(), 2);
}

async fn a_gap_is_refused(s: Subject) {
    let run = s.run("w1").await;
    let (_, later) = run.plan(vec![read()]);
    let (append, _) = later.plan(vec![intended("pay")]);
    assert_eq!(
        s.journal.append(&run.lease, append).await,
        Err(StoreError::Fenced)
    );
    let (mut append, _) = run.plan(vec![read(), intended("pay"), done("pay")]);
    append.rows.remove(1);
    assert!(matches!(
        s.journal.append(&run.lease, append).await,
        Err(StoreError::Failed(_))
    ));
    assert_eq!(s.load(run.lease.id).await.rows.len(), 1);
}

/// L1, L2: the lease expires, another worker takes it, and the late one may not write any more.
async fn a_stalled_worker_is_refused(s: Subject) {
    let stalled = s
        .start(NewExecution {
            lease: SHORT,
            ..new(s.id(), "w1")
        })
        .await;
    assert!(s.take("w2", 10).await.is_empty());
    tokio::time::sleep(SHORT * 2).await;
    let (lease, record) = s.take("w2", 10).await.remove(0);
    assert_eq!(
        (lease.fence, record.fence, record.worker.as_deref()),
        (2, 2, Some("w2"))
    );
    let mut run = Run::resume(lease, &record);
    let (append, _) = stalled.plan(vec![read(), intended("pay")]);
    assert_eq!(
        s.journal.append(&stalled.lease, append.clone()).await,
        Err(StoreError::Fenced)
    );
    assert_eq!(
        s.journal.renew(&stalled.lease, LONG, at()).await,
        Err(StoreError::Fenced)
    );
    assert_eq!(
        s.journal.hand_over(&stalled.lease, at()).await,
        Err(StoreError::Fenced)
    );
    run.append(&*s.journal, vec![read()]).await;
    assert_eq!(
        s.journal.append(&stalled.lease, append).await,
        Err(StoreError::Fenced)
    );
    let impostor = dewy_saga::Lease {
        worker: "w3".to_owned(),
        ..run.lease.clone()
    };
    let (append, _) = run.plan(vec![intended("pay")]);
    assert_eq!(
        s.journal.append(&impostor, append).await,
        Err(StoreError::Fenced)
    );
    assert_eq!(s.load(run.lease.id).await.rows.len(), 2);
}

async fn a_released_lease_is_invalid(s: Subject) {
    let mut run = s.run("w1").await;
    run.rest(&*s.journal, LONG).await;
    let (append, _) = run.plan(vec![read()]);
    assert_eq!(
        s.journal.append(&run.lease, append).await,
        Err(StoreError::Fenced)
    );
    assert_eq!(
        s.journal.renew(&run.lease, LONG, at()).await,
        Err(StoreError::Fenced)
    );
    let nobody = dewy_saga::Lease {
        id: super::stores_under_test::id(9999),
        ..run.lease.clone()
    };
    let (append, _) = run.plan(vec![read()]);
    assert_eq!(
        s.journal.append(&nobody, append).await,
        Err(StoreError::Fenced)
    );
}

async fn a_foreign_projection_key_rolls_everything_back(s: Subject) {
    let mut owner = s.run("w1").await;
    owner
        .append_with(&*s.journal, vec![read()], |a| {
            a.projections = vec![projections("pi_1", 1)]
        })
        .await;
    let run = s.run("w2").await;
    let (mut append, _) = run.plan(vec![read()]);
    append.projections = vec![
        projections("pi_0", 1),
        projections("pi_1", 2),
        projections("pi_2", 3),
    ];
    append.claims = take_claims(&["room:302"], run.mark);
    append.labels = vec![("payment".to_owned(), "pi_1".to_owned())];
    append.answer = Some(json!(1));
    let taken = StoreError::Taken {
        kind: "compensation".to_owned(),
        key: "pi_1".to_owned(),
        owner: owner.lease.id.to_string(),
    };
    assert_eq!(s.journal.append(&run.lease, append).await, Err(taken));
    let record = s.load(run.lease.id).await;
    assert_eq!(
        (
            record.rows.len(),
            record.audit.len(),
            record.labels.len(),
            record.answer
        ),
        (1, 1, 1, None)
    );
    assert_eq!(s.journal.claim_holder("room:302").await.unwrap(), None);
    let rows = s
        .journal
        .projections("compensation", None, 10)
        .await
        .unwrap();
    assert_eq!(
        rows.iter()
            .map(|r| (r.key.as_str(), r.execution, &r.body))
            .collect::<Vec<_>>(),
        [("pi_1", owner.lease.id, &json!({"n": 1}))]
    );
}

async fn projections_are_replaced(s: Subject) {
    let mut run = s.run("w1").await;
    run.append_with(&*s.journal, vec![read()], |a| {
        a.projections = vec![projections("pi_1", 1), projections("pi_2", 1)]
    })
    .await;
    run.append_with(&*s.journal, vec![decided()], |a| {
        a.projections = vec![projections("pi_1", 2), projections("pi_1", 3)]
    })
    .await;
    let rows = s
        .journal
        .projections("compensation", Some(run.lease.id), 10)
        .await
        .unwrap();
    assert_eq!(
        rows.iter()
            .map(|r| (r.key.as_str(), r.body["n"].as_i64().unwrap()))
            .collect::<Vec<_>>(),
        [("pi_1", 3), ("pi_2", 1)]
    );
    assert_eq!(
        s.journal
            .projections("compensation", Some(super::stores_under_test::id(77)), 10)
            .await
            .unwrap(),
        []
    );
    assert_eq!(s.journal.projections("outbox", None, 10).await.unwrap(), []);
    assert_eq!(
        s.journal
            .projections("compensation", None, 1)
            .await
            .unwrap()
            .len(),
        1
    );
}

async fn two_hundred_concurrent_appends(s: Subject) {
    let runs = (0..200).map(|_| {
        let (journal, new) = (s.journal.clone(), new(s.id(), "w1"));
        let (digest, hash) = (new.first.digest.clone(), new.audit.hash.clone());
        tokio::spawn(async move {
            let dewy_saga::journal::BeginResult::New { lease, mark } =
                journal.begin(new).await.unwrap()
            else {
                panic!("not new")
            };
            let mut run = Run {
                lease,
                mark,
                seq: 1,
                digest,
                hash,
                state: State::Queued,
            };
            run.append(&*journal, vec![read(), intended("pay")]).await;
            run.append(&*journal, vec![done("pay"), intended("move")])
                .await;
            run.append_with(&*journal, vec![done("move"), ended(End::Completed)], |a| {
                a.lease = LeaseChange::Release
            })
            .await;
            run.lease.id
        })
    });
    let mut ids: Vec<ExecutionId> = Vec::new();
    for run in runs.collect::<Vec<_>>() {
        ids.push(run.await.unwrap());
    }
    for id in ids {
        let record = s.load(id).await;
        assert_eq!((record.rows.len(), record.state), (7, State::Completed));
        hash_chain::verify(id, &record.rows, &record.audit).unwrap();
    }
}

/// Jobs that share a commit share nothing else: refused ones leave nothing behind, the others are
/// all stored.
async fn a_failed_append_does_not_affect_others(s: Subject) {
    let mut owner = s.run("w0").await;
    owner
        .append_with(&*s.journal, vec![read()], |a| {
            a.projections = vec![projections("pi_1", 1)]
        })
        .await;
    let mut runs = Vec::new();
    for _ in 0..40 {
        runs.push(s.run("w1").await);
    }
    let calls = runs.iter().enumerate().map(|(n, run)| {
        let (journal, mut lease, (mut append, _)) =
            (s.journal.clone(), run.lease.clone(), run.plan(vec![read()]));
        match n % 4 {
            0 => append.projections = vec![projections("pi_1", 2)],
            1 => lease.fence = 7,
            // The database itself refuses this row: two audit rows with one key.
            2 => append.audit.push(append.audit[0].clone()),
            _ => {}
        }
        tokio::spawn(async move { journal.append(&lease, append).await })
    });
    for (n, call) in calls.collect::<Vec<_>>().into_iter().enumerate() {
        let (answer, rows) = (
            call.await.unwrap(),
            s.load(runs[n].lease.id).await.rows.len(),
        );
        match n % 4 {
            0 => assert!(
                matches!(answer, Err(StoreError::Taken { .. })),
                "{n}: {answer:?}"
            ),
            1 => assert_eq!(answer, Err(StoreError::Fenced), "{n}"),
            // Only a database has constraints to break.
            2 if s.store.is_some() => assert!(
                matches!(answer, Err(StoreError::Refused(_))),
                "{n}: {answer:?}"
            ),
            _ => assert_eq!(answer, Ok(AppendResult::Ok), "{n}"),
        }
        assert_eq!(
            rows == 2,
            answer.is_ok(),
            "{n}: {rows} rows after {answer:?}"
        );
    }
}

async fn projections_are_dropped(s: Subject) {
    let mut run = s.run("w1").await;
    run.append_with(&*s.journal, vec![read()], |a| {
        a.projections = vec![projections("pi_1", 1), projections("pi_2", 1)]
    })
    .await;
    s.journal
        .drop_projection("compensation", "pi_1")
        .await
        .unwrap();
    s.journal
        .drop_projection("compensation", "pi_1")
        .await
        .unwrap();
    s.journal.drop_projection("another", "pi_2").await.unwrap();
    let rows = s
        .journal
        .projections("compensation", None, 10)
        .await
        .unwrap();
    assert_eq!(
        rows.iter().map(|r| r.key.as_str()).collect::<Vec<_>>(),
        ["pi_2"]
    );
    // A repeated signal is written again.
    run.append_with(&*s.journal, vec![decided()], |a| {
        a.projections = vec![projections("pi_1", 2)]
    })
    .await;
    assert_eq!(
        s.journal
            .projections("compensation", None, 10)
            .await
            .unwrap()
            .len(),
        2
    );
}
