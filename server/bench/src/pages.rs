//! Cost of a page: `cargo xtask bench pages`.
//!
//! ```text
//! this process: 1 and 32 connections ─► `dewy serve` (session, audit log on) ─► `dewy sandbox` at zero latency
//! ```
//! Measures the guest home page and the staff's Today board, both signed in. Three processes on one
//! machine share its cores; the hotel's use is counted separately. Every response is checked: one
//! that is not the page ends the run. Then it measures each list over REST, with very many
//! executions in the store, on both stores.

mod lists;
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
    fixture::{Fixture, Kind},
    http_connection::HttpConnection,
    round::Round,
    test_server::TestServer,
};

/// Warm-up time for connections and caches.
const WARM_UP: Duration = Duration::from_secs(2);
/// Number of connections of a busy hotel.
const BUSY_CONNECTIONS: usize = 32;
/// Number of executions after years.
const EXECUTIONS: u32 = 200_000;
/// Number of reads per list.
const READS_PER_LIST: usize = 40;

/// Options.
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
    /// Lists.
    Lists,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    if options.only != Some(Part::Lists) {
        pages(
            Duration::from_secs(options.seconds),
            options.beside.as_deref(),
        )
        .await?;
    }
    if options.only != Some(Part::Pages) {
        for kind in [Kind::Sqlite, Kind::Postgres] {
            lists::measure(&mut Fixture::of(kind)?, options.executions, READS_PER_LIST).await?;
        }
    }
    Ok(())
}

async fn pages(lasts: Duration, beside: Option<&Path>) -> anyhow::Result<()> {
    let mut sides = vec![("ours", TestServer::open(&[]).await?)];
    if let Some(program) = beside {
        sides.push((
            "beside",
            TestServer::open_with(program, "beside", &[]).await?,
        ));
    }
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
        page(
            side,
            server,
            &visitor::manager(&server.address).await?,
            lasts,
        )
        .await?;
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
    load(server, visitor, BUSY_CONNECTIONS, WARM_UP).await?;
    let alone = load(server, visitor, 1, lasts).await?;
    let before = server.used();
    let crowd = load(server, visitor, BUSY_CONNECTIONS, lasts).await?;
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
    server: &TestServer,
    visitor: &Visitor,
    connections: usize,
    lasts: Duration,
) -> anyhow::Result<Round> {
    let started = Instant::now();
    let lanes = (0..connections).map(|_| one(&server.address, visitor, started + lasts));
    let mut micros: Vec<u64> = try_join_all(lanes).await?.concat();
    let took = started.elapsed();
    micros.sort_unstable();
    Ok(Round { micros, took })
}

async fn one(address: &str, visitor: &Visitor, until: Instant) -> anyhow::Result<Vec<u64>> {
    let mut wire = HttpConnection::open(address).await?;
    let mut micros = Vec::new();
    loop {
        let started = Instant::now();
        if started >= until {
            return Ok(micros);
        }
        let (status, body) = wire.send(&visitor.request).await?;
        let (sign, page) = (visitor.sign.as_bytes(), String::from_utf8_lossy(body));
        let shown = status == 200 && body.windows(sign.len()).any(|part| part == sign);
        ensure!(shown, "not the page: {status} {page}");
        micros.push(u64::try_from(
            wire.first_byte.duration_since(started).as_micros(),
        )?);
    }
}
