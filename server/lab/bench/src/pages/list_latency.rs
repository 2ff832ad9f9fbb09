//! Latency of each list: the tool behind the page, over REST. No list calls an outside system.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_saga::Journal as _;
use dewy_store::Store;
use dewy_test_kit::testing::seed_executions;
use serde_json::{Value, json};

use crate::support::{latencies::Round, round_database::Fixture, test_server::TestServer};

const PAGE: u64 = 50;

/// Fills a store, reads every list repeatedly, and prints the durations.
pub async fn measure(place: &mut Fixture, executions: u32, runs: usize) -> anyhow::Result<()> {
    let database = place.database().await?;
    let store = Store::open(&database, Arc::new(RealClock)).await?;
    store.migrate().await?;
    let (now, began) = (RealClock.now(), Instant::now());
    seed_executions(&database, executions, now).await?;
    eprintln!(
        "{executions} executions put into {} in {:.1} s",
        place.kind.name(),
        began.elapsed().as_secs_f64()
    );

    let mut measured = Vec::new();
    for (list, open) in [
        ("counts of all states (the store alone)", false),
        ("counts of open states (the store alone)", true),
    ] {
        let (mut times, mut rows) = (Vec::new(), 0);
        for _ in 0..runs {
            let began = Instant::now();
            rows = if open {
                store.open_counts().await?
            } else {
                store.counts().await?
            }
            .len();
            times.push(began.elapsed());
        }
        measured.push((list.to_owned(), rows, Round::new(times, Duration::ZERO)));
    }
    store.close().await;

    let server = TestServer::open(&[("DATABASE_URL", &database)]).await?;
    let token = server.token("--staff", "manager@dewy.example").await?;
    for (list, tool, input) in questions(now, executions) {
        let (mut times, mut rows) = (Vec::new(), 0);
        for _ in 0..runs {
            let began = Instant::now();
            rows = ask(&server, &token, tool, &input)
                .await
                .with_context(|| list.clone())?;
            times.push(began.elapsed());
        }
        measured.push((list, rows, Round::new(times, Duration::ZERO)));
    }
    server.close();
    print(place, executions, runs, &measured);
    Ok(())
}

/// Every filter that pages use.
fn questions(now: jiff::Timestamp, executions: u32) -> Vec<(String, &'static str, Value)> {
    let day = |ago: i64| {
        (now - jiff::SignedDuration::from_hours(24 * ago))
            .strftime("%Y-%m-%d")
            .to_string()
    };
    // Guest, booking, room and payment of a completed check-out in the middle.
    let middle = executions / 20 * 10;
    let guest = format!("guest{}@example.com", middle % 5_000);
    let given_back = format!("guest{}@example.com", (middle / 50 * 50 + 3) % 5_000);
    let list = |name: &str, tool: &'static str, input: Value| (name.to_owned(), tool, input);
    let executions =
        |name: &str, input: Value| list(&format!("executions {name}"), "search_executions", input);
    let compensations = |name: &str, input: Value| {
        list(
            &format!("compensations {name}"),
            "list_compensations",
            input,
        )
    };
    vec![
        executions("newest", json!({})),
        executions("in need of a person", json!({ "state": "needs_attention" })),
        executions("compensated", json!({ "state": "compensated" })),
        executions("completed", json!({ "state": "completed" })),
        executions("running (none)", json!({ "state": "running" })),
        executions("of a rare tool", json!({ "tool": "resolve_execution" })),
        executions("of a tool", json!({ "tool": "process_guest_checkout" })),
        executions(
            "of a tool and state",
            json!({ "tool": "process_guest_checkout", "state": "refused" }),
        ),
        executions("of a guest", json!({ "guest_email": guest })),
        executions(
            "of a booking",
            json!({ "booking_number": format!("BK-{}", middle / 4) }),
        ),
        executions(
            "of a room",
            json!({ "room_number": (100 + middle % 44).to_string() }),
        ),
        executions(
            "of a payment",
            json!({ "payment_intent_id": format!("pi_seeded{middle:08}") }),
        ),
        executions(
            "of a month long ago",
            json!({ "from": day(200), "to": day(170) }),
        ),
        executions(
            "of a month and state",
            json!({ "from": day(200), "to": day(170), "state": "needs_attention" }),
        ),
        compensations("newest", json!({})),
        compensations("of a guest", json!({ "guest_email": given_back })),
        compensations("of a status", json!({ "status": "needs_attention" })),
    ]
}

async fn ask(server: &TestServer, token: &str, tool: &str, input: &Value) -> anyhow::Result<usize> {
    let mut input = input.clone();
    input["limit"] = json!(PAGE);
    let data = &server.read(token, tool, &input).await?["data"];
    match data["executions"]
        .as_array()
        .or_else(|| data["compensations"].as_array())
    {
        Some(rows) => Ok(rows.len()),
        None => bail!("no list: {data}"),
    }
}

fn print(place: &Fixture, executions: u32, runs: usize, measured: &[(String, usize, Round)]) {
    println!(
        "{:<40} {:>6} {:>9} {:>9} {:>9}   {}",
        "list",
        "rows",
        "p50 ms",
        "p95 ms",
        "max ms",
        place.kind.name()
    );
    let mut lists = Vec::new();
    for (list, rows, round) in measured {
        let ms = |percent| (round.ms(percent) * 100.0).round() / 100.0;
        println!(
            "{list:<40} {rows:>6} {:>9.2} {:>9.2} {:>9.2}",
            ms(50),
            ms(95),
            ms(100)
        );
        lists.push(json!({ "list": list, "rows": rows, "p50_ms": ms(50), "p95_ms": ms(95), "max_ms": ms(100) }));
    }
    let line = json!({
        "bench": "pages", "part": "lists", "store": place.kind.name(), "executions": executions, "page": PAGE, "runs": runs,
        "lists": lists,
    });
    println!("{line}\n");
}
