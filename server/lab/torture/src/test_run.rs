//! One run on one store: open, load, kill, lift the faults, wait for rest, check.

mod load;
mod plan;
mod report;

use std::{
    collections::BTreeMap,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use dewy_saga::journal::ExecutionRecord;
use dewy_test_kit::{
    Evidence, OutsideRecords, StoreContent,
    invariants::installations::owners,
    pending_text::{CLOCK_JUMP, is_being_searched},
    tool_names::COMPENSATE,
    violations,
};
use jiff::SignedDuration;
use tokio::task::JoinSet;

use self::load::load;
pub use self::{plan::Plan, report::Report};
use crate::{
    booking_callers,
    fault_schedule::{self, FaultCounts},
    installation::Installation,
    orphan_payments,
    outside_systems::OutsideSystems,
    proxy::{LinkFault, System},
    test_server::TestServer,
    wait_until_idle,
};

/// Minimum number of injected payments of each kind.
const MIN_INJECTED_PAYMENTS: u32 = 1;

#[derive(Debug)]
pub struct TestRun {
    plan: Plan,
    upstream: Arc<OutsideSystems>,
    installations: Vec<Installation>,
    begun: Instant,
}

impl TestRun {
    /// Starts the processes.
    pub async fn open(program: &Path, plan: Plan) -> anyhow::Result<Self> {
        let Plan {
            store,
            instances,
            rounds,
            ..
        } = plan;
        eprintln!("{store} with {instances} instance(s): {rounds} kills");
        let started = Instant::now();
        let folder = program.with_file_name(format!(
            "kill-run-{}-{store}-{instances}",
            std::process::id()
        ));
        std::fs::create_dir_all(&folder)?;
        let upstream = Arc::new(OutsideSystems::open(program, folder, plan.seed).await?);
        let mut installations = Vec::new();
        let all = [
            ("hotel", 'K', store, instances),
            ("second", 'Q', "sqlite", 1),
        ];
        for (name, letter, store, instances) in
            all.into_iter().take(usize::try_from(plan.installations)?)
        {
            let server =
                TestServer::open(program, Arc::clone(&upstream), name, store, instances).await?;
            installations.push(Installation {
                server: Arc::new(server),
                desk: Arc::default(),
                letter,
            });
        }
        Ok(Self {
            plan,
            upstream,
            installations,
            begun: started,
        })
    }

    pub async fn run(self) -> anyhow::Result<Report> {
        let plan = self.plan;
        let salt = u64::from(plan.instances) + if plan.store == "sqlite" { 0 } else { 100 };
        let mut rng = crate::rng(plan.seed, salt);
        let first = self
            .installations
            .first()
            .context("at least one installation")?;
        booking_callers::rooms(&first.server).await?;
        let seeds = orphan_payments::prepare(
            &first.server,
            &mut rng,
            usize::try_from(MIN_INJECTED_PAYMENTS + plan.rounds / 20)?,
        )
        .await?;
        let (mut callers, mut suppliers) = (JoinSet::new(), JoinSet::new());
        for (n, installation) in self.installations.iter().enumerate() {
            // The second installation must be left alone; it has fewer callers.
            let share = if n == 0 { 1 } else { 3 };
            let salt = salt * 1000 + u64::try_from(n)? * 100_000;
            load(
                installation,
                plan,
                salt,
                share,
                &mut callers,
                &mut suppliers,
            )
            .await?;
        }
        self.upstream.proxy.set_faults(true);
        let deeds =
            fault_schedule::kills(&self.installations, &mut rng, plan.rounds, seeds).await?;
        self.upstream.proxy.set_faults(false);
        self.upstream.admin("DELETE", "faults", None).await?;
        let lifted = Instant::now();
        for Installation {
            server: house,
            desk,
            ..
        } in &self.installations
        {
            for hotel in &house.hotels {
                house.ready(&mut *hotel.lock().await).await?;
            }
            desk.close();
        }
        while let Some(done) = suppliers.join_next().await {
            done??;
        }
        while let Some(done) = callers.join_next().await {
            done?;
        }
        let (mut stores, mut found) = (Vec::new(), Vec::new());
        for Installation { server: house, .. } in &self.installations {
            stores.push(house.store().await?);
        }
        for store in &stores {
            found.push(wait_until_idle::wait_until_idle(store, plan.settle).await?);
        }
        for (store, found) in stores.iter().zip(&mut found) {
            found.chain_faults = wait_until_idle::broken(store).await?;
        }
        let report = self.judge(found, deeds, lifted.elapsed()).await?;
        for store in stores {
            store.close().await;
        }
        for Installation { server: house, .. } in &self.installations {
            house.close().await?;
        }
        self.upstream.close().await?;
        if report.violations.is_empty() {
            std::fs::remove_dir_all(&self.upstream.folder)?;
        } else {
            eprintln!(
                "logs and ledgers are kept in {}",
                self.upstream.folder.display()
            );
        }
        Ok(report)
    }

    async fn judge(
        &self,
        found: Vec<StoreContent>,
        deeds: FaultCounts,
        rest: Duration,
    ) -> anyhow::Result<Report> {
        let (state, calls) = (
            self.upstream.admin("GET", "state", None).await?,
            self.upstream.admin("GET", "calls", None).await?,
        );
        let ledger = OutsideRecords::read(state, calls);
        let desks = || {
            self.installations
                .iter()
                .map(|installation| &installation.desk)
        };
        let answers: Vec<_> = desks().flat_map(|desk| desk.answers()).collect();
        let planted: Vec<_> = desks().flat_map(|desk| desk.injected_payments()).collect();
        let (owners, found) = (owners(&found), &StoreContent::merge(found));
        let clock_error = if deeds.clocks_forward > 0 {
            CLOCK_JUMP
        } else {
            SignedDuration::ZERO
        };
        let evidence = Evidence {
            answers: &answers,
            planted: &planted,
            expected: desks().flat_map(|desk| desk.expectations()).collect(),
            extra_texts: self.upstream.proxy.extra_texts(),
            clock_error,
            owners,
            ..Evidence::new(&ledger, found)
        };
        let mut violations = violations(&evidence);
        let link = self.upstream.proxy.counts();
        // The store is deleted with its server; what helps to investigate a violation is kept.
        if let Some(first) = self
            .installations
            .first()
            .filter(|_| !violations.is_empty())
        {
            first.server.note("state.json", &ledger.state)?;
            for record in &found.records {
                let id = record.id.to_string();
                if violations.iter().any(|v| v.contains(&id)) {
                    first
                        .server
                        .note(&format!("{id}.json"), &serde_json::to_value(record)?)?;
                }
            }
        }
        let (mut states, mut tools) = (BTreeMap::new(), BTreeMap::new());
        for record in &found.records {
            *states.entry(record.state.name()).or_default() += 1;
            *tools
                .entry((record.saga.clone(), record.state.name()))
                .or_default() += 1;
        }
        let (mut fenced, mut sweeps) = (0, 0);
        for hotel in self
            .installations
            .iter()
            .flat_map(|installation| &installation.server.hotels)
        {
            let hotel = hotel.lock().await;
            fenced += hotel.log_occurrences("another worker has taken over");
            sweeps += hotel.log_occurrences("swept looked_at");
        }
        let of = |wanted: &dyn Fn(&ExecutionRecord) -> bool| {
            found.records.iter().filter(|record| wanted(record)).count()
        };
        let by_sweep = of(&|r| r.saga == COMPENSATE && r.caller == "clock:sweep");
        let payments = ledger.payments.values();
        let refunds = payments.clone().flat_map(|payment| &payment.refunds);
        violations.extend(self.never_happened(&deeds, &link));
        Ok(Report {
            plan: self.plan,
            deeds,
            hardships: desks()
                .map(|desk| desk.interrupted_requests())
                .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)),
            states,
            tools,
            taken_over: of(&|r| r.rows.iter().any(|row| row.fence > 1)),
            fenced,
            charges: payments.filter(|payment| payment.taken > 0).count(),
            refunds: refunds.filter(|refund| refund.stands).count(),
            sweeps,
            planted: (planted.len(), by_sweep),
            texts: (
                ledger.messages().len(),
                of(&|r| found.at.is_some_and(|at| is_being_searched(r, at))),
            ),
            calls: ledger.calls.len(),
            answers: answers.len(),
            link,
            violations,
            rest,
            took: self.begun.elapsed(),
        })
    }

    /// Faults in this plan that never occurred; without them the run proves less than it claims.
    fn never_happened(
        &self,
        deeds: &FaultCounts,
        link: &BTreeMap<(System, LinkFault), u32>,
    ) -> Vec<String> {
        let Plan {
            store,
            instances,
            rounds,
            ..
        } = self.plan;
        let struck = |fault| {
            link.iter()
                .filter(|((_, of), _)| *of == fault)
                .map(|(_, n)| n)
                .sum::<u32>()
        };
        let mut wanted: Vec<(&str, bool, u32)> = vec![
            ("kill -9", true, deeds.kills),
            ("kill -9 of the sandbox", rounds >= 5, deeds.sandbox_kills),
            (
                "a clock that jumps forward",
                rounds >= 2,
                deeds.clocks_forward,
            ),
            (
                "a clock that jumps back",
                rounds >= 7 * instances,
                deeds.clocks_back,
            ),
            ("faults", rounds >= 5, deeds.faults),
            ("an outage", rounds >= 3, deeds.outages),
            (
                "a stop beyond the lease",
                instances > 1 && rounds >= 4,
                deeds.stops,
            ),
            (
                "the database stopped at once",
                store == "postgres" && rounds >= 12,
                deeds.crashes,
            ),
        ];
        wanted.extend(
            LinkFault::ALL
                .into_iter()
                .map(|fault| (fault.name(), true, struck(fault))),
        );
        let missing = wanted
            .into_iter()
            .filter(|(_, due, times)| *due && *times == 0);
        missing
            .map(|(name, ..)| format!("never happened: {name}"))
            .collect()
    }
}
