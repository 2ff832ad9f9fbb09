//! Cost of a page: `cargo xtask bench pages`.
//!
//! ```text
//! this process: 1 and 32 connections ─► `dewy serve` (session, audit log on) ─► `dewy sandbox` at zero latency
//! ```
//! Measures the guest home page and the staff's Today board of 200 rooms, both signed in. Three processes on one
//! machine share its cores; the hotel's use is counted separately. Every response is checked: one
//! that is not the page ends the run. Then it measures each list over REST, with very many executions
//! in the store, on both stores.

mod list_latency;
mod seed_more_rooms;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args, ValueEnum};
use dewy_test_kit::Browser;
use serde_json::json;

use crate::support::{
    http_connection::page_request,
    load::{self, Probe},
    round_database::{Fixture, Kind},
    test_server::{GUEST, MANAGER, TestServer},
};

/// Warm-up time for connections and caches.
const WARM_UP: Duration = Duration::from_secs(2);
/// Number of connections of a busy hotel.
const BUSY_CONNECTIONS: usize = 32;
/// Number of executions after years.
const EXECUTIONS: u32 = 200_000;
/// Number of rooms of a large hotel.
const ROOMS: usize = 200;
/// Number of reads per list.
const READS_PER_LIST: usize = 40;

#[derive(Debug, Args)]
pub struct Options {
    /// Seconds for which each page is requested.
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// Number of executions in the store that lists are read from.
    #[arg(long, default_value_t = EXECUTIONS)]
    executions: u32,
    /// Another build of `dewy`, measured in alternation with this one.
    #[arg(long)]
    beside: Option<PathBuf>,
    /// Measure only this part.
    #[arg(long)]
    only: Option<Part>,
}

/// Part that can be measured alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Whole pages.
    Pages,
    Lists,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    let lasts = Duration::from_secs(options.seconds);
    let wanted = |part| options.only.is_none_or(|only| only == part);
    if wanted(Part::Pages) {
        pages(lasts, options.beside.as_deref()).await?;
    }
    if wanted(Part::Lists) {
        for kind in [Kind::Sqlite, Kind::Postgres] {
            list_latency::measure(&mut Fixture::of(kind)?, options.executions, READS_PER_LIST)
                .await?;
        }
    }
    Ok(())
}

async fn pages(lasts: Duration, beside: Option<&Path>) -> anyhow::Result<()> {
    let mut sides = vec![("ours", TestServer::open(&[]).await?)];
    if let Some(program) = beside {
        let other = TestServer::open_with(program, "beside", &[]).await?;
        sides.push(("beside", other));
    }
    for (side, server) in &sides {
        let opened = server.opened_in.as_secs_f64() * 1000.0;
        println!(
            "{opened:>8.0} ms from start, on a migrated store, to the first 200, {side}     (aim: 300)"
        );
    }
    for (side, server) in &sides {
        let guest = server.sign_in(GUEST).await?;
        page(
            side,
            server,
            guest,
            ("Guest home", "/guest", "Room 302"),
            lasts,
        )
        .await?;
    }
    for (side, server) in &sides {
        seed_more_rooms::add(server, ROOMS).await?;
        let manager = server.sign_in(MANAGER).await?;
        page(
            side,
            server,
            manager,
            ("Staff Today", "/staff", "Arrivals"),
            lasts,
        )
        .await?;
    }
    for (_, server) in sides {
        server.close();
    }
    Ok(())
}

/// A signed-in visitor on one page: its name, its path, and text that only this page contains.
async fn page(
    side: &str,
    server: &TestServer,
    mut visitor: Browser,
    (name, path, sign): (&str, &str, &str),
    lasts: Duration,
) -> anyhow::Result<()> {
    let address = &server.address;
    let bytes = visitor.get(path).await?.len();
    let probes = [Probe {
        request: page_request(address, &visitor, path),
        sign: sign.as_bytes().to_vec(),
    }];
    load::run(address, &probes, BUSY_CONNECTIONS, WARM_UP).await?;
    let [alone, _] = load::run(address, &probes, 1, lasts).await?;
    let before = server.used();
    let [crowd, _] = load::run(address, &probes, BUSY_CONNECTIONS, lasts).await?;
    let after = server.used();
    let [held, most] = server.memory();
    let per_second = crowd.per_second();
    let cpu = (after[0] - before[0]) * 1000.0 / crowd.count().max(1) as f64;
    let [p50, p95] = [50, 95].map(|percent| alone.ms(percent));
    println!("{name}, {side}, {bytes} bytes");
    println!("  {p50:>8.2} ms p50   {p95:.2} ms p95   to the first byte, 1 connection");
    println!("  {per_second:>8.0} requests per second, {BUSY_CONNECTIONS} connections");
    println!("  {cpu:>8.2} ms of our processor time for each     (aim: 1)");
    println!("  {held:>8.1} MB of memory under load, {most:.1} at most     (aim: 120)");
    let line = json!({ "bench": "pages", "page": name, "side": side, "bytes": bytes, "ttfb_p50_ms": p50, "ttfb_p95_ms": p95,
        "per_second": per_second.round(), "cpu_ms": cpu, "memory_mb": held, "memory_most_mb": most,
        "start_ms": server.opened_in.as_secs_f64() * 1000.0 });
    println!("{line}");
    Ok(())
}
