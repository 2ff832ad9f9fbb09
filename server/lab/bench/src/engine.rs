//! Cost of the engine: a saga of seven no-op steps, each with a durable intent and outcome, on both
//! stores.
//!
//! `cargo xtask bench engine [--rounds 3] [--seconds 6]` prints one JSON line for each store.
//! Rounds of the two alternate, and medians are printed, so that a busy moment of the machine
//! doesn't affect only one of them.

mod bench_environment;
mod engine_round;
mod noop_saga;

use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use self::engine_round::{Load, Round};
use crate::support::round_database::{Fixture, Kind};

#[derive(Debug, Args)]
pub struct Options {
    /// Number of measurements of both stores.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seconds of concurrent load in each round.
    #[arg(long, default_value_t = 6)]
    seconds: u64,
    /// Number of callers.
    #[arg(long, default_value_t = 32)]
    callers: usize,
    /// Number of executions that a single caller starts, one after another.
    #[arg(long, default_value_t = 400)]
    singles: usize,
    /// Measure only this store.
    #[arg(long)]
    store: Option<Kind>,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    if options.rounds == 0 || options.callers == 0 || options.singles == 0 {
        bail!("at least one round, one caller and one execution");
    }
    let shape = Load {
        callers: options.callers,
        span: Duration::from_secs(options.seconds),
        singles: options.singles,
    };
    let kinds: Vec<Kind> = [Kind::Sqlite, Kind::Postgres]
        .into_iter()
        .filter(|k| options.store.is_none_or(|s| s == *k))
        .collect();
    let mut places = Vec::new();
    for kind in kinds {
        places.push((Fixture::of(kind)?, Vec::new()));
    }
    for number in 1..=options.rounds {
        for (place, rounds) in &mut places {
            let round = engine_round::measure(place, shape)
                .await
                .with_context(|| format!("round {number} on {}", place.kind.name()))?;
            eprintln!(
                "round {number} on {}: {:.0}/s, {:.2} ms of CPU each",
                place.kind.name(),
                round.per_second(),
                round.cpu_ms()
            );
            rounds.push(round);
        }
    }
    for (place, rounds) in &places {
        println!("{}", line(place.kind, shape, rounds));
    }
    Ok(())
}

fn line(kind: Kind, shape: Load, rounds: &[Round]) -> serde_json::Value {
    let of = |f: &dyn Fn(&Round) -> f64| rounded(median(rounds.iter().map(f).collect()));
    json!({
        "bench": "engine",
        "store": kind.name(),
        "durability": kind.durability(),
        "steps": noop_saga::STEPS,
        "commits_per_execution": noop_saga::STEPS + 2,
        "callers": shape.callers,
        "executions_per_s": of(&Round::per_second),
        "p50_ms": of(&|r| r.many.ms(50)),
        "p99_ms": of(&|r| r.many.ms(99)),
        "cpu_ms_per_execution": of(&Round::cpu_ms),
        "cpu_ms_own": of(&Round::own_cpu_ms),
        "cpu_ms_server": of(&Round::server_cpu_ms),
        "single_p50_ms": of(&|r| r.single.ms(50)),
        "single_p99_ms": of(&|r| r.single.ms(99)),
        "single_cpu_ms_per_execution": of(&Round::single_cpu_ms),
        "disk_syncs_per_s": of(&|r| r.syncs),
        "executions": rounds.iter().map(|r| r.many.count() + r.single.count()).sum::<usize>(),
        "rounds": rounds.len(),
        "seconds": rounded(rounds.iter().map(|r| r.took.as_secs_f64()).sum()),
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match (values.get(middle), values.len() % 2) {
        (Some(value), 1) => *value,
        (Some(value), _) => f64::midpoint(*value, values[middle - 1]),
        (None, _) => 0.0,
    }
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
