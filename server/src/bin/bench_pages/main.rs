//! What a page costs: `cargo xtask bench pages [--seconds N] [--executions N] [--only pages|lists]`.
//!
//! ```text
//! this process: 1 and 32 connections ─► `dewy serve` (session, record of calls on) ─► `dewy sandbox` at zero latency
//! ```
//! Guest home and the staff's Today, each signed in. Three processes on one machine share its cores; the hotel's own use is
//! counted apart. Every answer is looked at: one that is not the page ends the run. Then each list's own time, with very many
//! executions in the store, on both stores.

mod lists;
#[path = "../measuring/mod.rs"]
mod measuring;
mod place;
mod visitor;

use std::time::{Duration, Instant};

use anyhow::ensure;
use futures::future::try_join_all;
use serde_json::json;

use crate::{
    measuring::{house::House, round::Round, wire::Wire},
    place::{Kind, Place},
    visitor::Visitor,
};

/// Connections and caches are as in a running house after that.
const WARM_UP: Duration = Duration::from_secs(2);
/// A busy house.
const CROWD: usize = 32;
/// After years.
const EXECUTIONS: u32 = 200_000;
/// How often each list is read.
const READINGS: usize = 40;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let seconds = given("--seconds").and_then(|text| text.parse().ok()).unwrap_or(8);
    let executions = given("--executions").and_then(|text| text.parse().ok()).unwrap_or(EXECUTIONS);
    let only = given("--only");
    if only.as_deref() != Some("lists") {
        pages(Duration::from_secs(seconds)).await?;
    }
    if only.as_deref() != Some("pages") {
        for kind in [Kind::Sqlite, Kind::Postgres] {
            lists::measure(&Place::of(kind)?, executions, READINGS).await?;
        }
    }
    Ok(())
}

/// What was given after that word.
fn given(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

async fn pages(lasts: Duration) -> anyhow::Result<()> {
    let house = House::open(&[]).await?;
    println!("{:>8.0} ms from start to the first 200     (aim: 300)", house.opened_in.as_secs_f64() * 1000.0);
    for visitor in [visitor::guest(&house.address).await?, visitor::manager(&house.address).await?] {
        page(&house, &visitor, lasts).await?;
    }
    house.close();
    Ok(())
}

async fn page(house: &House, visitor: &Visitor, lasts: Duration) -> anyhow::Result<()> {
    load(house, visitor, CROWD, WARM_UP).await?;
    let alone = load(house, visitor, 1, lasts).await?;
    let before = house.used();
    let crowd = load(house, visitor, CROWD, lasts).await?;
    let after = house.used();
    let [held, most] = house.memory();
    let requests = crowd.micros.len().max(1) as f64;
    let per_second = requests / crowd.took.as_secs_f64();
    let cpu = (after[0] - before[0]) * 1000.0 / requests;
    let [p50, p95] = [50, 95].map(|percent| alone.percentile(percent) as f64 / 1000.0);
    println!("{}, {} bytes", visitor.name, visitor.bytes);
    println!("  {p50:>8.2} ms p50   {p95:.2} ms p95   to the first byte, 1 connection");
    println!("  {per_second:>8.0} requests per second, {CROWD} connections");
    println!("  {cpu:>8.2} ms of our processor time for each     (aim: 1)");
    println!("  {held:>8.1} MB of memory under load, {most:.1} at most     (aim: 120)");
    let line = json!({ "bench": "pages", "page": visitor.name, "bytes": visitor.bytes, "ttfb_p50_ms": p50, "ttfb_p95_ms": p95,
        "per_second": per_second.round(), "cpu_ms": cpu, "memory_mb": held, "memory_most_mb": most,
        "start_ms": house.opened_in.as_secs_f64() * 1000.0 });
    println!("{line}");
    Ok(())
}

/// The page again and again, for so long.
async fn load(house: &House, visitor: &Visitor, connections: usize, lasts: Duration) -> anyhow::Result<Round> {
    let begun = Instant::now();
    let lanes = (0..connections).map(|_| one(&house.address, visitor, begun + lasts));
    let mut micros: Vec<u64> = try_join_all(lanes).await?.concat();
    let took = begun.elapsed();
    micros.sort_unstable();
    Ok(Round { micros, took })
}

async fn one(address: &str, visitor: &Visitor, until: Instant) -> anyhow::Result<Vec<u64>> {
    let mut wire = Wire::open(address).await?;
    let mut micros = Vec::new();
    loop {
        let begun = Instant::now();
        if begun >= until {
            return Ok(micros);
        }
        let (status, body) = wire.send(&visitor.request).await?;
        let (sign, page) = (visitor.sign.as_bytes(), String::from_utf8_lossy(body));
        let shown = status == 200 && body.windows(sign.len()).any(|part| part == sign);
        ensure!(shown, "not the page: {status} {page}");
        micros.push(u64::try_from(wire.first_byte.duration_since(begun).as_micros())?);
    }
}
