//! Waits until everything is at rest, and reads all of it.

use std::time::{Duration, Instant};

use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_saga::{
    ExecutionId, Journal, State,
    journal::{ExecutionFilter, ExecutionRecord},
};
use dewy_store::Store;
use dewy_test_kit::{
    StoreContent,
    pending_text::{is_being_searched, on_the_way},
};
use serde_json::Value;

use crate::test_server::GRACE;

/// I7: once faults stop, everything comes to rest within this time. Each crash uses up a recheck,
/// so after many crashes an execution waits for the longest interval, five minutes.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(330);

/// Larger than any list.
const ALL: usize = 1_000_000;

/// Waits until every execution is at rest, a sweep has covered all injected payments, and the first
/// recheck for late effects is over; or until the time limit.
pub async fn wait_until_idle(store: &Store, settle: u64) -> anyhow::Result<StoreContent> {
    let started = Instant::now();
    let settle = Duration::from_secs(settle);
    let mut sweeps = Sweeps::default();
    let mut waited_for = "";
    loop {
        sweeps.look(store, started).await?;
        let late = started.elapsed() > MAX_RECOVERY_TIME.max(settle + Duration::from_secs(60));
        let wait_for = if started.elapsed() < settle {
            "late effects"
        } else if !still(store).await? {
            "executions to rest"
        } else if !store.projections("text", None, 1).await?.is_empty() {
            "texts to be sent"
        } else if !store.projections("ended_stay", None, 1).await?.is_empty() {
            "cases to end with a stay"
        } else if !sweeps.enough() {
            "a sweep"
        } else {
            ""
        };
        if wait_for != waited_for {
            let what = if wait_for.is_empty() {
                "at rest".to_owned()
            } else {
                format!("waiting for {wait_for}")
            };
            eprintln!(
                "  {what} {:.1} s after the last fault",
                started.elapsed().as_secs_f32()
            );
            waited_for = wait_for;
        }
        if late || wait_for.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let records = read(store).await?;
    Ok(StoreContent {
        records,
        compensations: store.projections("compensation", None, ALL).await?,
        unsent_texts: store.projections("text", None, ALL).await?.len(),
        orphan_check_ran: sweeps.enough(),
        at: Some(RealClock.now()),
        chain_faults: Vec::new(),
        installation: store.known_installation().await?.map(|id| id.to_string()),
    })
}

/// Faults of the hash chains, once they are covered by a checkpoint.
pub async fn broken(store: &Store) -> anyhow::Result<Vec<String>> {
    store.write_audit_checkpoint(RealClock.now()).await?;
    let faults = store.verify_all().await?.faults.into_iter();
    Ok(faults
        .map(|fault| format!("{:?}: {}", fault.execution, fault.what))
        .collect())
}

/// Reads all executions. If a text was found at the carrier in the meantime and is being recorded,
/// reads once more.
async fn read(store: &Store) -> anyhow::Result<Vec<ExecutionRecord>> {
    let mut records = Vec::new();
    for listed in store
        .list(&ExecutionFilter {
            limit: ALL,
            ..ExecutionFilter::default()
        })
        .await?
    {
        let mut found = await_handled(store, listed.id).await?;
        for _ in 0..20 {
            let moves = |r: &ExecutionRecord| {
                !r.state.has_ended() && !is_being_searched(r, RealClock.now())
            };
            if !found.as_ref().is_some_and(moves) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
            found = await_handled(store, listed.id).await?;
        }
        records.extend(found);
    }
    Ok(records)
}

/// Execution; signals that just arrived get a moment to be handled, because Stripe's events come at
/// any time.
async fn await_handled(store: &Store, id: ExecutionId) -> anyhow::Result<Option<ExecutionRecord>> {
    for _ in 0..20 {
        match store.load(id).await? {
            Some(record) if !record.signals.is_empty() => {
                tokio::time::sleep(Duration::from_millis(500)).await
            }
            found => return Ok(found),
        }
    }
    Ok(store.load(id).await?)
}

/// Sweeps since all injected payments are past their grace period. They are distinguished by their
/// end times, and not compared with this clock: theirs may be wrong.
#[derive(Debug, Default)]
struct Sweeps {
    last: Option<Value>,
    ended: u32,
}

impl Sweeps {
    async fn look(&mut self, store: &Store, lifted: Instant) -> anyhow::Result<()> {
        if lifted.elapsed() < GRACE + Duration::from_millis(500) {
            return Ok(());
        }
        let Some(found) = store.get_json("note:sweep").await? else {
            return Ok(());
        };
        let at = found["last_run_at"].clone();
        if self.last.as_ref().is_some_and(|last| *last != at) && found["trouble"].is_null() {
            self.ended += 1;
        }
        self.last = Some(at);
        Ok(())
    }

    /// Whether an orphan check has both started and finished since then; the first to finish may
    /// have started earlier.
    const fn enough(&self) -> bool {
        self.ended >= 2
    }
}

/// Whether nothing is active except texts being searched for at the carrier, which takes ten
/// minutes.
async fn still(store: &Store) -> anyhow::Result<bool> {
    let restless: Vec<State> = State::ALL.into_iter().filter(|s| !s.has_ended()).collect();
    for listed in store
        .list(&ExecutionFilter {
            states: restless,
            limit: ALL,
            ..ExecutionFilter::default()
        })
        .await?
    {
        let record = store.load(listed.id).await?;
        let now = RealClock.now();
        let waits = |r: &ExecutionRecord| is_being_searched(r, now) && !on_the_way(r, now);
        if !record.is_some_and(|r| r.state.has_ended() || waits(&r)) {
            return Ok(false);
        }
    }
    Ok(true)
}
