//! Late effects: a request redelivered after its check-out ended, a day-long outage, a recheck that
//! fails.

use dewy_saga::journal::Journal;

use super::{payment_ownership::paid, simulated_hotel::STRIPE_KEY, stuck_executions::crash};
use crate::prelude::*;

/// The composite is never applied, so that every payment is refunded.
fn dead_composite() -> Fault {
    composite(FaultKind::TimeoutBeforeEffect).count(0)
}

fn request_count(hotel: &SimulatedHotel, operation: &str) -> usize {
    let calls = hotel.sandbox.calls();
    calls.iter().filter(|c| c.operation == operation).count()
}

async fn summary(hotel: &SimulatedHotel) -> String {
    let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let id = hotel.only().id.to_string();
    let view = hotel.processes[0].execution(&manager, &id).await.unwrap();
    view.summary.to_string()
}

/// Stripe answers 403 while the key lacks the permission, and keeps no answer for that key.
#[tokio::test(start_paused = true)]
async fn a_refused_payment_delivered_again_later_is_refunded() {
    let hotel = with(vec![
        stripe("payment_intent_create", FaultKind::ReplayedLater).ms(200_000),
    ]);
    let lacks = vec!["payment_intent_create".to_owned()];
    let forbidden = KeySettings {
        lacks,
        ..KeySettings::default()
    };
    hotel.account.set_stripe_key(STRIPE_KEY, &forbidden);
    let checking_out = hotel.check_out("t1");
    let mending = async {
        tokio::time::sleep(Duration::from_secs(150)).await;
        let allowed = KeySettings::default();
        hotel.account.set_stripe_key(STRIPE_KEY, &allowed);
    };
    futures::join!(checking_out, mending);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::Compensated);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn after_a_day_offline_a_refund_is_rechecked_before_giving_up() {
    let mut hotel = with(vec![
        dead_composite(),
        stripe("refund_create", FaultKind::TimeoutAfterEffect).count(0),
    ]);
    hotel.check_out("t1").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(hotel.only().state, State::Compensating);
    hotel.stop_worker(0).await;
    hotel.sandbox.clear_faults();
    tokio::time::sleep(DAY).await;
    hotel.start_worker(false);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::Compensated);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_partial_unknown_refund_is_followed_by_the_remainder() {
    let hotel = with(vec![
        dead_composite(),
        stripe("refund_create", FaultKind::TimeoutAfterEffect),
    ]);
    let meddling = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        let payment = paid(&hotel);
        let part = hotel
            .account
            .refund_elsewhere(&payment, Some(5000))
            .unwrap();
        while request_count(&hotel, "refund_create") == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        hotel.account.turn_refund(&part, "failed").unwrap();
    };
    futures::join!(hotel.check_out("t1"), meddling);
    assert!(hotel.run_until_idle(Duration::from_secs(3600)).await);
    assert_eq!(hotel.only().state, State::Compensated);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_failing_cancellation_is_retried_with_backoff() {
    let cancel = stripe("payment_intent_cancel", FaultKind::Status).status(500);
    let hotel = with(vec![cancel.count(0)]);
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_authenticationRequired" });
    hotel.check_out_with("a", input).await;
    hotel.run_until_idle(DAY / 4).await;
    let cancels = request_count(&hotel, "payment_intent_cancel");
    assert!((5..100).contains(&cancels), "{cancels}");
}

#[tokio::test(start_paused = true)]
async fn a_recheck_failing_for_a_day_goes_to_staff() {
    let hotel = for_days(vec![dead_composite()]);
    hotel.check_out("t1").await;
    while hotel.only().state != State::Compensated {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    hotel.sandbox.clear_faults();
    let booking = hotel.booking("BK-0042")["Id"].clone();
    hotel.blank("Booking__c", &booking, &["Check_Out_Date__c"]);
    let before = request_count(&hotel, "query");
    assert!(hotel.run_until_idle(3 * DAY).await);
    assert_eq!(hotel.only().state, State::NeedsAttention);
    let reads = request_count(&hotel, "query") - before;
    assert!(reads < 150, "{reads}");
    let text = summary(&hotel).await;
    assert!(text.contains("$250.00 was refunded in full"), "{text}");
}

/// The day counts from the signal, not from the end.
#[tokio::test(start_paused = true)]
async fn a_later_recheck_is_retried_after_a_timeout() {
    let hotel = for_days(vec![dead_composite()]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::Compensated);
    tokio::time::sleep(5 * DAY).await;
    let refund = hotel.sandbox_ledger().state["stripe"]["refunds"][0]["id"].clone();
    let refund = refund.as_str().unwrap();
    hotel.account.turn_refund(refund, "failed").unwrap();
    let signal = Signal {
        key: "again".to_owned(),
        action: SignalAction::Recheck,
        by: "staff".to_owned(),
        why: String::new(),
    };
    hotel.fault(stripe("refund_list", FaultKind::TimeoutBeforeEffect).count(2));
    let id = hotel.only().id;
    hotel
        .journal
        .signal(id, &signal, jiff::Timestamp::UNIX_EPOCH)
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::Compensated);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_check_out_stuck_before_the_pivot_is_not_called_checked_out() {
    let hotel = with(vec![]);
    hotel.probe.add(crash(
        CrashPoint::AfterIntent,
        "move",
        Direction::Forward,
        4,
    ));
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::NeedsAttention);
    let text = summary(&hotel).await;
    assert!(text.contains("the check-out is not finished"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn an_unknown_refund_is_not_reported_as_missing() {
    let hotel = for_days(vec![
        dead_composite(),
        stripe("refund_create", FaultKind::TimeoutAfterEffect).count(0),
        stripe("refund_retrieve", FaultKind::TimeoutBeforeEffect).count(0),
        stripe("refund_list", FaultKind::TimeoutBeforeEffect).count(0),
    ]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(2 * DAY).await);
    assert_eq!(hotel.only().state, State::NeedsAttention);
    let text = summary(&hotel).await;
    assert!(text.contains("not known yet"), "{text}");
}
