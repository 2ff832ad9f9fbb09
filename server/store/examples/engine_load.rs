//! How fast the store takes an engine's writes: 7 no-op steps are 9 commits an execution, at 32 callers.
//!
//! `cargo run --release -p dewy-store --example engine_load -- sqlite:///tmp/load.db 3000`
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement stops at the first surprise")]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use dewy_domain::ports::Clock;
use dewy_saga::{
    Event, ExecutionId, Journal, Outcome, Request, Row, State, Way, chain,
    journal::{Append, Appended, Begun, ClaimChange, LeaseChange, NewExecution},
};
use dewy_store::{Store, testing::PostgresServer};
use futures::StreamExt;
use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

#[derive(Debug)]
struct WallClock;

#[async_trait]
impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

async fn execution(store: &Store, n: u128) {
    let id = ExecutionId(Uuid::from_u128(n));
    let (mut seq, mut state, mut at) = (1, State::Queued, Timestamp::now());
    let event = Event::Queued { saga: "load".to_owned(), version: 1 };
    let first = Row { seq, at, by: "w1".to_owned(), fence: 1, digest: chain::digest(id, "", 1, at, &event), event };
    let mut before = first.digest.clone();
    let audit = chain::audit(id, "", &first, "load", None, state);
    let mut head = audit.hash.clone();
    let new = NewExecution {
        id,
        saga: "load".to_owned(),
        version: 1,
        caller: "load".to_owned(),
        interface: "cli".to_owned(),
        token: Some(format!("t{n}")),
        input_digest: "d".to_owned(),
        input: json!({"n": 1}),
        labels: vec![("load".to_owned(), "1".to_owned())],
        first,
        audit,
        worker: "w1".to_owned(),
        lease: Duration::from_secs(30),
        at,
    };
    let Begun::New { lease, mark } = store.begin(new).await.unwrap() else { panic!("not new") };
    let intent = |s: u32| Event::Intended {
        step: format!("step{s}"),
        way: Way::Forward,
        attempt: 1,
        guard: false,
        request: Request {
            key: Some(format!("{id}:step{s}")),
            deadline_ms: 5000,
            payload: json!({"body": "amount=1&currency=eur"}),
        },
    };
    let settled = |s: u32| Event::Settled {
        step: format!("step{s}"),
        way: Way::Forward,
        guard: false,
        looked: false,
        outcome: Outcome::Done { value: json!({"id": s}) },
    };
    for commit in 0..8_u32 {
        let events = match commit {
            0 => vec![Event::Read { facts: json!({"room": "302"}) }, intent(1)],
            7 => vec![settled(7), Event::Ended { end: dewy_saga::End::Completed, reason: None }],
            s => vec![settled(s), intent(s + 1)],
        };
        let (mut rows, mut trail) = (Vec::new(), Vec::new());
        for event in events {
            (seq, at) = (seq + 1, Timestamp::now());
            let digest = chain::digest(id, &before, seq, at, &event);
            let to = dewy_saga::state::next(Some(state), &event).unwrap();
            let row = Row { seq, at, by: "w1".to_owned(), fence: 1, event, digest };
            if to != state {
                let entry = chain::audit(id, &head, &row, "w1", Some(state), to);
                head.clone_from(&entry.hash);
                trail.push(entry);
            }
            (before, state) = (row.digest.clone(), to);
            rows.push(row);
        }
        let claims = match commit {
            0 => ClaimChange::Take { resources: vec![format!("booking:{n}")], mark },
            7 => ClaimChange::Release,
            _ => ClaimChange::None,
        };
        let (lease_change, wake_at) = if commit == 7 {
            (LeaseChange::Release, Some(at + Duration::from_secs(30)))
        } else {
            (LeaseChange::For(Duration::from_secs(35)), None)
        };
        let append = Append {
            rows,
            audit: trail,
            state,
            wake_at,
            lease: lease_change,
            claims,
            answer: (commit == 7).then(|| json!({"ok": true})),
            free_token: false,
            labels: vec![],
            beside: vec![],
            heard: vec![],
            at,
        };
        assert_eq!(store.append(&lease, append).await, Ok(Appended::Ok));
    }
}

#[tokio::main]
async fn main() {
    let mut words = std::env::args().skip(1);
    let url = words.next().expect("usage: engine_load <url|postgres> [executions] [callers]");
    let count: u128 = words.next().map_or(3000, |n| n.parse().unwrap());
    let callers: usize = words.next().map_or(32, |n| n.parse().unwrap());
    let server = (url == "postgres").then(|| PostgresServer::start().unwrap());
    let url = match &server {
        Some(server) => server.database().await.unwrap(),
        None => url,
    };
    let store = Store::open(&url, Arc::new(WallClock)).await.unwrap();
    store.migrate().await.unwrap();
    let begun = Instant::now();
    let store = &store;
    let mut times: Vec<Duration> = futures::stream::iter(1..=count)
        .map(|n| async move {
            let begun = Instant::now();
            execution(store, n).await;
            begun.elapsed()
        })
        .buffer_unordered(callers)
        .collect()
        .await;
    let took = begun.elapsed();
    times.sort_unstable();
    let per_second = count as f64 / took.as_secs_f64();
    println!("{per_second:.0} executions/s, p50 {:?}, p99 {:?}", times[times.len() / 2], times[times.len() * 99 / 100]);
}
