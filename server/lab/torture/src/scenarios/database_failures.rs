//! A database server that is frozen, stopped immediately, or behind a link that drops everything.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use dewy_test_kit::testing::{FaultyLink, PostgresServer};
use tokio::process::Command;

use super::{
    scenario_hotel::ScenarioHotel, scenario_report::ScenarioReport, store_checks::check_store,
};

const OUTAGE: Duration = Duration::from_secs(12);

/// Nothing arrives on either side, and no connection is reset.
pub async fn dropped_packets(
    hotel: &ScenarioHotel,
    link: &FaultyLink,
    report: &mut ScenarioReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    link.black_hole(true);
    report.hurt = hotel.work_without_store(0, OUTAGE, report).await;
    link.black_hole(false);
    back(hotel, Instant::now(), report).await
}

/// SIGSTOP of the server and all its children.
pub async fn frozen(
    hotel: &ScenarioHotel,
    server: &PostgresServer,
    report: &mut ScenarioReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    signal_all(server.process()?, "-STOP").await?;
    report.hurt = hotel.work_without_store(0, OUTAGE, report).await;
    signal_all(server.process()?, "-CONT").await?;
    back(hotel, Instant::now(), report).await
}

/// Immediate stop, as in a power failure, and restart.
pub async fn crashed(
    hotel: &ScenarioHotel,
    server: Arc<PostgresServer>,
    report: &mut ScenarioReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    let started = Instant::now();
    tokio::task::spawn_blocking(move || server.crash_and_restart()).await??;
    report.hurt = "calls until it has started again".to_owned();
    // Its restart counts as part of the recovery.
    back(hotel, started, report).await
}

async fn back(
    hotel: &ScenarioHotel,
    since: Instant,
    report: &mut ScenarioReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    report.recovered_in(since.elapsed());
    check_store(hotel, report, None).await
}

async fn signal_all(server: u32, signal: &str) -> anyhow::Result<()> {
    let children = Command::new("ps")
        .args(["-o", "pid=", "--ppid", &server.to_string()])
        .output()
        .await?;
    let children = String::from_utf8(children.stdout)?;
    let mut command = Command::new("kill");
    command.arg(signal).arg(server.to_string());
    command.args(children.split_whitespace()).status().await?;
    Ok(())
}
