//! The simulated store's faults and injected bugs work as described; the suites that rely on them
//! depend on it.

use dewy_saga::hash_chain;
use dewy_test_kit::{
    MemoryJournal,
    memory::{Bug, Fault, Op},
};

use super::prelude::*;

fn journal() -> MemoryJournal {
    MemoryJournal::new(Arc::new(WallClock))
}

async fn begin(journal: &MemoryJournal, new: NewExecution) -> Run {
    let (digest, hash) = (new.first.digest.clone(), new.audit.hash.clone());
    let BeginResult::New { lease, mark } = journal.begin(new).await.unwrap() else {
        panic!("not new")
    };
    Run {
        lease,
        mark,
        seq: 1,
        digest,
        hash,
        state: State::Queued,
    }
}

/// S1, S2, S4: what each fault leaves behind; repeating the call resolves it.
#[tokio::test]
async fn each_fault_has_its_documented_effect() {
    for (fault, stored) in [
        (Fault::Busy, 1),
        (Fault::Full, 1),
        (Fault::LostNotApplied, 1),
        (Fault::LostApplied, 2),
    ] {
        let journal = journal();
        let run = begin(&journal, new(id(1), "w1")).await;
        journal.hooks(|h| h.fail_next(Op::Append, fault));
        let (append, _) = run.plan(vec![read()]);
        let error = journal
            .append(&run.lease, append.clone())
            .await
            .unwrap_err();
        match fault {
            Fault::Busy => assert!(matches!(error, StoreError::Busy(_))),
            Fault::Full => assert!(matches!(error, StoreError::Failed(_))),
            Fault::LostApplied | Fault::LostNotApplied => {
                assert!(matches!(error, StoreError::Lost(_)))
            }
        }
        assert_eq!(journal.snapshot()[0].rows.len(), stored, "{fault:?}");
        assert_eq!(
            journal.append(&run.lease, append).await,
            Ok(AppendResult::Ok)
        );
        assert_eq!(journal.snapshot()[0].rows.len(), 2);
        assert_eq!(journal.hooks(|h| h.count(Op::Append)), 2);
    }
}

#[tokio::test]
async fn repeating_a_lost_begin_resolves_it() {
    for fault in [Fault::LostApplied, Fault::LostNotApplied] {
        let journal = journal();
        journal.hooks(|h| h.fail(Op::Begin, 1, fault));
        let new = new(id(1), "w1");
        assert!(matches!(
            journal.begin(new.clone()).await,
            Err(StoreError::Lost(_))
        ));
        begin(&journal, new).await;
        assert_eq!(journal.snapshot().len(), 1);
    }
}

/// A signal whose answer was lost is sent again and stored once.
#[tokio::test]
async fn a_repeated_signal_is_stored_once() {
    for (fault, stored) in [
        (Fault::Busy, 0),
        (Fault::Full, 0),
        (Fault::LostNotApplied, 0),
        (Fault::LostApplied, 1),
    ] {
        let journal = journal();
        begin(&journal, new(id(1), "w1")).await;
        journal.hooks(|h| h.fail_next(Op::Signal, fault));
        let signal = Signal {
            key: "k".to_owned(),
            action: SignalAction::Recheck,
            by: "webhook".to_owned(),
            why: String::new(),
        };
        journal.signal(id(1), &signal, at()).await.unwrap_err();
        assert_eq!(journal.snapshot()[0].signals.len(), stored, "{fault:?}");
        assert_eq!(journal.signal(id(1), &signal, at()).await, Ok(true));
        assert_eq!(journal.signals(id(1)).await, Ok(vec![signal]));
    }
}

/// S5
#[tokio::test]
async fn a_power_loss_drops_unsynced_rows() {
    let journal = journal();
    let mut run = begin(&journal, new(id(1), "w1")).await;
    run.append(&journal, vec![read()]).await;
    journal.power_loss();
    assert_eq!(journal.snapshot()[0].rows.len(), 2, "synced commits stay");
    journal.sync_commits(false);
    run.append(&journal, vec![super::stores_under_test::intended("pay")])
        .await;
    journal.sync();
    run.append(&journal, vec![super::stores_under_test::done("pay")])
        .await;
    assert_eq!(journal.snapshot()[0].rows.len(), 4);
    journal.power_loss();
    assert_eq!(journal.snapshot()[0].rows.len(), 3);
}

async fn overtaken(bug: Option<Bug>) -> Result<AppendResult, StoreError> {
    let journal = journal();
    journal.hooks(|h| h.bugs.extend(bug));
    let stalled = begin(&journal, new(id(1), "w1")).await;
    let (append, _) = stalled.plan(vec![read()]);
    let meanwhile = async {
        journal.hand_over(&stalled.lease, at()).await.unwrap();
        assert_eq!(
            journal
                .take("w2", &DueFilter::any(1), LONG, at())
                .await
                .unwrap()
                .len(),
            1
        );
    };
    match bug {
        // The check passes, then the execution changes hands, then the rows are written.
        Some(Bug::FenceOutsideTransaction) => {
            tokio::join!(journal.append(&stalled.lease, append), meanwhile).0
        }
        _ => {
            meanwhile.await;
            journal.append(&stalled.lease, append).await
        }
    }
}

#[tokio::test]
async fn the_fence_bugs_let_a_stalled_worker_write() {
    assert_eq!(overtaken(None).await, Err(StoreError::Fenced));
    assert_eq!(
        overtaken(Some(Bug::NoFenceCheck)).await,
        Ok(AppendResult::Ok)
    );
    assert_eq!(
        overtaken(Some(Bug::FenceOutsideTransaction)).await,
        Ok(AppendResult::Ok)
    );
}

#[tokio::test]
async fn the_audit_bug_leaves_a_gap_after_a_crash() {
    for (bug, whole) in [(None, true), (Some(Bug::AuditOutsideTransaction), false)] {
        let journal = journal();
        journal.hooks(|h| h.bugs.extend(bug));
        let run = begin(&journal, new(id(1), "w1")).await;
        let (append, _) = run.plan(vec![read()]);
        // The worker dies at the earliest possible moment.
        let mut dying = Box::pin(journal.append(&run.lease, append));
        drop(futures::poll!(&mut dying));
        drop(dying);
        let record = journal.snapshot().remove(0);
        assert_eq!(record.rows.len(), 2);
        assert_eq!(
            hash_chain::verify(record.id, &record.rows, &record.audit).is_ok(),
            whole
        );
    }
}

#[tokio::test]
async fn the_stale_read_bug_grants_an_outdated_claim() {
    for bug in [None, Some(Bug::NoStaleCheck)] {
        let journal = journal();
        journal.hooks(|h| h.bugs.extend(bug));
        let reader = begin(&journal, new(id(1), "w1")).await;
        let mut other = begin(&journal, new(id(2), "w2")).await;
        let mark = other.mark;
        other
            .append_with(&journal, vec![read()], |a| {
                a.claims = take_claims(&["a"], mark)
            })
            .await;
        other
            .append_with(&journal, vec![], |a| {
                a.claims = dewy_saga::journal::ClaimChange::Release
            })
            .await;
        let (mut append, _) = reader.plan(vec![read()]);
        append.claims = take_claims(&["a"], reader.mark);
        let answer = journal.append(&reader.lease, append).await.unwrap();
        assert_eq!(answer == AppendResult::Ok, bug.is_some(), "{answer:?}");
    }
}
