//! One run on one store: open, load, kill, lift the faults, wait for rest, check.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use dewy_domain::ports::Clock;
use dewy_saga::{
    Journal, State,
    journal::{Filter, Record},
};
use dewy_server::world::RealClock;
use dewy_store::Store;
use tokio::task::JoinSet;

use crate::{
    check, clients,
    desk::Desk,
    dice::Dice,
    house::{House, START},
    ledger::Ledger,
    stays,
    trouble::{self, Deeds},
};

/// So many stays are always waiting to be checked out.
const SUPPLY: usize = 60;

/// I7: once faults stop, everything rests within this.
const BOUND: Duration = Duration::from_secs(150);

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
    pub plan: Plan,
    pub deeds: Deeds,
    /// Requests under way at the kills, requests without an answer.
    pub hardships: (u32, u32),
    pub states: BTreeMap<&'static str, usize>,
    /// Executions that changed hands at least once.
    pub taken_over: usize,
    /// Zombies that found their lease gone.
    pub fenced: usize,
    pub charges: usize,
    pub refunds: usize,
    pub calls: usize,
    pub answers: usize,
    pub violations: Vec<String>,
    /// From the last fault to rest.
    pub rest: Duration,
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
    pub async fn open(plan: Plan) -> anyhow::Result<Self> {
        eprintln!("{} with {} instance(s): {} kills", plan.store, plan.instances, plan.rounds);
        let begun = Instant::now();
        let house = Arc::new(House::open(plan.store, plan.instances).await?);
        Ok(Self { plan, house, desk: Arc::new(Desk::default()), begun })
    }

    /// Does all of it.
    pub async fn run(self) -> anyhow::Result<Report> {
        let (plan, house, desk) = (self.plan, &self.house, &self.desk);
        let salt = u64::from(plan.instances) + if plan.store == "sqlite" { 0 } else { 100 };
        let mut dice = Dice::new(plan.seed, salt);
        desk.add(stays::make(house, &mut dice, 0, SUPPLY).await?);
        let mut callers = JoinSet::new();
        for n in 0..plan.callers {
            callers.spawn(clients::caller(
                Arc::clone(house),
                Arc::clone(desk),
                Dice::new(plan.seed, salt * 1000 + u64::from(n)),
            ));
        }
        let supplier =
            tokio::spawn(supply(Arc::clone(house), Arc::clone(desk), Dice::new(plan.seed, salt * 1000 + 999)));
        let deeds = trouble::kills(house, desk, &mut dice, plan.rounds).await?;

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
        let records = rest(&store, plan.settle).await?;
        let rest = lifted.elapsed();
        let report = self.judge(&store, records, deeds, rest).await?;
        store.close().await;
        let keep = !report.violations.is_empty();
        Arc::into_inner(self.house).context("somebody still uses the house")?.close(keep).await?;
        Ok(report)
    }

    async fn judge(&self, store: &Store, records: Vec<Record>, deeds: Deeds, rest: Duration) -> anyhow::Result<Report> {
        store.anchor(RealClock.now()).await?;
        let verified = store.verify_all().await?;
        let ledger =
            Ledger::read(&self.house.admin("GET", "state", None).await?, self.house.admin("GET", "calls", None).await?);
        let answers = self.desk.answers();
        let violations = check::violations(&ledger, &records, &verified, &answers);
        let mut states = BTreeMap::new();
        for record in &records {
            *states.entry(record.state.name()).or_default() += 1;
        }
        let mut fenced = 0;
        for hotel in &self.house.hotels {
            fenced += hotel.lock().await.said("another worker has taken over");
        }
        Ok(Report {
            plan: self.plan,
            deeds,
            hardships: self.desk.hardships(),
            states,
            taken_over: records.iter().filter(|r| r.rows.iter().any(|row| row.fence > 1)).count(),
            fenced,
            charges: ledger.payments.values().filter(|p| p.taken > 0).count(),
            refunds: ledger.refunds,
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

/// Waits until every execution rests and the first look for late effects is over; answers all of them with their journals.
async fn rest(store: &Store, settle: u64) -> anyhow::Result<Vec<Record>> {
    let begun = Instant::now();
    let settle = Duration::from_secs(settle);
    let restless: Vec<State> = State::ALL.into_iter().filter(|s| !s.at_rest()).collect();
    let all = Filter { limit: 100_000, ..Filter::default() };
    loop {
        let moving = store.list(&Filter { states: restless.clone(), limit: 1, ..Filter::default() }).await?;
        let late = begun.elapsed() > BOUND.max(settle + Duration::from_secs(60));
        if late || (moving.is_empty() && begun.elapsed() >= settle) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let mut records = Vec::new();
    for listed in store.list(&all).await? {
        records.extend(store.load(listed.id).await?);
    }
    Ok(records)
}
