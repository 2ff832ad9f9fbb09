//! The hotel in memory on virtual time: the real orchestrators and connectors, the sandbox as their
//! transport, a journal in memory. Crashes, hours of outage and their recovery take milliseconds,
//! and a seed replays them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the verdict, in its helpers too"
)]

mod api_quota;
mod batched_reads;
mod board;
mod bookings_and_cases;
mod capture_last;
mod case_visibility;
mod caught_bugs;
mod charge_or_hold;
mod checked_transport;
mod checkout_pause;
mod clock_jumps;
mod concurrent_reads;
mod damaged_records;
mod documented_scenarios;
mod failover;
mod fault_cases;
mod front_desk;
mod golden_journals;
mod grant_late_checkout;
mod guests_without_email;
mod hold_records;
mod hold_renewal;
mod holds;
mod incomplete_records;
mod injected_bugs;
mod input_normalization;
mod invariants;
mod languages;
mod late_effects;
mod late_payment_reviews;
mod orphaned_payments;
mod other_stripe_account;
mod payment_ownership;
mod payment_reconciliation;
mod payment_sources;
mod permanent_refusals;
mod prelude;
mod public_inventory;
mod random_seeds;
mod real_stores;
mod realistic_orgs;
mod receipts;
mod recovery;
mod refusal_previews;
mod saga_diagrams;
mod saga_faults;
mod saved_cards;
mod scenario_steps;
mod settled_by_hand;
mod simulated_hotel;
mod single_faults;
mod staff_refunds;
mod stuck_executions;
mod truthful_answers;
mod unknown_words;
mod walk_in;

/// Runs one simulated world on its own single-threaded runtime with paused time.
pub fn on_virtual_time<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a current-thread runtime starts");
    runtime.block_on(work)
}
