//! Torture test: kills the hotel at random moments under load with faults, and checks the outside
//! systems' ledgers.
//!
//! ```text
//! cargo xtask kill [--rounds 200] [--store sqlite|postgres|both] [--seed 1]
//!
//! another program ────────────► sandbox (its own process, on disk) ◄── kill -9, restarted on the same file and port
//!                                    ▲ faults of every kind
//!                                  proxy: requests lost, delayed, delivered twice or again much later; responses lost,
//!                                    ▲    truncated, with a wrong length, reset, replaced by a gateway's page
//!  installation 1: dewy serve × 1 or 3 ◄── kill -9, SIGSTOP beyond the lease, immediate database stops, clock jumps
//!  installation 2: dewy serve          ◄── kill -9
//!    ▲        ▲
//!    │        └─ the sweep, every second; orphaned and foreign payments are injected for it
//!  callers over MCP: check-ins, charges and voids, check-outs; bookings, changes and cancellations; cases; room status;
//!  retries with the same token until answered; two at once for one stay; the same token twice at once; guests at their
//!  bank. Staff: the actions on the lists, refunds and decisions.
//! ```
//!
//! At the end the faults are lifted, everything has to come to rest, and every invariant is checked
//! against the sandbox's own records.

mod booking_callers;
mod caller_state;
mod case_workers;
mod fault_schedule;
mod guest_stay_callers;
mod installation;
mod orphan_payments;
mod outside_systems;
mod proxy;
mod report_table;
mod scenarios;
mod seed_stays;
mod staff_browsing;
mod test_run;
mod test_server;
mod tool_caller;
mod wait_until_idle;

use std::path::Path;

use anyhow::{bail, ensure};
use clap::{Parser, ValueEnum};

use crate::test_run::{Plan, TestRun};
pub use crate::{
    report_table::print,
    scenarios::{ScenarioReport, print_scenarios, scenes},
    test_run::Report,
};

/// Stores to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stores {
    /// One instance on a SQLite file.
    Sqlite,
    /// One instance, then three, on a dedicated server.
    Postgres,
    /// Both, with half the kills each.
    Both,
}

/// Command-line options.
#[derive(Debug, Parser)]
pub struct Options {
    /// Number of kills.
    #[arg(long, default_value_t = 200)]
    pub rounds: u32,
    /// The store: SQLite has one instance, Postgres one and then three.
    #[arg(long, default_value = "both")]
    pub store: Stores,
    /// Seed for the moments and the faults; timing on the machine still differs on each run.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of callers.
    #[arg(long, default_value_t = 24)]
    pub callers: u32,
    /// Seconds for which the hotel is observed after the last fault; the default covers the first
    /// recheck for late effects.
    #[arg(long, default_value_t = 36)]
    pub settle: u64,
    /// Runs the store failure scenes instead, and prints the recovery time of each.
    #[arg(long)]
    pub scenes: bool,
    /// Number of installations that share the Stripe account and the Salesforce org: 1 or 2.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub installations: u32,
}

impl Options {
    fn plans(&self) -> Vec<Plan> {
        let plan = |store, instances, rounds| Plan {
            store,
            instances,
            rounds,
            callers: self.callers,
            settle: self.settle,
            installations: self.installations,
            seed: self.seed,
        };
        let one_of_three = |rounds: u32| {
            [
                plan("postgres", 1, rounds / 3),
                plan("postgres", 3, rounds - rounds / 3),
            ]
        };
        let plans = match self.store {
            Stores::Sqlite => vec![plan("sqlite", 1, self.rounds)],
            Stores::Postgres => one_of_three(self.rounds).to_vec(),
            Stores::Both => {
                let half = self.rounds / 2;
                [plan("sqlite", 1, half)]
                    .into_iter()
                    .chain(one_of_three(self.rounds - half))
                    .collect()
            }
        };
        plans.into_iter().filter(|p| p.rounds > 0).collect()
    }
}

/// Runs the torture test with this build of `dewy`; returns a report per store.
///
/// # Errors
/// When a process can't be started, or the run can't be completed.
pub async fn run(options: &Options, program: &Path) -> anyhow::Result<Vec<Report>> {
    if options.rounds == 0 || options.callers == 0 {
        bail!("at least one round and one caller");
    }
    ensure!(
        program.is_file(),
        "{} is missing; build it first: cargo build -p dewy",
        program.display()
    );
    let mut reports = Vec::new();
    for plan in options.plans() {
        reports.push(TestRun::open(program, plan).await?.run().await?);
    }
    Ok(reports)
}

/// Seeded random numbers, so that a run can be repeated; `who` separates the streams of different
/// users.
fn rng(seed: u64, who: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(seed.rotate_left(32) ^ who)
}
