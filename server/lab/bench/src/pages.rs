//! Cost of a page: `cargo xtask bench pages`.
//!
//! ```text
//! this process: 1 and 32 connections ─► `dewy serve` (session, audit log on) ─► `dewy sandbox` at zero latency
//! ```
//! Measures the guest home page and the staff's Today board of 200 rooms, both signed in. Three processes on one
//! machine share its cores; the hotel's use is counted separately. Every response is checked: one
//! that is not the page ends the run. Then it measures the parts of the guest home page beside
//! pages of the same size by others, and each list over REST, with very many executions in the
//! store, on both stores.

mod home_page_breakdown;
mod list_latency;
pub mod other_frameworks;
mod seed_more_rooms;
mod visitor;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::ensure;
use clap::{Args, ValueEnum};
use futures::future::try_join_all;
use serde_json::json;

use self::visitor::Visitor;
use crate::support::{
    http_connection::HttpConnection,
    latencies::Round,
    round_database::{Fixture, Kind},
    test_server::TestServer,
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
    /// Parts of the guest home page, and pages of the same size by others.
    Parts,
    Lists,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    let lasts = Duration::from_secs(options.seconds);
    let wanted = |part| options.only.is_none_or(|only| only == part);
    if wanted(Part::Pages) {
        pages(lasts, options.beside.as_deref()).await?;
    }
    if wanted(Part::Parts) {
        home_page_breakdown::measure(lasts, options.beside.as_deref()).await?;
    }
    if wanted(Part::Lists) {
        for kind in [Kind::Sqlite, Kind::Postgres] {
            list_latency::measure(&mut Fixture::of(kind)?, options.executions, READS_PER_LIST)
                .await?;
        }
    }
    Ok(())
}

/// This build, and the one beside it.
async fn open_sides(beside: Option<&Path>) -> anyhow::Result<Vec<(&'static str, TestServer)>> {
    let mut sides = vec![("ours", TestServer::open(&[]).await?)];
    if let Some(program) = beside {
        sides.push((
            "beside",
            TestServer::open_with(program, "beside", &[]).await?,
        ));
    }
    Ok(sides)
}

async fn pages(lasts: Duration, beside: Option<&Path>) -> anyhow::Result<()> {
    let sides = open_sides(beside).await?;
    for (side, server) in &sides {
        let opened = server.opened_in.as_secs_f64() * 1000.0;
        println!(
            "{opened:>8.0} ms from start, on a migrated store, to the first 200, {side}     (aim: 300)"
        );
    }
    for (side, server) in &sides {
        page(side, server, &visitor::guest(&server.address).await?, lasts).await?;
    }
    for (side, server) in &sides {
        seed_more_rooms::add(server, ROOMS).await?;
        let manager = visitor::manager(&server.address).await?;
        page(side, server, &manager, lasts).await?;
    }
    for (_, server) in sides {
        server.close();
    }
    Ok(())
}

async fn page(
    side: &str,
    server: &TestServer,
    visitor: &Visitor,
    lasts: Duration,
) -> anyhow::Result<()> {
    let address = &server.address;
    load(address, visitor, BUSY_CONNECTIONS, WARM_UP).await?;
    let alone = load(address, visitor, 1, lasts).await?;
    let before = server.used();
    let crowd = load(address, visitor, BUSY_CONNECTIONS, lasts).await?;
    let after = server.used();
    let [held, most] = server.memory();
    let requests = crowd.micros.len().max(1) as f64;
    let per_second = requests / crowd.took.as_secs_f64();
    let cpu = (after[0] - before[0]) * 1000.0 / requests;
    let [p50, p95] = [50, 95].map(|percent| alone.percentile(percent) as f64 / 1000.0);
    println!("{}, {side}, {} bytes", visitor.name, visitor.bytes);
    println!("  {p50:>8.2} ms p50   {p95:.2} ms p95   to the first byte, 1 connection");
    println!("  {per_second:>8.0} requests per second, {BUSY_CONNECTIONS} connections");
    println!("  {cpu:>8.2} ms of our processor time for each     (aim: 1)");
    println!("  {held:>8.1} MB of memory under load, {most:.1} at most     (aim: 120)");
    let line = json!({ "bench": "pages", "page": visitor.name, "side": side, "bytes": visitor.bytes, "ttfb_p50_ms": p50, "ttfb_p95_ms": p95,
        "per_second": per_second.round(), "cpu_ms": cpu, "memory_mb": held, "memory_most_mb": most,
        "start_ms": server.opened_in.as_secs_f64() * 1000.0 });
    println!("{line}");
    Ok(())
}

/// Requests the page repeatedly for this duration.
async fn load(
    address: &str,
    visitor: &Visitor,
    connections: usize,
    lasts: Duration,
) -> anyhow::Result<Round> {
    let started = Instant::now();
    let lanes = (0..connections).map(|_| one(address, visitor, started + lasts));
    let mut micros: Vec<u64> = try_join_all(lanes).await?.concat();
    let took = started.elapsed();
    micros.sort_unstable();
    Ok(Round { micros, took })
}

async fn one(address: &str, visitor: &Visitor, until: Instant) -> anyhow::Result<Vec<u64>> {
    let mut wire = HttpConnection::open(address).await?;
    let request = format!("{}\r\n{}", visitor.head, visitor.body).into_bytes();
    let mut micros = Vec::new();
    loop {
        let started = Instant::now();
        if started >= until {
            return Ok(micros);
        }
        let (status, body) = wire.send(&request).await?;
        let (sign, page) = (visitor.sign.as_bytes(), String::from_utf8_lossy(body));
        let signed = sign.is_empty() || body.windows(sign.len()).any(|part| part == sign);
        let shown = status == visitor.status && signed;
        ensure!(shown, "not the page: {status} {page}");
        micros.push(u64::try_from(
            wire.first_byte.duration_since(started).as_micros(),
        )?);
    }
}
