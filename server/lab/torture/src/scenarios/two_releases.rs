//! This release and the next one on one store: each completes the executions it knows and leaves
//! the others alone, and this one starts on a schema that is one step newer.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use dewy_saga::journal::ExecutionRecord;
use dewy_test_kit::testing;
use serde_json::json;

use super::{
    scenario_hotel::ScenarioHotel,
    scenario_report::ScenarioReport,
    store_checks::{check_out_of, check_store, wait_for_completion},
};

/// The program of the next release, which has another version of the check-out; built beside this
/// one from `server/examples/server_with_next_check_out.rs`.
pub fn next_release(program: &Path) -> PathBuf {
    let name = format!("server_with_next_check_out{}", std::env::consts::EXE_SUFFIX);
    program.with_file_name("examples").join(name)
}

/// Longer than a lease and several polls for due work.
const OBSERVATION_TIME: Duration = Duration::from_secs(10);

/// Plays the scene: process 0 is of this release, process 1 of the next.
pub async fn play(hotel: &mut ScenarioHotel, report: &mut ScenarioReport) -> anyhow::Result<()> {
    let (beth, priya, marcus) = (
        "beth.gibbs@email.com",
        "priya.raman@example.com",
        "marcus.reed@example.com",
    );
    // The next release dies; its executions are left alone, and all others continue.
    start_slow_check_out(hotel, 1, beth).await?;
    hotel.kill(1).await?;
    let store = hotel.store().await?;
    let before = check_out_of(&store, beth).await?;
    hotel.check_out(0, priya).await?;
    tokio::time::sleep(OBSERVATION_TIME).await;
    let after = check_out_of(&store, beth).await?;
    let touched = |record: &Option<ExecutionRecord>| {
        record
            .as_ref()
            .map(|record| (record.version, record.rows.len(), record.fence))
    };
    report.must(touched(&before) == touched(&after), || {
        format!(
            "this release touched {:?}: {:?}",
            touched(&before),
            touched(&after)
        )
    });
    report.must(after.is_some_and(|record| record.version == 3), || {
        "the next release's check-out has no version of its own".to_owned()
    });
    store.close().await;
    wait_for_completion(hotel, priya, report).await?;
    // It restarts.
    let started = Instant::now();
    hotel.start(1).await?;
    wait_for_completion(hotel, beth, report).await?;
    report.recovered_in(started.elapsed());
    // This release dies; the next one knows its executions.
    start_slow_check_out(hotel, 0, marcus).await?;
    hotel.kill(0).await?;
    let killed = Instant::now();
    wait_for_completion(hotel, marcus, report).await?;
    report.recovered_in(killed.elapsed());
    // It restarts on a schema that the next release has extended.
    let expand = "alter table execution add column of_the_next_release bigint";
    testing::apply_later_migration(&hotel.database, "expand the execution", expand).await;
    hotel.start(0).await?;
    let took = hotel.works_again(0, report).await;
    report.recovered_in(took);
    report.hurt = "nothing: three check-outs completed by a release that knows them".to_owned();
    check_store(hotel, report, None).await
}

/// A check-out whose payment takes seconds.
async fn start_slow_check_out(hotel: &ScenarioHotel, n: usize, guest: &str) -> anyhow::Result<()> {
    let slow = json!({ "system": "stripe", "operation": "payment_intent_create", "kind": "slow", "ms": 1800, "count": 1 });
    hotel.fault(&slow).await?;
    hotel.check_out(n, guest).await?;
    tokio::time::sleep(Duration::from_millis(900)).await;
    Ok(())
}
