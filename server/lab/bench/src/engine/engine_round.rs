//! One round on one store: many concurrent callers for a while, then a single caller.

use std::{
    fs::File,
    io::Write,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{bail, ensure};
use dewy_connectors::RealClock;
use dewy_saga::{
    Engine, EngineSettings, Journal, StartRequest, StartResult, State, journal::ExecutionFilter,
};
use dewy_store::Store;
use serde_json::json;

use super::{
    bench_environment::{BenchEnvironment, unique},
    noop_saga::noop,
};
use crate::support::{
    latencies::Round as Latencies, process_stat::ProcessStat, round_database::Fixture,
};

/// Number of executions before the measurement, so that connections, statements and caches are
/// warm.
const WARM_UP: usize = 300;

/// Amount of load.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub callers: usize,
    pub span: Duration,
    /// Number of executions of the single caller.
    pub singles: usize,
}

/// Processor time of this process and of the store's server.
#[derive(Clone, Copy, Debug)]
struct Cpu {
    own: Duration,
    server: Duration,
}

/// Result of one round.
#[derive(Debug)]
pub struct Round {
    /// Durations with many callers.
    pub many: Latencies,
    /// Durations with a single caller.
    pub single: Latencies,
    /// Small durable writes per second on this disk.
    pub syncs: f64,
    /// Duration of the whole round.
    pub took: Duration,
    cpu: Cpu,
    single_cpu: Cpu,
}

impl Round {
    /// Executions per second with many callers.
    pub fn per_second(&self) -> f64 {
        self.many.per_second()
    }

    /// Processor time per execution with many callers, in milliseconds.
    pub fn cpu_ms(&self) -> f64 {
        self.own_cpu_ms() + self.server_cpu_ms()
    }

    /// Share of this process.
    pub fn own_cpu_ms(&self) -> f64 {
        self.cpu.own.as_secs_f64() * 1000.0 / as_float(self.many.count())
    }

    /// Share of the store's server.
    pub fn server_cpu_ms(&self) -> f64 {
        self.cpu.server.as_secs_f64() * 1000.0 / as_float(self.many.count())
    }

    /// Processor time per execution with a single caller, in milliseconds.
    pub fn single_cpu_ms(&self) -> f64 {
        (self.single_cpu.own + self.single_cpu.server).as_secs_f64() * 1000.0
            / as_float(self.single.count())
    }
}

/// Counts are far below the precision limit of a float.
fn as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX))
}

/// Runs a round on a new, empty database.
pub async fn measure(place: &mut Fixture, shape: Load) -> anyhow::Result<Round> {
    let started = Instant::now();
    let syncs = syncs_per_second(&place.folder)?;
    let store = Store::open(&place.database().await?, Arc::new(RealClock)).await?;
    store.migrate().await?;
    let settings = EngineSettings {
        worker: "bench".to_owned(),
        workers: shape.callers.max(64),
        lease: Duration::from_secs(30),
        ..EngineSettings::default()
    };
    let engine = Engine::new(
        Arc::new(store.clone()),
        Arc::new(BenchEnvironment),
        vec![noop()],
        settings,
    );
    callers(
        &engine,
        shape.callers,
        Duration::MAX,
        WARM_UP / shape.callers + 1,
    )
    .await?;

    let before = cpu(place);
    let many = callers(&engine, shape.callers, shape.span, usize::MAX).await?;
    let used = since(before, cpu(place));

    let before = cpu(place);
    let single = callers(&engine, 1, Duration::MAX, shape.singles).await?;
    let single_used = since(before, cpu(place));

    check(&store, many.count() + single.count()).await?;
    store.close().await;
    Ok(Round {
        many,
        single,
        syncs,
        took: started.elapsed(),
        cpu: used,
        single_cpu: single_used,
    })
}

fn cpu(place: &Fixture) -> Cpu {
    Cpu {
        own: ProcessStat::of("self").map_or(Duration::ZERO, |process| process.used),
        server: place.server_cpu(),
    }
}

fn since(before: Cpu, after: Cpu) -> Cpu {
    Cpu {
        own: after.own.saturating_sub(before.own),
        server: after.server.saturating_sub(before.server),
    }
}

/// Each caller starts its next execution as soon as one is answered, until the time or the number
/// is reached.
async fn callers(
    engine: &Engine,
    how_many: usize,
    span: Duration,
    at_most: usize,
) -> anyhow::Result<Latencies> {
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..how_many {
        let engine = engine.clone();
        tasks.spawn(async move {
            let mut times = Vec::new();
            while times.len() < at_most && started.elapsed() < span {
                let asked = Instant::now();
                one(&engine).await?;
                times.push(asked.elapsed());
            }
            anyhow::Ok(times)
        });
    }
    let mut times = Vec::new();
    while let Some(done) = tasks.join_next().await {
        times.extend(done??);
    }
    Ok(Latencies::new(times, started.elapsed()))
}

/// Starts one execution and waits for its end.
async fn one(engine: &Engine) -> anyhow::Result<()> {
    let order = StartRequest {
        saga: "noop",
        caller: "bench".to_owned(),
        interface: "cli".to_owned(),
        token: Some(unique()),
        input_digest: "1".to_owned(),
        input: json!({ "n": 1 }),
        labels: Vec::new(),
    };
    match engine.start(order).await {
        StartResult::Started(id) => {
            if let Some(mut run) = engine.subscribe(id) {
                while run.changed().await.is_ok() {}
            }
            Ok(())
        }
        other => bail!("not started: {other:?}"),
    }
}

/// A result counts only if all executions completed with their whole journals, and every hash chain
/// is valid.
async fn check(store: &Store, counted: usize) -> anyhow::Result<()> {
    let unfinished = State::ALL
        .into_iter()
        .filter(|s| *s != State::Completed)
        .collect();
    let rest = store
        .list(&ExecutionFilter {
            states: unfinished,
            limit: 1,
            ..ExecutionFilter::default()
        })
        .await?;
    ensure!(rest.is_empty(), "an execution did not complete: {rest:?}");
    let done = store
        .list(&ExecutionFilter {
            limit: counted + WARM_UP * 2,
            ..ExecutionFilter::default()
        })
        .await?
        .len();
    ensure!(
        done >= counted,
        "{counted} were answered and {done} are stored"
    );
    Ok(())
}

fn syncs_per_second(folder: &Path) -> anyhow::Result<f64> {
    let path = folder.join("syncs");
    let mut file = File::create(&path)?;
    let (begun, mut n) = (Instant::now(), 0_u32);
    while begun.elapsed() < Duration::from_millis(300) {
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
        n += 1;
    }
    let rate = f64::from(n) / begun.elapsed().as_secs_f64();
    std::fs::remove_file(path)?;
    Ok(rate)
}
