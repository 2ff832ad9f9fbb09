use super::prelude::*;

every_store!(
    executions_are_counted_per_state,
    executions_are_found_by_all_labels,
    executions_are_found_by_any_of_many_values,
    lists_respect_their_filter
);

async fn executions_are_counted_per_state(s: Subject) {
    assert_eq!(s.journal.counts().await.unwrap(), []);
    for n in 0..5 {
        let mut run = s.run("w1").await;
        if n < 3 {
            run.append(&*s.journal, vec![read()]).await;
        }
    }
    assert_eq!(
        s.journal.counts().await.unwrap(),
        [(State::Queued, 2), (State::Running, 3)]
    );
    assert_eq!(
        s.journal.open_counts().await.unwrap(),
        [(State::Queued, 2), (State::Running, 3)]
    );
}

async fn executions_are_found_by_all_labels(s: Subject) {
    let mut ids = Vec::new();
    for labels in [
        &[("a", "1")][..],
        &[("a", "1"), ("b", "2")],
        &[("a", "2"), ("b", "2")],
        &[],
    ] {
        let labels = pairs(labels);
        let run = s
            .start(NewExecution {
                labels,
                ..new(s.id(), "w1")
            })
            .await;
        ids.push(run.lease.id);
    }
    let find = async |labels: &[(&str, &str)]| {
        let labels = pairs(labels);
        let found = s
            .journal
            .list(&ExecutionFilter {
                labels,
                limit: 9,
                ..ExecutionFilter::default()
            })
            .await
            .unwrap();
        let mut found: Vec<_> = found
            .into_iter()
            .map(|r| ids.iter().position(|id| *id == r.id).unwrap())
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(find(&[]).await, [0, 1, 2, 3]);
    assert_eq!(find(&[("a", "1")]).await, [0, 1]);
    assert_eq!(find(&[("b", "2"), ("a", "1")]).await, [1]);
    assert_eq!(find(&[("b", "2"), ("b", "2")]).await, [1, 2]);
    assert_eq!(find(&[("a", "1"), ("a", "2")]).await, [0_usize; 0]);
    assert_eq!(find(&[("c", "1")]).await, [0_usize; 0]);
}

async fn executions_are_found_by_any_of_many_values(s: Subject) {
    let mut ids = Vec::new();
    for labels in [
        &[("a", "1"), ("b", "3")][..],
        &[("a", "1")],
        &[("a", "2")],
        &[("b", "1")],
        &[],
    ] {
        let labels = pairs(labels);
        let run = s
            .start(NewExecution {
                labels,
                ..new(s.id(), "w1")
            })
            .await;
        ids.push(run.lease.id);
    }
    let find = async |name: &str, values: &[&str]| {
        let values: Vec<String> = values.iter().map(|v| (*v).to_owned()).collect();
        let found = s.journal.labelled(name, &values).await.unwrap();
        let place = |id| ids.iter().position(|other| *other == id).unwrap();
        let mut found: Vec<_> = found
            .into_iter()
            .map(|(value, id)| (value, place(id)))
            .collect();
        found.sort_unstable();
        found
    };
    let pair = |value: &str, place: usize| (value.to_owned(), place);
    assert_eq!(
        find("a", &["1", "2"]).await,
        [pair("1", 0), pair("1", 1), pair("2", 2)]
    );
    assert_eq!(find("b", &["3", "4"]).await, [pair("3", 0)]);
    assert_eq!(find("a", &[]).await, []);
    assert_eq!(find("c", &["1"]).await, []);

    let wanted = [ids[4], s.id(), ids[0]];
    let mut loaded: Vec<_> = s.journal.load_all(&wanted).await.unwrap();
    loaded.sort_by_key(|record| ids.iter().position(|id| *id == record.id));
    let found: Vec<_> = loaded
        .iter()
        .map(|r| (r.id, r.rows.len(), r.audit.len(), r.labels.len()))
        .collect();
    assert_eq!(
        found,
        [(ids[0], 1, 1, 2), (ids[4], 1, 1, 0)],
        "with journals, and without the one there is not"
    );
}

/// Each kind of query has its own statement; all must match a scan of everything.
async fn lists_respect_their_filter(s: Subject) {
    for n in 0..24 {
        let saga = ["a", "b", "c"][n % 3].to_owned();
        let labels = vec![("room".to_owned(), (n % 2).to_string())];
        let mut run = s
            .start(NewExecution {
                saga,
                labels,
                ..new(s.id(), "w1")
            })
            .await;
        if n % 4 > 0 {
            run.append(&*s.journal, vec![read()]).await;
        }
        if n % 4 == 3 {
            run.append(&*s.journal, vec![ended(End::Completed)]).await;
        }
    }
    let all = s.journal.list(&newest(99)).await.unwrap();
    assert_eq!(all.len(), 24);
    assert!(
        all.windows(2)
            .all(|w| (w[0].created_at, w[0].id) > (w[1].created_at, w[1].id)),
        "newest first"
    );
    let (from, to) = (all[18].created_at, all[4].created_at);
    let states: [&[State]; 4] = [
        &[],
        &[State::Queued],
        &[State::Running, State::Completed],
        &[State::Waiting],
    ];
    for states in states {
        let sagas = [
            (None, None),
            (None, Some("b")),
            (Some("b"), None),
            (Some("b"), Some("b")),
            (Some("nobody's"), None),
        ];
        for (saga, not_saga) in sagas {
            for labels in [&[][..], &[("room", "1")]] {
                for (from, to) in [(None, None), (Some(from), None), (Some(from), Some(to))] {
                    for limit in [2, 99] {
                        let filter = ExecutionFilter {
                            states: states.to_vec(),
                            saga: saga.map(str::to_owned),
                            not_saga: not_saga.map(str::to_owned),
                            labels: pairs(labels),
                            from,
                            to,
                            limit,
                        };
                        let fits = |r: &&ExecutionRecord| {
                            (states.is_empty() || states.contains(&r.state))
                                && saga.is_none_or(|saga| r.saga == saga)
                                && not_saga.is_none_or(|saga| r.saga != saga)
                                && filter.labels.iter().all(|label| r.labels.contains(label))
                                && from.is_none_or(|from| r.created_at >= from)
                                && to.is_none_or(|to| r.created_at < to)
                        };
                        let wanted: Vec<_> = all.iter().filter(fits).take(limit).cloned().collect();
                        assert_eq!(s.journal.list(&filter).await.unwrap(), wanted, "{filter:?}");
                    }
                }
            }
        }
    }
    let ids = [all[3].id, all[0].id];
    let mut heads = s.journal.heads(&ids).await.unwrap();
    heads.sort_by_key(|head| head.id != ids[0]);
    assert_eq!(heads, [all[3].clone(), all[0].clone()]);
}
