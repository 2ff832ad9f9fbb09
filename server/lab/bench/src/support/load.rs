//! Many connections, each with sequential requests.

use std::time::{Duration, Instant};

use anyhow::ensure;
use futures::future::try_join_all;

use super::{http_connection::HttpConnection, latencies::Round};

/// Prepared request, and what only its answer contains.
#[derive(Debug)]
pub struct Probe {
    pub request: Vec<u8>,
    pub sign: Vec<u8>,
}

/// Sends the requests in turn for this duration; returns the times to the first byte, and to the last.
pub async fn run(
    address: &str,
    probes: &[Probe],
    connections: usize,
    lasts: Duration,
) -> anyhow::Result<[Round; 2]> {
    let started = Instant::now();
    let lanes =
        (0..connections).map(|lane| one(address, probes, lane, connections, started + lasts));
    let times = try_join_all(lanes).await?.concat();
    let took = started.elapsed();
    let (first, whole) = times.into_iter().unzip();
    Ok([Round::new(first, took), Round::new(whole, took)])
}

async fn one(
    address: &str,
    probes: &[Probe],
    lane: usize,
    lanes: usize,
    until: Instant,
) -> anyhow::Result<Vec<(Duration, Duration)>> {
    let mut wire = HttpConnection::open(address).await?;
    let mut times = Vec::new();
    let mut next = lane;
    loop {
        let started = Instant::now();
        if started >= until {
            return Ok(times);
        }
        let Probe { request, sign } = &probes[next % probes.len()];
        next += lanes;
        let (status, body) = wire.send(request).await?;
        let expected = status == 200 && body.windows(sign.len()).any(|part| part == sign);
        let shown = String::from_utf8_lossy(body);
        ensure!(expected, "another answer: {status} {shown}");
        let whole = started.elapsed();
        times.push((wire.first_byte.duration_since(started), whole));
    }
}
