//! Checks of a scene's store: the executions in it, and the state they reach.

use std::time::{Duration, Instant};

use dewy_saga::{
    ExecutionId, Journal, State,
    journal::{ExecutionFilter, ExecutionRecord},
};
use dewy_store::Store;

use super::{
    scenario_hotel::{RECOVERY, ScenarioHotel},
    scenario_report::ScenarioReport,
};

/// Larger than any list.
const ALL: usize = 1000;

pub async fn executions(store: &Store) -> anyhow::Result<Vec<ExecutionRecord>> {
    let filter = ExecutionFilter {
        limit: ALL,
        ..ExecutionFilter::default()
    };
    Ok(store.list(&filter).await?)
}

/// Latest check-out of a guest, with its journal.
pub async fn check_out_of(store: &Store, email: &str) -> anyhow::Result<Option<ExecutionRecord>> {
    let filter = ExecutionFilter {
        saga: Some("process_guest_checkout".to_owned()),
        labels: vec![("guest_email".to_owned(), email.to_owned())],
        limit: 1,
        ..ExecutionFilter::default()
    };
    match store.list(&filter).await?.first() {
        Some(found) => Ok(store.load(found.id).await?),
        None => Ok(None),
    }
}

/// Polls until the condition holds; returns the time that took, or `None` if it never did.
pub async fn poll_until<F: Future<Output = anyhow::Result<bool>>>(
    within: Duration,
    holds: impl Fn() -> F,
) -> anyhow::Result<Option<Duration>> {
    let started = Instant::now();
    while started.elapsed() < within {
        if holds().await? {
            return Ok(Some(started.elapsed()));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(None)
}

/// Checks that the guest's check-out completed in time, with one payment.
pub async fn wait_for_completion(
    hotel: &ScenarioHotel,
    guest: &str,
    report: &mut ScenarioReport,
) -> anyhow::Result<()> {
    let store = &hotel.store().await?;
    let completed = || async move {
        let record = check_out_of(store, guest).await?;
        Ok(record.is_some_and(|record| record.state == State::Completed))
    };
    let in_time = poll_until(RECOVERY, completed).await?;
    let record = check_out_of(store, guest).await?;
    report.must(in_time.is_some(), || {
        let state = record.as_ref().map(|record| record.state);
        format!("{guest} is not checked out: {state:?}")
    });
    if let Some(record) = &record {
        let charges = hotel.charges(&record.id.to_string()).await?;
        report.must(charges == 1, || format!("I2: {charges} charges of {guest}"));
    }
    store.close().await;
    Ok(())
}

/// Final checks of a scene: everything is at rest, only the named executions need a person, and all
/// other hash chains are valid.
pub async fn check_store(
    hotel: &ScenarioHotel,
    report: &mut ScenarioReport,
    damaged: Option<ExecutionId>,
) -> anyhow::Result<()> {
    let store = &hotel.store().await?;
    let at_rest = || async move {
        let all = executions(store).await?;
        Ok(all.iter().all(|record| record.state.has_ended()))
    };
    report.must(poll_until(RECOVERY * 2, at_rest).await?.is_some(), || {
        "not everything comes to rest".to_owned()
    });
    for record in executions(store).await? {
        let waits = record.state == State::NeedsAttention && damaged != Some(record.id);
        report.must(!waits, || {
            format!("{} needs attention: {:?}", record.id, record.labels)
        });
    }
    for fault in store.verify_all().await?.faults {
        let known = damaged.is_some() && fault.execution == damaged;
        report.must(known, || format!("I5: {fault:?}"));
    }
    store.close().await;
    Ok(())
}
