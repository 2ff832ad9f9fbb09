//! Throughput of `get_folio` over MCP: `cargo xtask bench mcp [--seconds N] [--connections N]
//! [--beside DEWY]`.
//!
//! ```text
//! this process: 16 connections ─► `dewy serve` (tokens, rate limit, validation, audit on) ─► `dewy sandbox`
//! ```
//! Three processes on one machine share its cores; the use of each is printed. Every folio is read
//! from Salesforce after its request arrived; requests that arrive meanwhile share one read. Saved
//! payment cards may be five seconds old. Every answer is checked: one that is not a folio ends the
//! run. With `--beside`, another build of `dewy` is measured right after, under the same load.

use std::{path::PathBuf, time::Duration};

use anyhow::ensure;
use clap::Args;
use serde_json::json;

use crate::support::{
    latencies::Round,
    load::{self, Probe},
    test_server::{Guest, TestServer},
};

/// Warm-up time for connections, templates and caches.
const WARM_UP: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub struct Options {
    /// Duration of the measurement, in seconds.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Number of concurrent callers.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Another build of `dewy`, measured right after this one.
    #[arg(long)]
    beside: Option<PathBuf>,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    measure("ours", TestServer::open(&[]).await?, options).await?;
    if let Some(program) = &options.beside {
        let server = TestServer::open_with(program, "beside", &[]).await?;
        measure("beside", server, options).await?;
    }
    Ok(())
}

async fn measure(side: &str, server: TestServer, options: &Options) -> anyhow::Result<()> {
    let connections = options.connections;
    let guests = server.guests().await?;
    ensure!(!guests.is_empty(), "nobody is checked in");
    let requests = requests(&server.address, &guests);
    load::run(&server.address, &requests, connections, WARM_UP).await?;
    let (before, upstream) = (server.used(), server.calls().await?.len());
    let lasts = Duration::from_secs(options.seconds);
    let [_, round] = load::run(&server.address, &requests, connections, lasts).await?;
    let (after, upstream) = (server.used(), server.calls().await?.len() - upstream);
    let cores = [0, 1, 2].map(|n| (after[n] - before[n]) / round.took.as_secs_f64());
    print(side, &round, connections, guests.len(), cores, upstream);
    server.close();
    Ok(())
}

fn print(
    side: &str,
    round: &Round,
    connections: usize,
    guests: usize,
    cores: [f64; 3],
    upstream: usize,
) {
    let (calls, per_second) = (round.count(), round.per_second());
    let [p50, p99, worst] = [50, 99, 100].map(|percent| round.ms(percent));
    let each = upstream as f64 / calls.max(1) as f64;
    println!(
        "get_folio over MCP, {side}, {connections} connections, {guests} guests, {:.0} s",
        round.took.as_secs_f64()
    );
    println!("  {per_second:>8.0} tools/call per second     (aim: 4000)");
    println!("  {p50:>8.2} ms p50   {p99:.2} ms p99   {worst:.2} ms at most");
    println!("  {each:>8.2} calls to Salesforce and Stripe for each");
    let [hotel, sandbox, load] = cores;
    println!(
        "  {hotel:>8.2} cores by the hotel   {sandbox:.2} by the sandbox   {load:.2} by this program"
    );
    let line = json!({
        "bench": "mcp", "side": side, "tool": "get_folio", "connections": connections, "calls": calls, "per_second": per_second.round(),
        "p50_ms": p50, "p99_ms": p99, "upstream_per_call": each, "cores": { "hotel": hotel, "sandbox": sandbox, "load": load },
    });
    println!("{line}");
}

/// One request per guest; the answer has to contain the guest's booking.
fn requests(address: &str, guests: &[Guest]) -> Vec<Probe> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" }
    });
    let params = json!({ "name": "get_folio", "arguments": {}, "_meta": meta });
    let body =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let probe = |guest: &Guest| {
        Probe {
        request: format!(
            "POST /mcp/guest HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n\
             Mcp-Name: get_folio\r\nContent-Length: {}\r\n\r\n{body}",
            guest.token,
            body.len()
        )
        .into_bytes(),
        sign: format!("\"booking_number\":\"{}\"", guest.booking).into_bytes(),
    }
    };
    guests.iter().map(probe).collect()
}
