//! The checker of `dewy-test-kit`, given simulated hotels at rest.

use dewy_saga::hash_chain;
use dewy_test_kit::{
    Evidence, OutsideRecords, StoreContent,
    invariants::installations::{Owners, owners},
};
use jiff::SignedDuration;

use crate::prelude::*;

/// Larger than any error of a process's clock; that every request has an older intent is checked on
/// the wire (`checked_transport.rs`).
const CLOCK_ERROR: SignedDuration = SignedDuration::from_hours(24);

/// Current ledgers of a sandbox.
pub fn ledger_of(sandbox: &Sandbox) -> OutsideRecords {
    OutsideRecords::read(sandbox.state(), json!(sandbox.calls()))
}

/// All violations of a world at rest.
pub fn violations(hotel: &SimulatedHotel) -> Vec<String> {
    violations_in(hotel, hotel.sandbox_ledger())
}

/// The same, of a world whose ledgers were already read.
pub fn violations_in(hotel: &SimulatedHotel, ledger: OutsideRecords) -> Vec<String> {
    in_company(hotel, ledger, &found(hotel), Owners::new(), Vec::new())
}

/// All violations, given the outside systems' ledgers and a store's content.
pub fn of(ledger: &OutsideRecords, found: &StoreContent, elsewhere: Vec<String>) -> Vec<String> {
    judge(ledger, found, Owners::new(), elsewhere)
}

/// All violations of several hotels, each with its own store and org, on one Stripe account.
pub fn violations_together(worlds: &[&SimulatedHotel]) -> Vec<String> {
    let all: Vec<StoreContent> = worlds.iter().map(|hotel| found(hotel)).collect();
    let owners = owners(&all);
    let known: Vec<String> = owners.keys().cloned().collect();
    let each = worlds.iter().zip(&all);
    each.flat_map(|(hotel, found)| {
        let ledger = hotel.sandbox_ledger();
        in_company(hotel, ledger, found, owners.clone(), known.clone())
    })
    .collect()
}

fn in_company(
    hotel: &SimulatedHotel,
    mut ledger: OutsideRecords,
    found: &StoreContent,
    owners: Owners,
    elsewhere: Vec<String>,
) -> Vec<String> {
    let mut wrong = hotel.watched.violations();
    // What other hotels of the account sent is not in this journal.
    let own = hotel.installation.to_string();
    let theirs = |key: &str| key.starts_with("ins_") && !key.starts_with(&own);
    ledger
        .calls
        .retain(|call| !call["idempotency_key"].as_str().is_some_and(theirs));
    wrong.extend(judge(&ledger, found, owners, elsewhere));
    match hotel.journal.stale_appends() {
        0 => {}
        appends => wrong.push(format!(
            "I6: {appends} appends under an old fencing token were taken"
        )),
    }
    wrong
}

fn judge(
    ledger: &OutsideRecords,
    found: &StoreContent,
    owners: Owners,
    elsewhere: Vec<String>,
) -> Vec<String> {
    dewy_test_kit::violations(&Evidence {
        extra_texts: extra_texts(ledger),
        clock_error: CLOCK_ERROR,
        owners,
        elsewhere,
        others: true,
        ..Evidence::new(ledger, found)
    })
}

fn found(hotel: &SimulatedHotel) -> StoreContent {
    let records = hotel.journal.snapshot();
    StoreContent {
        compensations: hotel.journal.projected("compensation"),
        unsent_texts: hotel.journal.projected("text").len(),
        orphan_check_ran: true,
        at: None,
        chain_faults: broken(&records),
        installation: Some(hotel.installation.to_string()),
        records,
    }
}

/// Faults of the hash chains.
fn broken(records: &[ExecutionRecord]) -> Vec<String> {
    let each = records.iter();
    each.filter_map(|record| {
        let fault = hash_chain::verify(record.id, &record.rows, &record.audit).err()?;
        Some(format!("{}: {fault}", record.id))
    })
    .collect()
}

/// Texts that the network delivered twice: the carrier has no idempotency keys, and sends them
/// twice.
fn extra_texts(ledger: &OutsideRecords) -> Vec<(String, String)> {
    let twice =
        |call: &&Value| !call["replay_of"].is_null() && call["operation"] == "message_create";
    let mut sent = ledger.messages();
    sent.sort();
    let again = sent.windows(2).filter(|two| two[0] == two[1]);
    let again = again.map(|two| two[0].clone());
    again
        .take(ledger.calls.iter().filter(twice).count())
        .collect()
}
