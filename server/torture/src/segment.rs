//! One run on one store: open, load, kill, lift the faults, wait for rest, check.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_store::Store;
use tokio::task::JoinSet;

use crate::{
    check::{self, Scene, texts},
    clients,
    desk::Desk,
    dice::Dice,
    house::{House, START},
    ledger::Ledger,
    orphans,
    rest::{self, AtRest},
    staff, stays,
    trouble::{self, Deeds},
};

/// So many stays are always waiting to be checked out.
const SUPPLY: usize = 60;

/// So many payments of each kind are planted in the course of it, at least.
const PLANTED: u32 = 1;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub store: &'static str,
    pub instances: u32,
    pub rounds: u32,
    pub callers: u32,
    pub settle: u64,
    pub seed: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct Report {
    /// What was asked for.
    pub plan: Plan,
    /// What was done to the hotel.
    pub deeds: Deeds,
    /// Requests under way at the kills, requests without an answer.
    pub hardships: (u32, u32),
    /// Executions by state.
    pub states: BTreeMap<&'static str, usize>,
    /// By tool and state.
    pub tools: BTreeMap<(String, &'static str), usize>,
    /// Executions that changed hands at least once.
    pub taken_over: usize,
    /// Zombies that found their lease gone.
    pub fenced: usize,
    /// Payments captured.
    pub charges: usize,
    /// Refunds made.
    pub refunds: usize,
    /// Sweeps that came to their end.
    pub sweeps: usize,
    /// Payments planted for them, and compensations that they began.
    pub planted: (usize, usize),
    /// Text messages, and those that are still looked for at the carrier.
    pub texts: (usize, usize),
    /// Calls of the outside systems.
    pub calls: usize,
    /// Answers that callers were given.
    pub answers: usize,
    /// What did not hold.
    pub violations: Vec<String>,
    /// From the last fault to rest.
    pub rest: Duration,
    /// From start to end.
    pub took: Duration,
}

/// A run under way.
#[derive(Debug)]
pub struct Segment {
    plan: Plan,
    house: Arc<House>,
    desk: Arc<Desk>,
    begun: Instant,
}

impl Segment {
    /// Starts the processes and fills the house.
    pub async fn open(program: &Path, plan: Plan) -> anyhow::Result<Self> {
        eprintln!("{} with {} instance(s): {} kills", plan.store, plan.instances, plan.rounds);
        let begun = Instant::now();
        let house = Arc::new(House::open(program, plan.store, plan.instances).await?);
        Ok(Self { plan, house, desk: Arc::new(Desk::default()), begun })
    }

    /// Does all of it.
    pub async fn run(self) -> anyhow::Result<Report> {
        let (plan, house, desk) = (self.plan, &self.house, &self.desk);
        let salt = u64::from(plan.instances) + if plan.store == "sqlite" { 0 } else { 100 };
        let mut dice = Dice::new(plan.seed, salt);
        desk.add(stays::make(house, &mut dice, 0, SUPPLY).await?);
        let seeds = orphans::prepare(house, &mut dice, usize::try_from(PLANTED + plan.rounds / 20)?).await?;
        let mut callers = JoinSet::new();
        for n in 0..plan.callers {
            let dice = Dice::new(plan.seed, salt * 1000 + u64::from(n));
            callers.spawn(clients::caller(Arc::clone(house), Arc::clone(desk), dice));
        }
        for n in 0..plan.callers.div_ceil(8) {
            let dice = Dice::new(plan.seed, salt * 1000 + 500 + u64::from(n));
            callers.spawn(staff::member(Arc::clone(house), Arc::clone(desk), dice));
        }
        let supplier =
            tokio::spawn(supply(Arc::clone(house), Arc::clone(desk), Dice::new(plan.seed, salt * 1000 + 999)));
        let deeds = trouble::kills(house, desk, &mut dice, plan.rounds, seeds).await?;

        house.admin("DELETE", "faults", None).await?;
        let lifted = Instant::now();
        for hotel in &house.hotels {
            hotel.lock().await.ready(&house.wire, START).await?;
        }
        desk.close();
        supplier.await??;
        while let Some(done) = callers.join_next().await {
            done?;
        }
        let store = house.store().await?;
        let at_rest = rest::rest(&store, plan.settle).await?;
        let rest = lifted.elapsed();
        let report = self.judge(&store, at_rest, deeds, rest).await?;
        store.close().await;
        let keep = !report.violations.is_empty();
        Arc::into_inner(self.house).context("somebody still uses the house")?.close(keep).await?;
        Ok(report)
    }

    async fn judge(&self, store: &Store, found: AtRest, deeds: Deeds, rest: Duration) -> anyhow::Result<Report> {
        store.anchor(RealClock.now()).await?;
        let verified = store.verify_all().await?;
        let ledger =
            Ledger::read(&self.house.admin("GET", "state", None).await?, self.house.admin("GET", "calls", None).await?);
        let (answers, planted) = (self.desk.answers(), self.desk.all_planted());
        let violations = check::violations(&Scene {
            ledger: &ledger,
            found: &found,
            verified: &verified,
            answers: &answers,
            planted: &planted,
        });
        // The store goes with its server; what is needed to understand a violation stays.
        for record in &found.records {
            let id = record.id.to_string();
            if violations.iter().any(|v| v.contains(&id)) {
                self.house.note(&format!("{id}.json"), &serde_json::to_value(record)?)?;
            }
        }
        let (mut states, mut tools) = (BTreeMap::new(), BTreeMap::new());
        for record in &found.records {
            *states.entry(record.state.name()).or_default() += 1;
            *tools.entry((record.saga.clone(), record.state.name())).or_default() += 1;
        }
        let (mut fenced, mut sweeps) = (0, 0);
        for hotel in &self.house.hotels {
            let hotel = hotel.lock().await;
            fenced += hotel.said("another worker has taken over");
            sweeps += hotel.said("swept looked_at");
        }
        let by_sweep =
            found.records.iter().filter(|r| r.saga == check::COMPENSATE && r.caller == "clock:sweep").count();
        Ok(Report {
            plan: self.plan,
            deeds,
            hardships: self.desk.hardships(),
            states,
            tools,
            taken_over: found.records.iter().filter(|r| r.rows.iter().any(|row| row.fence > 1)).count(),
            fenced,
            charges: ledger.payments.values().filter(|p| p.taken > 0).count(),
            refunds: ledger.refunds,
            sweeps,
            planted: (planted.len(), by_sweep),
            texts: (ledger.messages.len(), found.records.iter().filter(|r| texts::looked_for(r, found.at)).count()),
            calls: ledger.calls.len(),
            answers: answers.len(),
            violations,
            rest,
            took: self.begun.elapsed(),
        })
    }
}

/// Sees to it that there is always somebody to check out.
async fn supply(house: Arc<House>, desk: Arc<Desk>, mut dice: Dice) -> anyhow::Result<()> {
    let mut made = SUPPLY;
    while !desk.closing() {
        if desk.left() < SUPPLY / 2 {
            // The session may have been expired by a fault; the next time it is made anew.
            if let Ok(more) = stays::make(&house, &mut dice, made, SUPPLY / 2).await {
                desk.add(more);
            }
            made += SUPPLY / 2;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}
