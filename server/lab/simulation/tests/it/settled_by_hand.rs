//! An execution settled by staff doesn't count as a success, and its payment is still monitored.

use super::{
    injected_bugs::{self, Bug},
    recovery::dark_for_days,
};
use crate::prelude::*;

async fn settle(hotel: &SimulatedHotel) -> ToolAnswer {
    let id = check_out_of(hotel).id;
    let input = json!({ "execution_id": id, "resolution": "mark_solved", "reason": "paid in cash at the desk" });
    hotel.staff("resolve_execution", "settle", input).await
}

/// The outcome of the payment is unknown: the payment system is down for days. Then a person
/// settles it.
async fn settled_in_the_dark() -> SimulatedHotel {
    let hotel = dark_for_days().await;
    assert_eq!(settle(&hotel).await.status(), 200);
    hotel
}

#[tokio::test(start_paused = true)]
async fn settling_by_hand_claims_no_success_and_sends_no_text() {
    let hotel = settled_in_the_dark().await;
    assert_eq!(check_out_of(&hotel).state, State::SettledByHand);
    let again = hotel.check_out("t1").await;
    assert_refused(&again, ErrorCode::SettledByStaff);
    assert_eq!(again.body(Persona::Guest)["success"], false);
    tokio::time::sleep(Duration::from_secs(1200)).await;
    assert_eq!(check_out_of(&hotel).state, State::SettledByHand);
    assert_eq!(
        texts(&hotel),
        Vec::<String>::new(),
        "nothing was done that a guest could be thanked for"
    );
}

#[tokio::test(start_paused = true)]
async fn success_after_settling_by_hand_is_caught() {
    injected_bugs::plant(Some(Bug::SettledIsSuccess));
    let hotel = settled_in_the_dark().await;
    injected_bugs::plant(None);
    tokio::time::sleep(Duration::from_secs(60)).await;
    let answer = hotel.check_out("t1").await;
    let caught = answer.status() == 200 || !texts(&hotel).is_empty();
    assert!(
        caught,
        "a check-out that never happened counts as done: {answer:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_payment_found_after_settling_goes_to_staff() {
    let hotel = settled_in_the_dark().await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let record = check_out_of(&hotel);
    assert_eq!(record.state, State::NeedsAttention);
    assert_eq!(
        record.answer.as_ref().unwrap()["details"]["reason"],
        "LATE_PAYMENT"
    );
    let ours: Vec<_> = hotel
        .ledger()
        .into_values()
        .filter(|(_, _, owner)| owner.is_some())
        .collect();
    assert_eq!(
        (ours.len(), ours[0].0, ours[0].1),
        (1, 25000, 0),
        "nothing moves without a person"
    );
    // Settled again with the payment known, it stays settled, whatever the sweep finds.
    let input = json!({ "execution_id": record.id, "resolution": "mark_solved", "reason": "the payment is to stay" });
    assert_eq!(
        hotel
            .staff("resolve_execution", "again", input)
            .await
            .status(),
        200
    );
    for _ in 0..2 {
        hotel.processes[0].check_orphan_payments().await;
        assert!(hotel.run_until_idle(DAY).await);
    }
    assert_eq!(check_out_of(&hotel).state, State::SettledByHand);
}

#[tokio::test(start_paused = true)]
async fn staff_may_still_refund_what_was_settled_by_hand() {
    let hotel = with(vec![]);
    hotel.fault(composite(FaultKind::TimeoutBeforeEffect).count(0));
    hotel.fault(
        stripe("refund_create", FaultKind::Status)
            .status(400)
            .count(0),
    );
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    hotel.sandbox.clear_faults();
    assert_eq!(settle(&hotel).await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::SettledByHand);
    let payment: Value = check_out_of(&hotel)
        .labels
        .iter()
        .find(|(name, _)| name == "payment_intent_id")
        .map(|(_, id)| json!(id))
        .unwrap();
    let input = json!({ "payment_intent_id": payment, "guest_email": super::simulated_hotel::BETH, "reason": "asked for" });
    let answer = hotel
        .staff("compensate_checkout_failure", "c1", input)
        .await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Compensated);
    assert_eq!(
        hotel
            .ledger()
            .values()
            .find(|(_, _, o)| o.is_some())
            .map(|(t, r, _)| (*t, *r)),
        Some((25000, 25000))
    );
}
