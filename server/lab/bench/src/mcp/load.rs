//! Many connections, each with sequential calls.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::ensure;
use futures::future::try_join_all;
use serde_json::json;

use crate::support::{http_connection::HttpConnection, latencies::Round, test_server::Guest};

/// One prepared request per guest, and the guest's room, which the answer has to contain.
pub fn requests(address: &str, guests: &[Guest]) -> Arc<Vec<(Vec<u8>, Vec<u8>)>> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" }
    });
    let params = json!({ "name": "get_folio", "arguments": {}, "_meta": meta });
    let body =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let options = |guest: &Guest| {
        let head = format!(
            "POST /mcp/guest HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n\
             Mcp-Name: get_folio\r\nContent-Length: {}\r\n\r\n{body}",
            guest.token,
            body.len()
        );
        (
            head.into_bytes(),
            format!("\"booking_number\":\"{}\"", guest.booking).into_bytes(),
        )
    };
    Arc::new(guests.iter().map(options).collect())
}

/// Calls for this duration.
pub async fn run(
    address: &str,
    requests: &Arc<Vec<(Vec<u8>, Vec<u8>)>>,
    connections: usize,
    lasts: Duration,
) -> anyhow::Result<Round> {
    let started = Instant::now();
    let lanes =
        (0..connections).map(|lane| one(address, requests, lane, connections, started + lasts));
    let mut micros: Vec<u64> = try_join_all(lanes).await?.concat();
    let took = started.elapsed();
    micros.sort_unstable();
    Ok(Round { micros, took })
}

async fn one(
    address: &str,
    requests: &[(Vec<u8>, Vec<u8>)],
    lane: usize,
    lanes: usize,
    until: Instant,
) -> anyhow::Result<Vec<u64>> {
    let mut wire = HttpConnection::open(address).await?;
    let mut micros = Vec::new();
    let mut next = lane;
    loop {
        let started = Instant::now();
        if started >= until {
            return Ok(micros);
        }
        let (request, fact) = &requests[next % requests.len()];
        next += lanes;
        let (status, body) = wire.send(request).await?;
        let folio = status == 200 && body.windows(fact.len()).any(|part| part == fact);
        ensure!(
            folio,
            "no folio: {status} {}",
            String::from_utf8_lossy(body)
        );
        micros.push(u64::try_from(started.elapsed().as_micros())?);
    }
}
