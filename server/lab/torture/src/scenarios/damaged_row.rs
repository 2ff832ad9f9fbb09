//! A row of one execution is damaged while several are in progress. On SQLite the hotel is killed
//! and starts on the damaged file; on Postgres another instance, which keeps running, takes over.

use std::time::{Duration, Instant};

use anyhow::ensure;
use dewy_saga::{
    Journal, State,
    engine::RECORD_UNREADABLE,
    journal::{ATTENTION, ExecutionRecord},
};
use dewy_test_kit::testing;
use serde_json::json;

use super::{
    scenario_hotel::{RECOVERY, ScenarioHotel},
    scenario_report::ScenarioReport,
    store_checks::{check_store, executions, poll_until},
};

/// Rooms of the sandbox's seed; the change is refused for occupied ones.
const ROOMS: [&str; 12] = [
    "101", "107", "108", "109", "110", "201", "202", "204", "208", "303", "306", "309",
];

pub async fn play(hotel: &mut ScenarioHotel, report: &mut ScenarioReport) -> anyhow::Result<()> {
    let silent = json!({ "system": "salesforce", "operation": "composite", "kind": "timeout_before_effect",
        "count": 0, "ms": 60_000 });
    hotel.fault(&silent).await?;
    for room in ROOMS {
        let input = json!({ "room_number": room, "status": "Out of Service" });
        hotel.send_without_waiting(0, "set_room_status", input);
    }
    // Within the deadline of the first request: later attempts would use up the budget.
    tokio::time::sleep(Duration::from_millis(700)).await;
    hotel.kill(0).await?;
    let killed = Instant::now();
    let store = hotel.store().await?;
    let mut open = executions(&store).await?;
    open.retain(|record| !record.state.has_ended());
    ensure!(
        open.len() >= 4,
        "only {} executions were under way",
        open.len()
    );
    let damaged = open[open.len() / 2].id;
    store.close().await;
    testing::truncate_first_event(&hotel.database, &damaged.to_string()).await?;
    hotel.no_faults().await?;
    if hotel.instances.len() == 1 {
        hotel.start(0).await?;
    }
    let store = &hotel.store().await?;
    let at_rest = || async move {
        let all = executions(store).await?;
        Ok(all.iter().all(|record| record.state.has_ended()))
    };
    let rest = poll_until(RECOVERY * 2, at_rest).await?;
    report.must(rest.is_some(), || "not everything comes to rest".to_owned());
    report.recovered_in(killed.elapsed());
    let all = executions(store).await?;
    // The change is refused for a room that is occupied or being cleaned.
    let ended =
        |record: &&ExecutionRecord| matches!(record.state, State::Completed | State::Refused);
    let completed = all.iter().filter(|r| r.state == State::Completed).count();
    report.must(completed >= 3, || {
        format!("only {completed} were completed")
    });
    report.must(all.iter().filter(ended).count() == all.len() - 1, || {
        "others than the damaged one did not end by themselves".to_owned()
    });
    let record = store.load(damaged).await?;
    let reason = record.as_ref().and_then(|record| {
        let label = record.labels.iter().find(|(name, _)| name == ATTENTION);
        label.map(|(_, reason)| reason.clone())
    });
    let (state, unreadable) = (record.map(|record| record.state), Some(RECORD_UNREADABLE));
    report.must(
        state == Some(State::NeedsAttention) && reason.as_deref() == unreadable,
        || format!("the damaged execution is {state:?} for {reason:?}"),
    );
    store.close().await;
    let verdict = hotel.command(&["audit", "verify"]).await?;
    let named = verdict.contains(&damaged.to_string()) && verdict.contains("journal row 1");
    report.must(named, || {
        format!("`audit verify` does not name the row: {verdict}")
    });
    report.hurt = format!("its execution: a person decides; {completed} others completed");
    check_store(hotel, report, Some(damaged)).await
}
