//! A database server that is frozen, stopped immediately, or behind a link that drops everything.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use dewy_store::testing::{Link, PostgresServer};
use tokio::process::Command;

use super::{scenario_hotel::SceneHotel, scene_report::SceneReport, store_checks::sound};

/// Duration of the outage.
const OUTAGE: Duration = Duration::from_secs(12);

/// Nothing arrives on either side, and no connection is reset.
pub async fn black_hole(
    hotel: &SceneHotel,
    link: &Link,
    report: &mut SceneReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    link.black_hole(true);
    report.hurt = hotel.work_without_store(0, OUTAGE, report).await;
    link.black_hole(false);
    back(hotel, Instant::now(), report).await
}

/// SIGSTOP of the server and all its children.
pub async fn frozen(
    hotel: &SceneHotel,
    server: &PostgresServer,
    report: &mut SceneReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    signal_all(server.process()?, "-STOP").await?;
    report.hurt = hotel.work_without_store(0, OUTAGE, report).await;
    signal_all(server.process()?, "-CONT").await?;
    back(hotel, Instant::now(), report).await
}

/// Immediate stop, as in a power failure, and restart.
pub async fn crashed(
    hotel: &SceneHotel,
    server: Arc<PostgresServer>,
    report: &mut SceneReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    let started = Instant::now();
    tokio::task::spawn_blocking(move || server.crash()).await??;
    report.hurt = "calls until it has started again".to_owned();
    // Its restart counts as part of the recovery.
    back(hotel, started, report).await
}

async fn back(hotel: &SceneHotel, since: Instant, report: &mut SceneReport) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    report.recovered_in(since.elapsed());
    sound(hotel, report, None).await
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
