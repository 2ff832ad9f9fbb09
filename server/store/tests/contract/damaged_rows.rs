//! W12: an unreadable row affects only its own execution.

use dewy_saga::journal::ATTENTION;

use super::prelude::*;

every_sql_store!(
    every_kind_of_damage_affects_one_execution,
    a_damaged_journal_can_be_appended_to,
    newer_rows_are_distinguished_from_damaged_ones,
    a_damaged_outbox_row_does_not_block_others,
    a_damaged_head_does_not_stop_the_checkpoint,
    a_restored_row_repairs_the_journal,
);

/// Executions 1 to 8, each due, with an open signal, a label, a claim and a projection.
async fn queue(s: &Subject) {
    for n in 1..=8 {
        let mut run = s.start(super::stores_under_test::new(id(n), "w1")).await;
        let claim = format!("booking:{n}");
        let mark = run.mark;
        run.append_with(&*s.journal, vec![read(), intended("pay")], |a| {
            a.claims = take_claims(&[&claim], mark);
            a.projections = vec![projections(&format!("pi_{n}"), 1)];
        })
        .await;
        let wake = at() - Duration::from_secs(60);
        run.append_with(&*s.journal, vec![], |a| {
            (a.lease, a.wake_at) = (LeaseChange::Release, Some(wake))
        })
        .await;
        let why = format!("reason {n}");
        let signal = Signal {
            key: format!("k{n}"),
            action: SignalAction::Recheck,
            by: "webhook".to_owned(),
            why,
        };
        assert!(s.journal.signal(id(n), &signal, at()).await.unwrap());
    }
}

/// Damages to execution 3, and the row reported for each.
const DAMAGES: [(&str, &str); 7] = [
    (
        "update journal set event = substr(event, 1, length(event) - 2) where execution like '%3' and seq = 2",
        "journal row 2",
    ),
    (
        "update journal set event = replace(event, '1234', '9234') where execution like '%3' and seq = 2",
        "journal row 2",
    ),
    (
        "delete from journal where execution like '%3' and seq = 2",
        "journal row 2",
    ),
    (
        "update audit set to_state = 'frozen' where execution like '%3' and seq = 2",
        "audit row 2",
    ),
    (
        "update execution set state = 'frozen' where id like '%3'",
        "the execution",
    ),
    (
        "update execution_input set input = '{\"booking\":' where execution like '%3'",
        "the input",
    ),
    (
        "update signal set action = 'sing' where execution like '%3'",
        "signal k3",
    ),
];

async fn every_kind_of_damage_affects_one_execution(s: Subject) {
    queue(&s).await;
    let postgres = s.url.starts_with("postgres");
    let mut damages = DAMAGES.to_vec();
    // Invalid UTF-8, which Postgres does not store.
    if !postgres {
        damages.push((
            "update journal set event = cast(x'ff' || substr(event, 2) as text) where execution like '%3' and seq = 2",
            "journal row 2",
        ));
    }
    for (sql, row) in damages {
        // Saved, so that the next damage is the only one.
        let kept = s.load(id(3)).await;
        s.tamper(sql).await;
        let taken = s.take("w2", 100).await;
        // A state unknown to this release belongs to a newer one, and is left alone.
        assert_eq!(
            taken.len(),
            if row == "the execution" { 7 } else { 8 },
            "{sql}"
        );
        assert_eq!(
            s.load(id(3)).await.damage.map(|d| d.row).as_deref(),
            Some(row),
            "{sql}"
        );
        for (lease, record) in &taken {
            let named = record.damage.as_ref().map(|d| d.row.as_str());
            assert_eq!(named, (lease.id == id(3)).then_some(row), "{sql}");
            s.journal.hand_over(lease, at()).await.unwrap();
        }
        let listed = s.journal.list(&newest(50)).await.unwrap();
        assert_eq!(listed.len(), 8, "{sql}");
        assert_eq!(
            s.journal
                .counts()
                .await
                .unwrap()
                .iter()
                .map(|(_, n)| n)
                .sum::<u64>(),
            8,
            "{sql}"
        );
        let label = [String::from("beth.gibbs@email.com")];
        assert_eq!(
            s.journal
                .labelled("guest_email", &label)
                .await
                .unwrap()
                .len(),
            8,
            "{sql}"
        );
        assert_eq!(
            s.journal
                .load_all(&(1..=8).map(id).collect::<Vec<_>>())
                .await
                .unwrap()
                .len(),
            8,
            "{sql}"
        );
        if row != "signal k3" {
            let report = s.store().verify_all().await.unwrap();
            let named = report
                .faults
                .iter()
                .find(|f| f.execution == Some(id(3)))
                .expect(sql);
            assert!(named.what.starts_with(row), "{sql}: {}", named.what);
            assert!(
                report.faults.iter().all(|f| f.execution == Some(id(3))),
                "{sql}: {:?}",
                report.faults
            );
        }
        restore(&s, &kept).await;
    }
}

async fn restore(s: &Subject, record: &ExecutionRecord) {
    let name = record.id.to_string();
    let row = |seq: i64| record.rows.iter().find(|r| r.seq == seq).unwrap();
    let event = serde_json::to_string(&row(2).event).unwrap();
    s.run_sql(
        "delete from journal where execution = $1 and seq = 2",
        &[&name],
    )
    .await;
    let sql = "insert into journal (execution, seq, at, written_by, fence, event, digest)
               select execution, 2, cast($4 as bigint), written_by, fence, $2, $3 from journal where execution = $1 and seq = 3";
    s.run_sql(
        sql,
        &[
            &name,
            &event,
            &row(2).digest,
            &row(2).at.as_microsecond().to_string(),
        ],
    )
    .await;
    s.run_sql(
        "update audit set to_state = 'running' where execution = $1 and seq = 2",
        &[&name],
    )
    .await;
    s.run_sql(
        "update execution set state = 'running' where id = $1",
        &[&name],
    )
    .await;
    let input = serde_json::to_string(&record.input).unwrap();
    s.run_sql(
        "update execution_input set input = $2 where execution = $1",
        &[&name, &input],
    )
    .await;
    s.run_sql(
        "update signal set action = 'look' where execution = $1",
        &[&name],
    )
    .await;
    assert_eq!(s.load(record.id).await.damage, None);
}

/// As the engine does: appends the end after the damage; the claims stay.
async fn a_damaged_journal_can_be_appended_to(s: Subject) {
    queue(&s).await;
    s.tamper(DAMAGES[0].0).await;
    let taken = s.take("w2", 100).await;
    let (lease, record) = taken.iter().find(|(lease, _)| lease.id == id(3)).unwrap();
    let damage = record.damage.clone().unwrap();
    assert!(!damage.newer);
    let run = Run {
        lease: lease.clone(),
        mark: 0,
        seq: damage.seq,
        digest: damage.digest,
        hash: damage.audit_head,
        state: record.state,
    };
    quarantine(&s, run).await;
    let record = s.load(id(3)).await;
    assert_eq!((record.state, record.worker), (State::NeedsAttention, None));
    assert_eq!(
        s.journal.claim_holder("booking:3").await.unwrap(),
        Some(id(3))
    );
    assert!(
        s.take("w3", 100)
            .await
            .iter()
            .all(|(lease, _)| lease.id != id(3)),
        "it rests"
    );
}

async fn quarantine(s: &Subject, mut run: Run) -> Run {
    run.append_with(&*s.journal, vec![ended(End::NeedsAttention)], |a| {
        a.lease = LeaseChange::Release;
        a.claims = ClaimChange::None;
        a.handled = vec!["k3".to_owned()];
        a.labels = vec![(ATTENTION.to_owned(), "RECORD_UNREADABLE".to_owned())];
    })
    .await;
    run
}

/// An operator restores the row from a backup: the journal is complete again, including later rows.
async fn a_restored_row_repairs_the_journal(s: Subject) {
    queue(&s).await;
    let whole = s.load(id(3)).await;
    s.tamper(DAMAGES[0].0).await;
    let taken = s.take("w2", 100).await;
    let (lease, record) = taken
        .into_iter()
        .find(|(lease, _)| lease.id == id(3))
        .unwrap();
    let damage = record.damage.unwrap();
    let (seq, digest, hash) = (damage.seq, damage.digest, damage.audit_head);
    quarantine(
        &s,
        Run {
            lease,
            mark: 0,
            seq,
            digest,
            hash,
            state: record.state,
        },
    )
    .await;
    assert_eq!(s.store().verify_all().await.unwrap().faults.len(), 1);
    let event = serde_json::to_string(&whole.rows[1].event).unwrap();
    let sql = "update journal set event = $2 where execution = $1 and seq = 2";
    s.run_sql(sql, &[&ExecutionId::to_string(&id(3)), &event])
        .await;
    assert_eq!(s.store().verify_all().await.unwrap().faults, []);
    assert_eq!(
        s.load(id(3)).await.progress().unwrap().state,
        Some(State::NeedsAttention)
    );
}

/// A row with a valid digest was written as it is: by a release with more kinds of events.
async fn newer_rows_are_distinguished_from_damaged_ones(s: Subject) {
    queue(&s).await;
    let record = s.load(id(3)).await;
    let (before, row) = (&record.rows[1].digest, &record.rows[2]);
    let event = r#"{"event":"dreamed","of":"sheep"}"#;
    let digest = dewy_saga::hash_chain::digest_of_text(id(3), before, 3, row.at, event.as_bytes());
    let name = id(3).to_string();
    let sql = "update journal set event = $2, digest = $3 where execution = $1 and seq = 3";
    s.run_sql(sql, &[&name, event, &digest]).await;
    let damage = s.load(id(3)).await.damage.unwrap();
    assert_eq!((damage.row.as_str(), damage.newer), ("journal row 3", true));
    s.run_sql(
        "update journal set event = $2 where execution = $1 and seq = 3",
        &[&name, r#"{"event":"dreamt"}"#],
    )
    .await;
    assert!(
        !s.load(id(3)).await.damage.unwrap().newer,
        "it was changed after it was written"
    );
}

async fn a_damaged_outbox_row_does_not_block_others(s: Subject) {
    queue(&s).await;
    s.tamper("update projection set body = '{\"n\":' where key = 'pi_3'")
        .await;
    let rows = s
        .journal
        .projections("compensation", None, 50)
        .await
        .unwrap();
    assert_eq!(rows.len(), 7);
    assert!(
        s.journal
            .projection_row("compensation", "pi_3")
            .await
            .is_err()
    );
    let keys = ["pi_2", "pi_3", "pi_none"].map(str::to_owned);
    let rows = s
        .journal
        .projection_rows("compensation", &keys)
        .await
        .unwrap();
    assert_eq!(rows.len(), 2, "what is missing is left out: {rows:?}");
    assert!(rows["pi_2"].is_ok() && rows["pi_3"].is_err(), "{rows:?}");
    let others = s.journal.projection_rows("text", &keys).await.unwrap();
    assert!(others.is_empty(), "{others:?}");
    let faults = s.store().verify_all().await.unwrap().faults;
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0]
            .what
            .starts_with("the compensation pi_3 can't be read"),
        "{faults:?}"
    );
}

async fn a_damaged_head_does_not_stop_the_checkpoint(s: Subject) {
    queue(&s).await;
    if s.url.starts_with("sqlite") {
        s.tamper(
            "update audit set hash = cast(x'ff' as text) where execution like '%3' and seq = 2",
        )
        .await;
    } else {
        s.tamper("update audit set hash = 'x' where execution like '%3' and seq = 2")
            .await;
    }
    assert_eq!(s.store().write_audit_checkpoint(at()).await.unwrap(), 8);
    let faults = s.store().verify_all().await.unwrap().faults;
    assert!(
        !faults.is_empty() && faults.iter().all(|f| f.execution == Some(id(3))),
        "{faults:?}"
    );
}
