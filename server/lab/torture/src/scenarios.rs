//! Store failures during operation: each must affect only itself and recover without intervention.
//!
//! ```text
//! cargo xtask kill --scenes [--store sqlite|postgres|both]
//!
//! a damaged row · a full disk · a clock jump · five starts at once · a killed worker                   SQLite, one process
//! the same except the full disk · a link that drops all packets · a frozen server · a crashed
//! server · two releases
//! Postgres, one or two
//! ```
//!
//! Each scene has its own store, sandbox and processes, and reports the damage and the time until
//! work continued without a restart of the surviving processes.

mod clock_jumps;
mod concurrent_startup;
mod damaged_row;
mod database_failures;
mod failover;
mod full_disk;
mod scenario_hotel;
mod scenario_report;
mod small_disk;
mod store_checks;
mod two_releases;

use std::{path::Path, sync::Arc};

use dewy_test_kit::testing::{FaultyLink, PostgresServer};

pub use self::scenario_report::{ScenarioReport, print_scenarios};
use self::{
    scenario_hotel::{SHORT_TIMEOUTS, ScenarioHotel},
    small_disk::SmallDisk,
};
use crate::Stores;

/// Plays all scenes with this build of `dewy`.
///
/// # Errors
/// When a process cannot be started, or a scene cannot be carried to its end.
pub async fn scenes(store: Stores, program: &Path) -> anyhow::Result<Vec<ScenarioReport>> {
    let folder = program.with_file_name(format!("scenes-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut reports = Vec::new();
    if store != Stores::Postgres {
        on_sqlite((program, &folder), &mut reports).await?;
    }
    if store != Stores::Sqlite {
        on_postgres((program, &folder), &mut reports).await?;
    }
    if reports.iter().all(|report| report.violations.is_empty()) {
        std::fs::remove_dir_all(&folder)?;
    } else {
        eprintln!("logs and stores are kept in {}", folder.display());
    }
    Ok(reports)
}

fn begin(scene: &'static str, store: &'static str) -> ScenarioReport {
    eprintln!("{scene} ({store})");
    ScenarioReport::new(scene, store)
}

/// Plays a scene on a hotel of its own.
macro_rules! scene {
    ($reports:ident, $name:literal on $store:literal, $hotel:expr, $play:path) => {{
        let mut report = begin($name, $store);
        let mut hotel = $hotel.await?;
        $play(&mut hotel, &mut report).await?;
        hotel.close().await?;
        $reports.push(report);
    }};
}

async fn on_sqlite(at: (&Path, &Path), reports: &mut Vec<ScenarioReport>) -> anyhow::Result<()> {
    let url = |folder: &Path, name: &str| format!("sqlite://{}", folder.join(name).display());
    let [damaged, clocks, starts, killed] =
        ["damaged.db", "clocks.db", "starts.db", "killed.db"].map(|name| url(at.1, name));

    let hotel = ScenarioHotel::open(at, "damaged", &damaged, 1, &SHORT_TIMEOUTS);
    scene!(reports, "damaged row" on "SQLite x1", hotel, damaged_row::play);

    let mut report = begin("full disk (ENOSPC)", "SQLite x1");
    match SmallDisk::mount(&at.1.join("disk"), "12m") {
        Ok(disk) => {
            let file = url(disk.path(), "hotel.db");
            let mut hotel = ScenarioHotel::open(at, "full", &file, 1, &SHORT_TIMEOUTS).await?;
            full_disk::play(&hotel, &disk, &mut report).await?;
            hotel.close().await?;
        }
        Err(why) => report.skipped = Some(format!("no small disk can be mounted here ({why})")),
    }
    reports.push(report);

    let hotel = ScenarioHotel::open(at, "clocks", &clocks, 1, &SHORT_TIMEOUTS);
    scene!(reports, "clocks +30 s, -300 s" on "SQLite x1", hotel, clock_jumps::play);
    let hotel = ScenarioHotel::prepare(at, "starts", &starts, &SHORT_TIMEOUTS);
    scene!(reports, "five starts at once" on "SQLite x5", hotel, concurrent_startup::play);
    let hotel = ScenarioHotel::open(at, "killed", &killed, 1, &[]);
    scene!(reports, "kill -9, started again" on "SQLite x1", hotel, failover::play);
    Ok(())
}

async fn on_postgres(at: (&Path, &Path), reports: &mut Vec<ScenarioReport>) -> anyhow::Result<()> {
    let server = Arc::new(PostgresServer::start()?);

    let url = server.create_database().await?;
    let hotel = ScenarioHotel::open(at, "pg-damaged", &url, 2, &SHORT_TIMEOUTS);
    scene!(reports, "damaged row" on "Postgres x2", hotel, damaged_row::play);

    let link = FaultyLink::to(server.address()).await?;
    let direct = server.create_database().await?;
    let port = |port: u16| format!(":{port}/");
    let url = direct.replace(&port(server.address().port()), &port(link.port()));
    let mut hotel = ScenarioHotel::open(at, "pg-away", &url, 1, &SHORT_TIMEOUTS).await?;
    let mut report = begin("black-holed link", "Postgres x1");
    database_failures::dropped_packets(&hotel, &link, &mut report).await?;
    reports.push(report);
    let mut report = begin("server frozen (SIGSTOP)", "Postgres x1");
    database_failures::frozen(&hotel, &server, &mut report).await?;
    reports.push(report);
    let mut report = begin("server stopped at once", "Postgres x1");
    database_failures::crashed(&hotel, Arc::clone(&server), &mut report).await?;
    reports.push(report);
    hotel.close().await?;

    let url = server.create_database().await?;
    let hotel = ScenarioHotel::open(at, "pg-clocks", &url, 2, &SHORT_TIMEOUTS);
    scene!(reports, "clocks +30 s, -300 s" on "Postgres x2", hotel, clock_jumps::play);
    let url = server.create_database().await?;
    let hotel = ScenarioHotel::prepare(at, "pg-starts", &url, &SHORT_TIMEOUTS);
    scene!(reports, "five starts at once" on "Postgres x5", hotel, concurrent_startup::play);
    let url = server.create_database().await?;
    let hotel = ScenarioHotel::open(at, "pg-killed", &url, 2, &[]);
    scene!(reports, "kill -9, taken over" on "Postgres x2", hotel, failover::play);
    let url = server.create_database().await?;
    let hotel = async {
        let mut hotel = ScenarioHotel::open(at, "pg-releases", &url, 1, &SHORT_TIMEOUTS).await?;
        let next = hotel.add(&two_releases::next_release(at.0))?;
        hotel.start(next).await?;
        anyhow::Ok(hotel)
    };
    scene!(reports, "two releases" on "Postgres x2", hotel, two_releases::play);
    Ok(())
}
