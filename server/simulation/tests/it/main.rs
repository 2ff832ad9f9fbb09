//! The hotel in memory on virtual time: the real orchestrators and connectors, the sandbox as their
//! transport, a journal in memory. Crashes, hours of outage and their recovery take milliseconds,
//! and a seed replays them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the verdict, in its helpers too"
)]

mod account;
mod answers;
mod board;
mod brake;
mod bugs;
mod cases;
mod clocks;
mod damaged;
mod doors;
mod drawings;
mod exhaustive;
mod failover;
mod front_desk;
mod injected_bugs;
mod invariants;
mod journals;
mod languages;
mod late_effects;
mod looks;
mod money;
mod named;
mod orphans;
mod payment_reconciliation;
mod previews;
mod public_inventory;
mod quota;
mod reads;
mod real_stores;
mod receipts;
mod records;
mod recovery;
mod rooms;
mod sagas;
mod seeds;
mod settled;
mod staff_refunds;
mod stuck;
mod unkind;
mod unseen_money;
mod watched;
mod world;

/// Runs one simulated world on its own single-threaded runtime with paused time.
pub fn on_virtual_time<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a current-thread runtime starts");
    runtime.block_on(work)
}
