use std::collections::BTreeSet;

use super::prelude::*;

every_store!(
    compensations_are_taken_first_then_the_longest_due,
    executions_are_not_taken_early,
    a_renewed_lease_does_not_lapse,
    an_append_can_renew,
    a_handed_over_execution_is_due_at_once,
    a_woken_execution_is_due_at_once,
    a_repeatedly_woken_execution_waits_after_its_last_row,
    each_execution_is_taken_once,
    workers_are_notified_of_due_work,
    unknown_definitions_are_not_taken,
    lost_workers_are_counted_until_a_row_is_appended,
    suspects_are_taken_separately,
    only_compensations_are_taken_on_request,
);

async fn compensations_are_taken_first_then_the_longest_due(s: Subject) {
    let mut ids = Vec::new();
    for n in 0..4_u64 {
        let mut run = s.run("w1").await;
        let events = if n == 2 {
            vec![read(), decided()]
        } else {
            vec![read()]
        };
        run.append(&*s.journal, events).await;
        let wake = at() - Duration::from_secs(100 - 10 * n);
        run.append_with(&*s.journal, vec![], |a| {
            (a.lease, a.wake_at) = (LeaseChange::Release, Some(wake))
        })
        .await;
        ids.push(run.lease.id);
    }
    let first: Vec<_> = s
        .take("w2", 2)
        .await
        .into_iter()
        .map(|(l, _)| l.id)
        .collect();
    assert_eq!(first, [ids[2], ids[0]]);
    let then: Vec<_> = s
        .take("w3", 9)
        .await
        .into_iter()
        .map(|(l, _)| l.id)
        .collect();
    assert_eq!(then, [ids[1], ids[3]]);
    assert!(s.take("w4", 9).await.is_empty());
}

async fn executions_are_not_taken_early(s: Subject) {
    let mut later = s.run("w1").await;
    later.rest(&*s.journal, Duration::from_hours(1)).await;
    let mut never = s.run("w1").await;
    never
        .append_with(&*s.journal, vec![], |a| a.lease = LeaseChange::Release)
        .await;
    let mut soon = s.run("w1").await;
    soon.rest(&*s.journal, SHORT).await;
    tokio::time::sleep(SHORT * 2).await;
    let taken = s.take("w2", 9).await;
    assert_eq!(
        taken.iter().map(|(l, _)| l.id).collect::<Vec<_>>(),
        [soon.lease.id]
    );
    assert_eq!(taken[0].1.rows.len(), 1);
}

async fn a_renewed_lease_does_not_lapse(s: Subject) {
    let run = s
        .start(NewExecution {
            lease: SHORT,
            ..super::stores_under_test::new(s.id(), "w1")
        })
        .await;
    s.journal.renew(&run.lease, LONG, at()).await.unwrap();
    // A shorter renewal does not shorten the lease.
    s.journal.renew(&run.lease, SHORT, at()).await.unwrap();
    tokio::time::sleep(SHORT * 2).await;
    assert!(s.take("w2", 9).await.is_empty());
}

async fn an_append_can_renew(s: Subject) {
    let mut run = s
        .start(NewExecution {
            lease: SHORT,
            ..super::stores_under_test::new(s.id(), "w1")
        })
        .await;
    run.append_with(&*s.journal, vec![read()], |a| {
        a.lease = LeaseChange::For(LONG)
    })
    .await;
    let mut kept = s
        .start(NewExecution {
            lease: SHORT,
            ..super::stores_under_test::new(s.id(), "w1")
        })
        .await;
    kept.append(&*s.journal, vec![read()]).await;
    tokio::time::sleep(SHORT * 2).await;
    assert_eq!(
        s.take("w2", 9)
            .await
            .iter()
            .map(|(l, _)| l.id)
            .collect::<Vec<_>>(),
        [kept.lease.id]
    );
}

async fn a_handed_over_execution_is_due_at_once(s: Subject) {
    let run = s.run("w1").await;
    s.journal.hand_over(&run.lease, at()).await.unwrap();
    let (lease, record) = s.take("w2", 9).await.remove(0);
    assert_eq!((lease.id, lease.fence), (run.lease.id, 2));
    // And the worker that took it can continue.
    Run::resume(lease, &record)
        .append(&*s.journal, vec![read()])
        .await;
}

async fn a_woken_execution_is_due_at_once(s: Subject) {
    let mut run = s.run("w1").await;
    assert!(
        !s.journal.wake(run.lease.id, Duration::ZERO).await.unwrap(),
        "somebody holds it"
    );
    assert!(
        !s.journal
            .wake(super::stores_under_test::id(4711), Duration::ZERO)
            .await
            .unwrap(),
        "there is none"
    );
    run.rest(&*s.journal, LONG).await;
    assert!(s.take("w2", 9).await.is_empty());
    assert!(s.journal.wake(run.lease.id, Duration::ZERO).await.unwrap());
    assert_eq!(s.take("w2", 9).await.len(), 1);
}

/// Whoever wakes it in a loop runs it once per pause.
async fn a_repeatedly_woken_execution_waits_after_its_last_row(s: Subject) {
    let mut run = s.run("w1").await;
    run.rest(&*s.journal, LONG).await;
    let id = run.lease.id;
    assert!(s.journal.wake(id, LONG / 2).await.unwrap());
    assert!(!s.journal.wake(id, LONG / 2).await.unwrap(), "no change");
    assert!(s.take("w2", 9).await.is_empty(), "its row is new");
    assert!(s.journal.wake(id, Duration::ZERO).await.unwrap());
    assert!(!s.journal.wake(id, LONG / 2).await.unwrap(), "never later");
    assert_eq!(s.take("w2", 9).await.len(), 1);
}

/// L2: however many workers are concurrent.
async fn each_execution_is_taken_once(s: Subject) {
    for _ in 0..30 {
        let run = s.run("w1").await;
        s.journal.hand_over(&run.lease, at()).await.unwrap();
    }
    let takers = (0..8).map(|n| {
        let journal = s.journal.clone();
        tokio::spawn(async move {
            let mut mine = Vec::new();
            for _ in 0..6 {
                mine.extend(
                    journal
                        .take(&format!("t{n}"), &DueFilter::any(3), LONG, at())
                        .await
                        .unwrap()
                        .into_iter()
                        .map(|(l, _)| l),
                );
            }
            mine
        })
    });
    let mut all = Vec::new();
    for taker in takers.collect::<Vec<_>>() {
        all.extend(taker.await.unwrap());
    }
    all.extend(s.take("last", 99).await.into_iter().map(|(l, _)| l));
    assert_eq!(all.len(), 30);
    assert_eq!(all.iter().map(|l| l.id).collect::<BTreeSet<_>>().len(), 30);
    for lease in all {
        assert_eq!(lease.fence, 2);
        s.journal.renew(&lease, LONG, at()).await.unwrap();
    }
}

async fn workers_are_notified_of_due_work(s: Subject) {
    // Postgres' listener connects in the background, slightly later.
    tokio::time::sleep(Duration::from_millis(300)).await;
    s.journal.wait_for_work(Duration::from_millis(1)).await;
    let waits = {
        let journal = s.journal.clone();
        tokio::spawn(async move { journal.wait_for_work(Duration::from_secs(20)).await })
    };
    tokio::time::sleep(Duration::from_millis(50)).await;
    let run = s.run("w1").await;
    s.journal.hand_over(&run.lease, at()).await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), waits)
        .await
        .expect("it did not ring")
        .unwrap();
    let quiet = std::time::Instant::now();
    for _ in 0..3 {
        s.journal.wait_for_work(Duration::from_millis(40)).await;
    }
    assert!(
        quiet.elapsed() >= Duration::from_millis(70),
        "it rings without end"
    );
}

/// Two releases side by side: the older one does not even increase the fencing token of executions
/// only the newer one knows.
async fn unknown_definitions_are_not_taken(s: Subject) {
    let run = s.run("w1").await;
    s.journal.hand_over(&run.lease, at()).await.unwrap();
    let before = s.load(run.lease.id).await;
    let older = DueFilter {
        definitions: Some(Arc::from(["another/1".to_owned()])),
        ..DueFilter::any(9)
    };
    assert!(
        s.journal
            .take("older", &older, LONG, at())
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        s.journal.due_elsewhere(&older).await,
        Ok(vec![run.lease.id])
    );
    let none = DueFilter { limit: 0, ..older };
    assert_eq!(s.journal.due_elsewhere(&none).await, Ok(vec![]));
    assert_eq!(s.load(run.lease.id).await, before);
    let key = format!("{}/{}", before.saga, before.version);
    let newer = DueFilter {
        definitions: Some(Arc::from(["another/1".to_owned(), key])),
        ..DueFilter::any(9)
    };
    assert_eq!(s.journal.due_elsewhere(&newer).await, Ok(vec![]));
    assert_eq!(
        s.journal
            .take("newer", &newer, LONG, at())
            .await
            .unwrap()
            .len(),
        1
    );
}

async fn lost_workers_are_counted_until_a_row_is_appended(s: Subject) {
    let lost = async || {
        tokio::time::sleep(SHORT * 2).await;
        s.journal
            .take("w2", &DueFilter::any(1), SHORT, at())
            .await
            .unwrap()
            .remove(0)
    };
    s.start(NewExecution {
        lease: SHORT,
        ..super::stores_under_test::new(s.id(), "w1")
    })
    .await;
    assert_eq!(lost().await.1.lapses, 1);
    assert_eq!(lost().await.1.lapses, 2);
    let (lease, record) = lost().await;
    assert_eq!(record.lapses, 3);
    let mut run = Run::resume(lease, &record);
    run.append(&*s.journal, vec![read()]).await;
    let (lease, record) = lost().await;
    assert_eq!(record.lapses, 1, "it had got further");
    s.journal.hand_over(&lease, at()).await.unwrap();
    assert_eq!(
        s.take("w3", 1).await[0].1.lapses,
        1,
        "who gives it back is not lost"
    );
}

/// Suspects are taken by themselves, and who gives one back has not cleared it.
async fn suspects_are_taken_separately(s: Subject) {
    let filter = |lapses| DueFilter {
        lapses,
        ..DueFilter::any(9)
    };
    let taken = async |lapses| {
        let found = s.journal.take("w2", &filter(lapses), SHORT, at()).await;
        found
            .unwrap()
            .into_iter()
            .map(|(lease, record)| (lease, record.lapses))
    };
    let start = async || {
        let new = NewExecution {
            lease: SHORT,
            ..super::stores_under_test::new(s.id(), "w1")
        };
        s.start(new).await
    };
    let lost = start().await.lease.id;
    for lapses in 1..=2 {
        tokio::time::sleep(SHORT * 2).await;
        assert_eq!(
            taken(0..=lapses - 1).await.count(),
            0,
            "it is lost {lapses} times"
        );
        let (lease, counted) = taken(lapses..=u32::MAX).await.next().unwrap();
        assert_eq!((lease.id, counted), (lost, lapses));
    }
    let fresh = start().await.lease.id;
    tokio::time::sleep(SHORT * 2).await;
    let others: Vec<_> = taken(0..=1).await.map(|(lease, _)| lease).collect();
    assert_eq!(others.iter().map(|l| l.id).collect::<Vec<_>>(), [fresh]);
    s.journal.hand_over(&others[0], at()).await.unwrap();
    let suspects: Vec<_> = taken(2..=u32::MAX).await.collect();
    let counted: Vec<_> = suspects.iter().map(|(l, lapses)| (l.id, *lapses)).collect();
    assert_eq!(counted, [(lost, 3)]);
    let lease = &suspects[0].0;
    s.journal.hand_over(lease, at()).await.unwrap();
    assert!(!taken(0..=2).await.any(|(lease, _)| lease.id == lost));
    assert!(taken(3..=3).await.any(|(lease, _)| lease.id == lost));
}

async fn only_compensations_are_taken_on_request(s: Subject) {
    let mut back = s.run("w1").await;
    back.append(&*s.journal, vec![read(), decided()]).await;
    let forward = s.run("w1").await;
    for lease in [&back.lease, &forward.lease] {
        s.journal.hand_over(lease, at()).await.unwrap();
    }
    let filter = DueFilter {
        compensating_only: true,
        ..DueFilter::any(9)
    };
    let taken = s.journal.take("w2", &filter, LONG, at()).await.unwrap();
    assert_eq!(
        taken.iter().map(|(l, _)| l.id).collect::<Vec<_>>(),
        [back.lease.id]
    );
    assert_eq!(
        s.journal.due_elsewhere(&DueFilter::any(9)).await,
        Ok(vec![]),
        "what is known waits, and is not left alone"
    );
}
