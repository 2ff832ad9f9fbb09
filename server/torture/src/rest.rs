//! Waiting until everything rests, and reading all of it.

use std::time::{Duration, Instant};

use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_saga::{
    ExecutionId, Journal, State,
    journal::{BesideRow, Filter, Record},
};
use dewy_store::Store;
use jiff::Timestamp;
use serde_json::Value;

use crate::{check::texts, test_server::GRACE};

/// I7: once faults stop, everything rests within this.
const BOUND: Duration = Duration::from_secs(150);

/// More than there ever is of anything.
const ALL: usize = 1_000_000;

/// What the store holds at the end.
#[derive(Debug)]
pub struct AtRest {
    /// Every execution with its journal.
    pub records: Vec<Record>,
    /// Every compensation record.
    pub compensations: Vec<BesideRow>,
    /// Texts that nobody has begun to send.
    pub owed: usize,
    /// Whether a sweep has looked everywhere after the faults.
    pub swept: bool,
    /// When it was read.
    pub at: Timestamp,
}

impl AtRest {
    /// What all these stores hold.
    pub fn together(all: &[Self]) -> Self {
        Self {
            records: all.iter().flat_map(|one| one.records.clone()).collect(),
            compensations: all
                .iter()
                .flat_map(|one| one.compensations.clone())
                .collect(),
            owed: all.iter().map(|one| one.owed).sum(),
            swept: all.iter().all(|one| one.swept),
            at: all
                .iter()
                .map(|one| one.at)
                .max()
                .unwrap_or_else(|| RealClock.now()),
        }
    }
}

/// Waits until every execution rests, a sweep has looked at everything that was planted, and the
/// first look for late effects is over; or for as long as that may take.
pub async fn rest(store: &Store, settle: u64) -> anyhow::Result<AtRest> {
    let begun = Instant::now();
    let settle = Duration::from_secs(settle);
    let mut sweeps = Sweeps::default();
    let mut waited_for = "";
    loop {
        sweeps.look(store, begun).await?;
        let late = begun.elapsed() > BOUND.max(settle + Duration::from_secs(60));
        let wait_for = if begun.elapsed() < settle {
            "late effects"
        } else if !still(store).await? {
            "executions to rest"
        } else if !store.projections("text", None, 1).await?.is_empty() {
            "texts to be sent"
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
                begun.elapsed().as_secs_f32()
            );
            waited_for = wait_for;
        }
        if late || wait_for.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let records = read(store).await?;
    Ok(AtRest {
        records,
        compensations: store.projections("compensation", None, ALL).await?,
        owed: store.projections("text", None, ALL).await?.len(),
        swept: sweeps.enough(),
        at: RealClock.now(),
    })
}

/// Every execution. A text that was looked for may have been found since, and is being noted down:
/// it is read once more then.
async fn read(store: &Store) -> anyhow::Result<Vec<Record>> {
    let mut records = Vec::new();
    for listed in store
        .list(&Filter {
            limit: ALL,
            ..Filter::default()
        })
        .await?
    {
        let mut found = heard(store, listed.id).await?;
        for _ in 0..20 {
            let moves = |r: &Record| !r.state.at_rest() && !texts::looked_for(r, RealClock.now());
            if !found.as_ref().is_some_and(moves) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
            found = heard(store, listed.id).await?;
        }
        records.extend(found);
    }
    Ok(records)
}

/// An execution; whatever was said to it only just now has a moment to be answered, for events of
/// Stripe's come at any time.
async fn heard(store: &Store, id: ExecutionId) -> anyhow::Result<Option<Record>> {
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

/// The sweeps seen since everything that was planted is past its grace. They are told apart by when
/// they ended, and not compared with our clock: theirs may be wrong.
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
        let Some(found) = store.get_fact("note:sweep").await? else {
            return Ok(());
        };
        let at = found["last_run_at"].clone();
        if self.last.as_ref().is_some_and(|last| *last != at) && found["trouble"].is_null() {
            self.ended += 1;
        }
        self.last = Some(at);
        Ok(())
    }

    /// Whether one has begun and ended since: the first to end may have begun before.
    const fn enough(&self) -> bool {
        self.ended >= 2
    }
}

/// Whether nothing moves but texts that are looked for at the carrier, which takes its ten minutes.
async fn still(store: &Store) -> anyhow::Result<bool> {
    let restless: Vec<State> = State::ALL.into_iter().filter(|s| !s.at_rest()).collect();
    for listed in store
        .list(&Filter {
            states: restless,
            limit: ALL,
            ..Filter::default()
        })
        .await?
    {
        let record = store.load(listed.id).await?;
        let now = RealClock.now();
        let waits = |r: &Record| texts::looked_for(r, now) && !texts::on_the_way(r, now);
        if !record.is_some_and(|r| r.state.at_rest() || waits(&r)) {
            return Ok(false);
        }
    }
    Ok(true)
}
