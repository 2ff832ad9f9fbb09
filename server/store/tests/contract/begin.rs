use super::prelude::*;

every_store!(
    concurrent_begins_create_one_execution,
    another_input_is_a_mismatch,
    a_freed_token_can_be_reused,
    the_same_call_again_gives_the_same_lease,
    a_repeated_begin_gets_no_lease_after_a_takeover,
    tokens_are_per_caller,
    new_executions_round_trip,
    executions_are_listed_by_filter,
);

async fn concurrent_begins_create_one_execution(s: Subject) {
    let calls = (0..20).map(|_| {
        let (journal, new) = (s.journal.clone(), with_token(s.id(), "w1", "t1"));
        tokio::spawn(async move { journal.begin(new).await.unwrap() })
    });
    let mut new = Vec::new();
    let mut existing = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        match call.await.unwrap() {
            BeginResult::New { lease, .. } => new.push(lease.id),
            BeginResult::Existing(record) => existing.push(record.id),
            BeginResult::Mismatch(other) => panic!("{other} is no mismatch"),
        }
    }
    assert_eq!(new.len(), 1);
    assert_eq!(existing, vec![new[0]; 19]);
    assert_eq!(s.load(new[0]).await.rows.len(), 1);
}

async fn another_input_is_a_mismatch(s: Subject) {
    let run = s.start(with_token(s.id(), "w1", "t1")).await;
    let other = NewExecution {
        input_digest: "d2".to_owned(),
        ..with_token(s.id(), "w1", "t1")
    };
    let id = other.id;
    assert!(
        matches!(s.journal.begin(other).await.unwrap(), BeginResult::Mismatch(found) if found == run.lease.id)
    );
    assert_eq!(s.journal.load(id).await.unwrap(), None);
}

async fn a_freed_token_can_be_reused(s: Subject) {
    let mut run = s.start(with_token(s.id(), "w1", "t1")).await;
    let end = dewy_saga::End::Refused;
    let free =
        |a: &mut dewy_saga::journal::Append| (a.free_token, a.lease) = (true, LeaseChange::Release);
    run.append_with(
        &*s.journal,
        vec![super::stores_under_test::ended(end)],
        free,
    )
    .await;
    assert_eq!(
        s.journal
            .find_token("guest:beth.gibbs@email.com", "t1")
            .await
            .unwrap(),
        None
    );
    let again = s.start(with_token(s.id(), "w1", "t1")).await;
    assert_ne!(again.lease.id, run.lease.id);
    assert_eq!(s.load(run.lease.id).await.token, None);
}

async fn the_same_call_again_gives_the_same_lease(s: Subject) {
    for new in [
        with_token(s.id(), "w1", "t1"),
        NewExecution {
            token: None,
            ..with_token(s.id(), "w1", "")
        },
    ] {
        let first = s.start(new.clone()).await;
        let again = s.start(new).await;
        assert_eq!(first.lease, again.lease);
        assert_eq!(s.load(first.lease.id).await.rows.len(), 1);
    }
}

async fn a_repeated_begin_gets_no_lease_after_a_takeover(s: Subject) {
    let new = with_token(s.id(), "w1", "t1");
    let run = s.start(new.clone()).await;
    s.journal.hand_over(&run.lease, at()).await.unwrap();
    assert_eq!(s.take("w2", 10).await.len(), 1);
    assert!(
        matches!(s.journal.begin(new).await.unwrap(), BeginResult::Existing(record) if record.fence == 2)
    );
}

async fn tokens_are_per_caller(s: Subject) {
    let run = s.start(with_token(s.id(), "w1", "t1")).await;
    let other = s
        .start(NewExecution {
            caller: "staff:ann".to_owned(),
            ..with_token(s.id(), "w1", "t1")
        })
        .await;
    assert_ne!(run.lease.id, other.lease.id);
    let found = s
        .journal
        .find_token("staff:ann", "t1")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.id, other.lease.id);
}

async fn new_executions_round_trip(s: Subject) {
    let new = with_token(s.id(), "w1", "t1");
    let run = s.start(new.clone()).await;
    let record = s.load(run.lease.id).await;
    assert_eq!(
        (
            record.saga,
            record.version,
            record.caller,
            record.interface,
            record.token,
            record.input,
            record.labels
        ),
        (
            new.saga,
            new.version,
            new.caller,
            new.interface,
            new.token,
            new.input,
            new.labels
        )
    );
    assert_eq!(
        (record.state, record.fence, record.worker.as_deref()),
        (State::Queued, 1, Some("w1"))
    );
    assert_eq!(record.created_at.as_microsecond(), new.at.as_microsecond());
    assert_eq!(
        (
            record.rows[0].digest.as_str(),
            record.audit[0].hash.as_str()
        ),
        (new.first.digest.as_str(), new.audit.hash.as_str())
    );
    dewy_saga::hash_chain::verify(record.id, &record.rows, &record.audit).unwrap();
}

async fn executions_are_listed_by_filter(s: Subject) {
    let mut ids = Vec::new();
    for n in 0..6 {
        let mut new = with_token(s.id(), "w1", &format!("t{n}"));
        new.saga = if n % 2 == 0 {
            "check_out"
        } else {
            "room_change"
        }
        .to_owned();
        new.labels
            .push(("booking_number".to_owned(), format!("B-{}", n / 2)));
        ids.push(new.id);
        let mut run = s.start(new).await;
        if n < 3 {
            run.append(&*s.journal, vec![read()]).await;
        }
    }
    let list = async |change: &dyn Fn(&mut ExecutionFilter)| {
        let mut filter = newest(100);
        change(&mut filter);
        let found = s.journal.list(&filter).await.unwrap();
        let place = |r: &ExecutionRecord| ids.iter().position(|id| *id == r.id).unwrap();
        found.iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(list(&|_| ()).await, [5, 4, 3, 2, 1, 0]);
    assert_eq!(list(&|f| f.limit = 2).await, [5, 4]);
    assert_eq!(list(&|f| f.states = vec![State::Running]).await, [2, 1, 0]);
    assert_eq!(
        list(&|f| f.states = vec![State::NeedsAttention, State::Queued]).await,
        [5, 4, 3]
    );
    assert_eq!(
        list(&|f| f.saga = Some("room_change".to_owned())).await,
        [5, 3, 1]
    );
    assert_eq!(
        list(&|f| f.labels = vec![("booking_number".to_owned(), "B-1".to_owned())]).await,
        [3, 2]
    );
    let third = s.load(ids[3]).await.created_at;
    assert_eq!(list(&|f| f.from = Some(third)).await, [5, 4, 3]);
    assert_eq!(list(&|f| f.to = Some(third)).await, [2, 1, 0]);
    let one = s.journal.list(&newest(1)).await.unwrap().remove(0);
    assert!(one.rows.is_empty() && one.audit.is_empty());
    assert_eq!(one.labels.len(), 2);
}
