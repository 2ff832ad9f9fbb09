use super::prelude::*;

every_sql_store!(
    concurrent_signals_and_appends,
    notifications_reach_other_instances
);

/// Many signals arrive while the execution is repeatedly taken, answers what it sees and ends:
/// finally every signal is answered, and none twice.
async fn concurrent_signals_and_appends(s: Subject) {
    let mut run = s.run("w0").await;
    let id = run.lease.id;
    run.append_with(&*s.journal, vec![read()], |a| {
        a.lease = LeaseChange::Release
    })
    .await;
    let speakers = (0..8).map(|speaker| {
        let journal = s.journal.clone();
        tokio::spawn(async move {
            for n in 0..12 {
                let key = format!("{speaker}-{n}");
                let signal = Signal {
                    key,
                    action: SignalAction::Recheck,
                    by: "webhook".to_owned(),
                    why: String::new(),
                };
                assert!(journal.signal(id, &signal, at()).await.unwrap());
                tokio::time::sleep(Duration::from_millis(n)).await;
            }
        })
    });
    let speakers: Vec<_> = speakers.collect();
    let mut handled = Vec::new();
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    while handled.len() < 96 {
        assert!(
            std::time::Instant::now() < deadline,
            "only {} were heard",
            handled.len()
        );
        for (lease, record) in s.take("w1", 1).await {
            assert!(!record.signals.is_empty(), "taken for nothing");
            let mut run = Run::resume(lease, &record);
            let now: Vec<String> = record.signals.into_iter().map(|s| s.key).collect();
            handled.extend(now.clone());
            run.append_with(&*s.journal, vec![intended("look")], |a| {
                (a.lease, a.handled) = (LeaseChange::Release, now)
            })
            .await;
        }
        tokio::task::yield_now().await;
    }
    for speaker in speakers {
        speaker.await.unwrap();
    }
    handled.sort_unstable();
    handled.dedup();
    assert_eq!(handled.len(), 96);
    assert!(s.take("w2", 1).await.is_empty());
}

/// A signal to one instance reaches another; on SQLite the other is a command beside the serving
/// process.
async fn notifications_reach_other_instances(s: Subject) {
    let clock = std::sync::Arc::new(super::stores_under_test::WallClock);
    let second = dewy_store::Store::open(&s.url, clock).await.unwrap();
    let mut run = s.run("w1").await;
    let signal = Signal {
        key: "k".to_owned(),
        action: SignalAction::Recheck,
        by: "sweep".to_owned(),
        why: String::new(),
    };
    assert!(second.signal(run.lease.id, &signal, at()).await.unwrap());
    assert!(second.signal(run.lease.id, &signal, at()).await.unwrap());
    assert!(
        second
            .take("w2", &DueFilter::any(9), LONG, at())
            .await
            .unwrap()
            .is_empty()
    );
    run.append_with(&*s.journal, vec![read()], |a| {
        a.lease = LeaseChange::Release
    })
    .await;
    let all = DueFilter::any(9);
    let (one, two) = tokio::join!(
        second.take("w2", &all, LONG, at()),
        s.journal.take("w1", &all, LONG, at())
    );
    assert_eq!(one.unwrap().len() + two.unwrap().len(), 1);
}
