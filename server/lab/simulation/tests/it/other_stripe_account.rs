//! A Stripe key of another account (W14): none of the hotel's payments exist there, and a payment
//! that isn't found there must not count as never made.

use super::{
    front_desk::lost_payment,
    injected_bugs::{self, Bug},
};
use crate::prelude::*;

const OTHER_KEY: &str = "sk_test_of_another_account";
const OTHER: &str = "acct_2";

/// Replaces the process with one whose key opens another account.
async fn with_another_key(hotel: &mut SimulatedHotel) {
    let settings = KeySettings {
        account: Some(OTHER.to_owned()),
        ..KeySettings::default()
    };
    hotel.sandbox.set_stripe_key(OTHER_KEY, &settings);
    hotel.stop_worker(0).await;
    hotel.start_worker_with(false, OTHER_KEY);
}

/// Number of objects on the other account.
fn there(hotel: &SimulatedHotel, table: &str) -> usize {
    hotel.sandbox.stripe_state()["other_accounts"][OTHER][table]
        .as_array()
        .map_or(0, Vec::len)
}

async fn check_out_at(hotel: &SimulatedHotel, worker: usize, token: &str) -> ToolAnswer {
    let beth = Caller::guest(BETH, Interface::Mcp);
    hotel
        .call_at(
            worker,
            &beth,
            "process_guest_checkout",
            token,
            json!({ "amount": 25000 }),
        )
        .await
}

/// A payment succeeds but its response is lost; then the key is one of another account for two
/// hours.
fn replaced_key(bug: Option<Bug>) -> (State, usize, Vec<String>) {
    injected_bugs::plant(bug);
    let seen = on_virtual_time(async {
        let mut hotel = with(vec![]);
        let stripe = |operation: &str, kind| stripe(operation, kind);
        hotel.fault(stripe(
            "payment_intent_create",
            FaultKind::TimeoutAfterEffect,
        ));
        hotel.fault(stripe("payment_intent_create", FaultKind::TimeoutBeforeEffect).count(0));
        check_out_at(&hotel, 0, "t1").await;
        with_another_key(&mut hotel).await;
        hotel.sandbox.clear_faults();
        tokio::time::sleep(Duration::from_secs(7200)).await;
        let charges = there(&hotel, "payment_intents");
        hotel.stop_worker(1).await;
        hotel.start_worker(false);
        let rested = hotel.run_until_idle(DAY).await;
        assert!(rested || bug.is_some(), "{:?}", hotel.only().state);
        (hotel.only().state, charges, violations(&hotel))
    });
    injected_bugs::plant(None);
    seen
}

#[test]
fn a_key_of_another_account_neither_pays_nor_reports_uncharged() {
    assert_eq!(replaced_key(None), (State::Completed, 0, Vec::new()));
    let (state, charges, violations) = replaced_key(Some(Bug::NoAccountCheck));
    assert!(
        charges > 0 || !violations.is_empty(),
        "{state}: the suite must notice a key of another account"
    );
}

#[tokio::test(start_paused = true)]
async fn no_payment_starts_with_a_key_of_another_account() {
    let mut hotel = with(vec![]);
    // The process that remembers the account.
    assert_eq!(hotel.processes[0].check_orphan_payments().await.error, None);
    with_another_key(&mut hotel).await;
    let answer = check_out_at(&hotel, 1, "t1").await;
    assert_refused(&answer, ErrorCode::AccessRefused);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        (there(&hotel, "payment_intents"), there(&hotel, "customers")),
        (0, 0)
    );
    assert_sound(&hotel);
    // Switched on purpose: the same process pays there.
    hotel
        .key_value_store
        .write("stripe_account", json!(OTHER))
        .await
        .unwrap();
    let beth = Caller::guest(BETH, Interface::Mcp);
    let order = json!({ "amount": 25000, "payment_method_id": "pm_card_visa" });
    let answer = hotel
        .call_at(1, &beth, "process_guest_checkout", "t2", order)
        .await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_eq!(there(&hotel, "payment_intents"), 1);
}

#[tokio::test(start_paused = true)]
async fn orphan_checks_and_events_with_a_key_of_another_account_decide_nothing() {
    let mut hotel = with(vec![]);
    let lost = lost_payment(&hotel, 25000).await;
    tokio::time::sleep(Duration::from_secs(700)).await;
    // The account is known before the first sweep.
    assert_eq!(hotel.check_payment(&lost).await, 0);
    with_another_key(&mut hotel).await;
    assert!(
        hotel.processes[1]
            .check_payment(&lost.parse().unwrap(), "webhook")
            .await
            .is_err(),
        "Stripe sends the event again"
    );
    let before = hotel.key_value_store.read("sweep_watermark").await.unwrap();
    let view = hotel.processes[1].check_orphan_payments().await;
    assert!(
        view.error
            .as_ref()
            .is_some_and(|t| t.contains("another account") || t.contains("acct_2")),
        "{view:?}"
    );
    assert_eq!(
        (
            view.looked_at,
            hotel.key_value_store.read("sweep_watermark").await.unwrap()
        ),
        (0, before),
        "nothing is judged"
    );
    hotel.start_worker(false);
    let view = hotel.processes[2].check_orphan_payments().await;
    assert_eq!((view.found, view.fixed), (1, 1), "{view:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.ledger()[&lost].1, 25000);
    let nothing: Value = hotel.sandbox.stripe_state()["other_accounts"][OTHER]["refunds"].clone();
    assert!(nothing.as_array().is_none_or(Vec::is_empty), "{nothing}");
}
