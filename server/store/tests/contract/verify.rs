use super::prelude::*;

every_sql_store!(
    an_intact_trail_verifies,
    a_changed_event_is_found,
    a_changed_actor_is_found,
    a_changed_state_is_found,
    a_missing_row_is_found,
    a_truncated_trail_is_found_by_the_checkpoint,
    a_changed_checkpoint_is_found,
);

/// Three executions, the middle one ended; a checkpoint over all, and another over later rows.
async fn history(s: &Subject) {
    let mut runs = Vec::new();
    for n in 1..=3 {
        let mut run = s.start(super::stores_under_test::new(id(n), "w1")).await;
        run.append(&*s.journal, vec![read(), intended("pay")]).await;
        runs.push(run);
    }
    runs[1]
        .append_with(&*s.journal, vec![done("pay"), ended(End::Completed)], |a| {
            a.lease = LeaseChange::Release
        })
        .await;
    assert_eq!(s.store().write_audit_checkpoint(at()).await.unwrap(), 3);
    assert_eq!(
        s.store().write_audit_checkpoint(at()).await.unwrap(),
        0,
        "nothing changed"
    );
    runs[2]
        .append(&*s.journal, vec![done("pay"), ended(End::Completed)])
        .await;
    assert_eq!(s.store().write_audit_checkpoint(at()).await.unwrap(), 1);
}

async fn faults(s: &Subject) -> Vec<(Option<dewy_saga::ExecutionId>, String)> {
    let report = s.store().verify_all().await.unwrap();
    assert_eq!((report.executions, report.checkpoints), (3, 2));
    report
        .faults
        .into_iter()
        .map(|f| (f.execution, f.what))
        .collect()
}

async fn an_intact_trail_verifies(s: Subject) {
    history(&s).await;
    assert_eq!(faults(&s).await, []);
}

async fn a_changed_event_is_found(s: Subject) {
    history(&s).await;
    s.tamper("update journal set event = replace(event, '1234', '9234') where execution like '%2' and seq = 2").await;
    assert_eq!(
        faults(&s).await,
        [(Some(id(2)), "journal row 2 was changed".to_owned())]
    );
}

async fn a_changed_actor_is_found(s: Subject) {
    history(&s).await;
    s.tamper("update audit set actor = 'somebody else' where execution like '%2' and seq = 1")
        .await;
    assert_eq!(
        faults(&s).await,
        [(
            Some(id(2)),
            "journal row 1 differs in the audit trail".to_owned()
        )]
    );
}

async fn a_changed_state_is_found(s: Subject) {
    history(&s).await;
    s.tamper("update execution set state = 'refused' where id like '%2'")
        .await;
    let found = faults(&s).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, Some(id(2)));
}

async fn a_missing_row_is_found(s: Subject) {
    history(&s).await;
    s.tamper("delete from journal where execution like '%1' and seq = 3")
        .await;
    let found = faults(&s).await;
    assert_eq!(
        found,
        [(Some(id(1)), "the journal's end is missing".to_owned())]
    );
}

/// All rows of the execution are cut back consistently; only the checkpoint shows it.
async fn a_truncated_trail_is_found_by_the_checkpoint(s: Subject) {
    history(&s).await;
    s.tamper("delete from journal where execution like '%2' and seq > 3")
        .await;
    s.tamper("delete from audit where execution like '%2' and seq > 3")
        .await;
    s.tamper("update execution set state = 'running', seq = 3, audit_seq = 2 where id like '%2'")
        .await;
    assert_eq!(
        faults(&s).await,
        [(
            Some(id(2)),
            "audit row at 5 does not match checkpoint 1".to_owned()
        )]
    );
}

async fn a_changed_checkpoint_is_found(s: Subject) {
    history(&s).await;
    s.tamper("update audit_checkpoint set heads = '[]' where n = 1")
        .await;
    assert_eq!(
        faults(&s).await,
        [(None, "checkpoint 1 is missing or was changed".to_owned())]
    );
    s.tamper("delete from audit_checkpoint where n = 1").await;
    let report = s.store().verify_all().await.unwrap();
    assert_eq!(report.faults.len(), 1);
}
