use super::prelude::*;

every_store!(
    a_signal_to_an_execution_at_rest,
    a_signal_to_a_waiting_execution,
    a_signal_to_a_leased_execution,
    a_signal_to_an_unknown_execution,
    the_same_key_is_one_signal,
    signals_are_handled_with_their_rows,
    a_refused_append_handles_no_signals,
    a_repeated_append_handles_signals_once,
    other_signals_stay_open,
    signaled_executions_are_taken_in_order,
    workers_are_notified_of_a_signal,
    workers_are_notified_when_a_signaled_execution_is_released,
);

/// Two steps and the end: the engine's most frequent writes.
async fn finish(s: &Subject, run: &mut Run) {
    run.append(&*s.journal, vec![read(), intended("pay")]).await;
    run.append_with(&*s.journal, vec![done("pay"), ended(End::Completed)], |a| {
        (a.lease, a.answer) = (LeaseChange::Release, Some(1.into()));
        a.claims = dewy_saga::journal::ClaimChange::Release;
    })
    .await;
}

fn keys(signals: &[Signal]) -> Vec<&str> {
    signals.iter().map(|s| s.key.as_str()).collect()
}

async fn a_signal_to_an_execution_at_rest(s: Subject) {
    let mut run = s.run("w1").await;
    finish(&s, &mut run).await;
    assert!(s.take("w2", 9).await.is_empty());
    let signal = Signal {
        key: "evt_1".to_owned(),
        action: SignalAction::Compensate,
        by: "staff:ann@dewy.test".to_owned(),
        why: "ü \"quoted\"".to_owned(),
    };
    assert!(s.journal.signal(run.lease.id, &signal, at()).await.unwrap());
    assert_eq!(
        s.journal.signals(run.lease.id).await.unwrap(),
        std::slice::from_ref(&signal)
    );
    assert_eq!(
        s.load(run.lease.id).await.signals,
        std::slice::from_ref(&signal)
    );
    let listed = s.journal.list(&newest(9)).await.unwrap();
    assert_eq!(listed[0].signals, std::slice::from_ref(&signal));
    let (lease, record) = s.take("w2", 9).await.remove(0);
    assert_eq!((lease.fence, record.state), (2, State::Completed));
    assert_eq!(record.signals, [signal]);
    assert!(s.take("w3", 9).await.is_empty(), "it is held");
    let mut run = Run::resume(lease, &record);
    run.append_with(&*s.journal, vec![], |a| {
        (a.lease, a.handled) = (LeaseChange::Release, vec!["evt_1".to_owned()])
    })
    .await;
    assert!(s.take("w3", 9).await.is_empty(), "it is answered");
    assert_eq!(s.load(run.lease.id).await.signals, []);
}

async fn a_signal_to_a_waiting_execution(s: Subject) {
    let mut run = s.run("w1").await;
    run.rest(&*s.journal, LONG).await;
    assert!(s.take("w2", 9).await.is_empty());
    assert!(send_signal(&s, run.lease.id, "k1").await);
    let (lease, record) = s.take("w2", 9).await.remove(0);
    let wake = record.wake_at.unwrap();
    assert!(
        wake > at() + LONG / 2,
        "its own time stays what it was: {wake}"
    );
    // Released with the signal answered, it waits for its own time again.
    let mut run = Run::resume(lease, &record);
    run.append_with(&*s.journal, vec![], |a| {
        (a.lease, a.wake_at, a.handled) = (
            LeaseChange::Release,
            Some(at() + LONG),
            vec!["k1".to_owned()],
        );
    })
    .await;
    assert!(s.take("w3", 9).await.is_empty());
}

/// However the holder releases it, it is due immediately: by an end, a pause, a handover, or a
/// crash.
async fn a_signal_to_a_leased_execution(s: Subject) {
    for way in 0..4 {
        let lease = if way == 3 { SHORT } else { LONG };
        let mut run = s
            .start(NewExecution {
                lease,
                ..new(s.id(), "w1")
            })
            .await;
        assert!(send_signal(&s, run.lease.id, "k1").await);
        if way < 3 {
            assert!(s.take("w2", 9).await.is_empty(), "it is held");
        }
        assert_eq!(
            keys(&s.journal.signals(run.lease.id).await.unwrap()),
            ["k1"],
            "its holder can see it"
        );
        match way {
            0 => finish(&s, &mut run).await,
            1 => run.rest(&*s.journal, LONG).await,
            2 => s.journal.hand_over(&run.lease, at()).await.unwrap(),
            _ => tokio::time::sleep(SHORT * 2).await,
        }
        let taken = s.take("w2", 9).await;
        assert_eq!(taken.len(), 1, "{way}");
        assert_eq!(keys(&taken[0].1.signals), ["k1"]);
    }
}

async fn a_signal_to_an_unknown_execution(s: Subject) {
    assert!(!send_signal(&s, id(4711), "k1").await);
    assert_eq!(s.journal.signals(id(4711)).await.unwrap(), []);
    // An execution created later under that id has none.
    let run = s.start(new(id(4711), "w1")).await;
    assert_eq!(s.load(run.lease.id).await.signals, []);
}

async fn the_same_key_is_one_signal(s: Subject) {
    let mut run = s.run("w1").await;
    run.rest(&*s.journal, LONG).await;
    let id = run.lease.id;
    let calls = (0..12).map(|_| {
        let journal = s.journal.clone();
        tokio::spawn(async move {
            let signal = Signal {
                key: "evt".to_owned(),
                action: SignalAction::Recheck,
                by: "webhook".to_owned(),
                why: String::new(),
            };
            journal.signal(id, &signal, at()).await.unwrap()
        })
    });
    for call in calls.collect::<Vec<_>>() {
        assert!(call.await.unwrap());
    }
    assert_eq!(keys(&s.journal.signals(id).await.unwrap()), ["evt"]);
    let (lease, record) = s.take("w2", 9).await.remove(0);
    let mut run = Run::resume(lease, &record);
    run.append_with(&*s.journal, vec![], |a| {
        (a.lease, a.handled) = (LeaseChange::Release, vec!["evt".to_owned()])
    })
    .await;
    // An event is delivered again days later: it was answered.
    assert!(send_signal(&s, id, "evt").await);
    assert_eq!(s.journal.signals(id).await.unwrap(), []);
    assert!(s.take("w3", 9).await.is_empty());
    // The same key is another signal for another execution.
    let mut other = s.run("w1").await;
    other.rest(&*s.journal, LONG).await;
    assert!(send_signal(&s, other.lease.id, "evt").await);
    assert_eq!(s.take("w3", 9).await.len(), 1);
}

async fn signals_are_handled_with_their_rows(s: Subject) {
    let mut run = s.run("w1").await;
    send_signal(&s, run.lease.id, "k1").await;
    run.append_with(&*s.journal, vec![read()], |a| {
        a.handled = vec!["k1".to_owned(), "never said".to_owned()]
    })
    .await;
    let record = s.load(run.lease.id).await;
    assert_eq!((record.rows.len(), record.signals.len()), (2, 0));
    finish_quietly(&s, run).await;
}

async fn finish_quietly(s: &Subject, mut run: Run) {
    run.append_with(&*s.journal, vec![], |a| a.lease = LeaseChange::Release)
        .await;
    assert!(s.take("w9", 9).await.is_empty(), "nothing is open");
}

async fn a_refused_append_handles_no_signals(s: Subject) {
    let run = s.run("w1").await;
    let id = run.lease.id;
    send_signal(&s, id, "k1").await;
    let mut other = s.run("w2").await;
    let mark = other.mark;
    other
        .append_with(&*s.journal, vec![read()], |a| {
            (a.claims, a.projections) = (
                take_claims(&["room:302"], mark),
                vec![projections("pi_1", 1)],
            );
        })
        .await;
    let hears = |run: &Run| {
        let mut append = run.plan(vec![read()]).0;
        append.handled = vec!["k1".to_owned()];
        append
    };
    let mut held = hears(&run);
    held.claims = take_claims(&["room:302"], run.mark);
    assert_eq!(
        s.journal.append(&run.lease, held).await,
        Ok(AppendResult::Held { by: other.lease.id })
    );
    let mut taken = hears(&run);
    taken.projections = vec![projections("pi_1", 2)];
    assert!(matches!(
        s.journal.append(&run.lease, taken).await,
        Err(StoreError::Taken { .. })
    ));
    s.journal.hand_over(&run.lease, at()).await.unwrap();
    let heir = s.take("w3", 9).await.remove(0).0;
    assert_eq!(
        s.journal.append(&run.lease, hears(&run)).await,
        Err(StoreError::Fenced)
    );
    assert_eq!(keys(&s.journal.signals(id).await.unwrap()), ["k1"]);
    s.journal.hand_over(&heir, at()).await.unwrap();
    assert_eq!(keys(&s.take("w4", 9).await[0].1.signals), ["k1"]);
}

async fn a_repeated_append_handles_signals_once(s: Subject) {
    let run = s.run("w1").await;
    send_signal(&s, run.lease.id, "k1").await;
    let (mut append, after) = run.plan(vec![read()]);
    append.handled = vec!["k1".to_owned()];
    assert_eq!(
        s.journal.append(&run.lease, append.clone()).await,
        Ok(AppendResult::Ok)
    );
    // The answer was lost, and meanwhile another signal arrives.
    send_signal(&s, run.lease.id, "k2").await;
    assert_eq!(
        s.journal.append(&run.lease, append).await,
        Ok(AppendResult::Ok)
    );
    assert_eq!(
        keys(&s.journal.signals(after.lease.id).await.unwrap()),
        ["k2"]
    );
}

async fn other_signals_stay_open(s: Subject) {
    let mut run = s.run("w1").await;
    for key in ["k3", "k1", "k2"] {
        send_signal(&s, run.lease.id, key).await;
    }
    assert_eq!(
        keys(&s.load(run.lease.id).await.signals),
        ["k3", "k1", "k2"],
        "in order of arrival"
    );
    run.append_with(&*s.journal, vec![read()], |a| {
        (a.lease, a.handled) = (LeaseChange::Release, vec!["k3".to_owned(), "k2".to_owned()]);
    })
    .await;
    let (lease, record) = s.take("w2", 9).await.remove(0);
    assert_eq!(keys(&record.signals), ["k1"]);
    let mut run = Run::resume(lease, &record);
    run.append_with(&*s.journal, vec![], |a| a.handled = vec!["k1".to_owned()])
        .await;
    finish_quietly(&s, run).await;
}

async fn signaled_executions_are_taken_in_order(s: Subject) {
    let mut ids = Vec::new();
    for n in 0..4 {
        let mut run = s.run("w1").await;
        run.append(
            &*s.journal,
            if n == 2 {
                vec![read(), decided()]
            } else {
                vec![read()]
            },
        )
        .await;
        // The first is overdue anyway; the others would wait.
        let wake = if n == 0 {
            at() - Duration::from_secs(60)
        } else {
            at() + LONG
        };
        run.append_with(&*s.journal, vec![], |a| {
            (a.lease, a.wake_at) = (LeaseChange::Release, Some(wake))
        })
        .await;
        ids.push(run.lease.id);
    }
    for n in [3, 1, 2] {
        send_signal(&s, ids[n], "k").await;
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let taken: Vec<_> = s
        .take("w2", 3)
        .await
        .into_iter()
        .map(|(l, _)| l.id)
        .collect();
    assert_eq!(taken, [ids[2], ids[0], ids[3]]);
    assert_eq!(s.take("w2", 3).await.len(), 1);
}

async fn quiet(s: &Subject) {
    // Postgres' listener connects in the background, slightly later.
    tokio::time::sleep(Duration::from_millis(300)).await;
    s.journal.wait_for_work(Duration::from_millis(1)).await;
}

async fn assert_wakes(s: &Subject, act: impl Future<Output = ()>) {
    let journal = s.journal.clone();
    let waits = tokio::spawn(async move { journal.wait_for_work(Duration::from_secs(20)).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    act.await;
    tokio::time::timeout(Duration::from_secs(5), waits)
        .await
        .expect("it did not ring")
        .unwrap();
    for _ in 0..4 {
        s.journal.wait_for_work(Duration::from_millis(20)).await;
    }
}

async fn workers_are_notified_of_a_signal(s: Subject) {
    let mut run = s.run("w1").await;
    run.rest(&*s.journal, LONG).await;
    quiet(&s).await;
    assert_wakes(&s, async {
        assert!(send_signal(&s, run.lease.id, "k").await)
    })
    .await;
}

/// A waiting worker checked while it was held, and is asleep again.
async fn workers_are_notified_when_a_signaled_execution_is_released(s: Subject) {
    let (mut one, mut two) = (s.run("w1").await, s.run("w1").await);
    send_signal(&s, one.lease.id, "k").await;
    send_signal(&s, two.lease.id, "k").await;
    quiet(&s).await;
    assert_wakes(&s, finish(&s, &mut one)).await;
    assert_wakes(&s, two.rest(&*s.journal, LONG)).await;
}
