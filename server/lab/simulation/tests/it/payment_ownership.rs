//! Ownership of payments: several users of one Stripe account, and people in its dashboard.

use dewy_domain::installation_id::InstallationId;
use dewy_orchestrators::{Adoption, REVIEW_PAYMENT, adopt};
use dewy_test_kit::memory::{Fault as StoreFault, Op};
use serde_json::Map;

use super::{
    front_desk::{LOST, lost_payment},
    injected_bugs::{self, Bug},
    invariants::violations_together,
};
use crate::prelude::*;

/// Past the sweep's grace period.
const LATER: Duration = Duration::from_secs(700);

fn silent_org() -> Vec<Fault> {
    vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]
}

/// Payment of Beth's check-out.
pub fn paid(hotel: &SimulatedHotel) -> String {
    let ledger = hotel.ledger();
    let own = ledger
        .iter()
        .find(|(_, (taken, _, owner))| *taken > 0 && owner.as_deref() != Some(LOST));
    own.map(|(id, _)| id.clone()).unwrap()
}

/// Payment reviews for a person: reason and record.
fn reviews(hotel: &SimulatedHotel) -> Vec<(String, ExecutionRecord)> {
    let all = hotel
        .journal
        .snapshot()
        .into_iter()
        .filter(|r| r.saga == REVIEW_PAYMENT);
    all.map(|record| {
        assert_eq!(record.state, State::NeedsAttention, "{record:?}");
        (label(&record, "attention").unwrap_or_default(), record)
    })
    .collect()
}

fn reasons(hotel: &SimulatedHotel) -> Vec<String> {
    reviews(hotel)
        .into_iter()
        .map(|(reason, _)| reason)
        .collect()
}

fn payment_of_other_program(metadata: &[(&str, &str)]) -> ExternalPayment {
    let metadata: Map<String, Value> = metadata
        .iter()
        .map(|(n, v)| ((*n).to_owned(), json!(v)))
        .collect();
    ExternalPayment {
        customer_email: Some(BETH.to_owned()),
        metadata,
        ..ExternalPayment::default()
    }
}

/// A completed check-out, with everything at rest.
async fn checked_out() -> (SimulatedHotel, String) {
    let hotel = with(vec![]);
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    let payment = paid(&hotel);
    (hotel, payment)
}

/// Two hotels on one account: the effect of the second one's sweep on the first one's completed
/// check-out.
fn two_hotels(bug: Option<Bug>) -> Vec<String> {
    injected_bugs::plant(bug);
    let wrong = on_virtual_time(async {
        let first = with(vec![]);
        let second = first.sharing_account(Setup {
            seed: 2,
            ..Setup::default()
        });
        assert_eq!(first.check_out("t1").await.status(), 200);
        assert_eq!(second.check_out("t1").await.status(), 200);
        let other = first
            .account
            .pay_elsewhere(&payment_of_other_program(&[("order", "spa-17")]))
            .unwrap();
        tokio::time::sleep(LATER).await;
        for _ in 0..2 {
            for hotel in [&first, &second] {
                hotel.processes[0].check_orphan_payments().await;
                assert!(hotel.run_until_idle(DAY).await);
            }
        }
        assert_eq!(money(&first, &other), (9900, 0));
        violations_together(&[&first, &second])
    });
    injected_bugs::plant(None);
    wrong
}

#[test]
fn another_installations_orphan_check_ignores_our_check_outs() {
    assert_eq!(two_hotels(None), Vec::<String>::new());
    let caught = two_hotels(Some(Bug::NoInstallationCheck));
    assert!(
        caught.iter().any(|wrong| wrong.starts_with("I12")),
        "{caught:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn every_stripe_object_names_its_installation() {
    let hotel = with(silent_org());
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    let own = hotel.installation.to_string();
    let state = hotel.account.state();
    for table in ["payment_intents", "refunds"] {
        for object in state["stripe"][table].as_array().unwrap() {
            assert_eq!(
                object["metadata"]["installation_id"],
                own.as_str(),
                "{object}"
            );
        }
    }
    let calls = hotel
        .account
        .calls()
        .into_iter()
        .filter(|c| c.system == System::Stripe && c.method == "POST");
    let keys: Vec<_> = calls
        .map(|call| call.idempotency_key.unwrap_or_default())
        .collect();
    assert!(
        keys.len() >= 2 && keys.iter().all(|key| key.starts_with(&own)),
        "{keys:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_new_installations_first_run_only_reports() {
    let hotel = set_up(|s| s.new_installation = true);
    let lost = lost_payment(&hotel, 25000).await;
    tokio::time::sleep(LATER).await;
    let first = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (first.found, first.fixed, first.reported_only),
        (1, 0, true),
        "{first:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert!(hotel.journal.snapshot().is_empty() && money(&hotel, &lost) == (25000, 0));
    let second = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (second.found, second.fixed, second.reported_only),
        (1, 1, false),
        "{second:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, &lost), (25000, 25000));
}

#[tokio::test(start_paused = true)]
async fn a_lost_journal_is_adopted_by_name() {
    let hotel = for_days(vec![]);
    let gone = InstallationId::of_number(77);
    let marks = [
        ("installation_id", gone.to_string()),
        ("execution_id", LOST.to_owned()),
    ];
    let marks: Vec<_> = marks
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let orphan = hotel
        .account
        .pay_elsewhere(&payment_of_other_program(&marks))
        .unwrap();
    // Found long after the watermark has passed it.
    tokio::time::sleep(Duration::from_secs(3 * 24 * 3600)).await;
    let before = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (
            before.found,
            before.other_installations.get(&gone.to_string())
        ),
        (0, Some(&1)),
        "{before:?}"
    );
    let input = json!({ "payment_intent_id": orphan, "guest_email": BETH, "reason": "please" });
    let answer = hotel.staff("compensate_checkout_failure", "a", input).await;
    assert_refused(&answer, ErrorCode::PaymentNotRefundable);
    tokio::time::sleep(LATER).await;
    let key_value_store = hotel.key_value_store.as_ref();
    let now = || Clock::now(hotel.clock.as_ref());
    assert_eq!(
        adopt(
            key_value_store,
            hotel.installation,
            hotel.installation,
            now()
        )
        .await
        .unwrap(),
        Adoption::Own
    );
    assert_eq!(
        adopt(key_value_store, hotel.installation, gone, now())
            .await
            .unwrap(),
        Adoption::Adopted
    );
    assert_eq!(
        adopt(key_value_store, hotel.installation, gone, now())
            .await
            .unwrap(),
        Adoption::Already
    );
    let after = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((after.found, after.fixed), (1, 1), "{after:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, &orphan), (9900, 9900));
}

/// Unsigned payments of an older release belong to this hotel if the journal knows their execution.
#[tokio::test(start_paused = true)]
async fn an_unsigned_payment_of_a_known_execution_is_ours() {
    let hotel = with(vec![]);
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_visa_chargeDeclined" });
    hotel.check_out_with("t1", input).await;
    assert!(hotel.run_until_idle(DAY).await);
    let refused = hotel.only();
    assert_eq!(refused.state, State::Refused);
    let id = refused.id.to_string();
    let late = hotel
        .account
        .pay_elsewhere(&payment_of_other_program(&[("execution_id", &id)]))
        .unwrap();
    let nobodys = hotel
        .account
        .pay_elsewhere(&payment_of_other_program(&[("execution_id", LOST)]))
        .unwrap();
    tokio::time::sleep(LATER).await;
    let view = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((view.found, view.foreign), (1, 1), "{view:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        (money(&hotel, &late), money(&hotel, &nobodys)),
        ((9900, 9900), (9900, 0))
    );
}

#[tokio::test(start_paused = true)]
async fn an_orphan_check_after_weeks_misses_nothing() {
    let hotel = for_days(vec![]);
    let lost = lost_payment(&hotel, 25000).await;
    tokio::time::sleep(Duration::from_secs(12 * 24 * 3600)).await;
    let view = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((view.found, view.fixed), (1, 1), "{view:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, &lost), (25000, 25000));
}

#[tokio::test(start_paused = true)]
async fn an_undecidable_payment_affects_only_itself() {
    let hotel = with(vec![]);
    let (lost, booked) = (
        lost_payment(&hotel, 25000).await,
        lost_payment(&hotel, 12000).await,
    );
    tokio::time::sleep(LATER).await;
    // The store fails for all payments together, and for the first one alone; the org can't
    // answer for several bookings at once.
    hotel.journal.hooks(|h| {
        let read = h.count(Op::Read);
        h.fail(Op::Read, read + 1, StoreFault::Busy);
        h.fail(Op::Read, read + 2, StoreFault::Busy);
    });
    hotel.fault(salesforce("query", FaultKind::Status).status(400).count(1));
    let first = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (first.found, first.fixed, first.failed),
        (1, 1, 1),
        "{first:?}"
    );
    assert!(first.failures[0].starts_with("pi_"), "{first:?}");
    assert!(hotel.run_until_idle(DAY).await);
    let second = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (second.found, second.fixed, second.failed),
        (1, 1, 0),
        "the watermark has waited: {second:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        (money(&hotel, &lost), money(&hotel, &booked)),
        ((25000, 25000), (12000, 12000))
    );
}

#[tokio::test(start_paused = true)]
async fn an_undecidable_payment_goes_to_staff_after_weeks() {
    let hotel = for_days(vec![]);
    lost_payment(&hotel, 25000).await;
    hotel.account.omit_from_stripe(&[
        "payment_intent.amount_received".to_owned(),
        "charge.amount_captured".to_owned(),
    ]);
    tokio::time::sleep(LATER).await;
    for _ in 0..33 {
        let view = hotel.processes[0].check_orphan_payments().await;
        assert!(
            view.fixed == 0 && view.looked_at == 0,
            "what was taken is unknown, and never nought: {view:?}"
        );
        tokio::time::sleep(Duration::from_secs(24 * 3600)).await;
    }
    assert_eq!(reasons(&hotel), ["PAYMENT_NOT_JUDGED"]);
    assert!(
        hotel.processes[0]
            .last_orphan_check()
            .await
            .watermark
            .is_some()
    );
}

#[tokio::test(start_paused = true)]
async fn a_payment_without_a_captured_amount_is_never_zero() {
    let hotel = with(vec![]);
    let both = [
        "payment_intent.amount_received".to_owned(),
        "charge.amount_captured".to_owned(),
    ];
    hotel.account.omit_from_stripe(&both[..1]);
    hotel.account.omit_from_stripe(&both);
    let answer = hotel.check_out("t1").await;
    assert_eq!(answer.status(), 202, "{answer:?}");
    assert_ne!(hotel.only().state, State::Completed);
    hotel.account.omit_from_stripe(&both[..1]);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        hotel.only().state,
        State::Completed,
        "the charge says it as well"
    );
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_dashboard_refund_of_a_completed_stay_is_reported_once() {
    let (hotel, payment) = checked_out().await;
    let part = hotel
        .account
        .refund_elsewhere(&payment, Some(5000))
        .unwrap();
    // The event, twice; then the sweep's own list.
    assert_eq!(hotel.check_payment(&payment).await, 1);
    assert_eq!(hotel.check_payment(&payment).await, 0);
    let rest = hotel.account.refund_elsewhere(&payment, None).unwrap();
    let swept = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (
            swept.flagged,
            hotel.processes[0].check_orphan_payments().await.flagged
        ),
        (1, 0),
        "{swept:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(reasons(&hotel), ["REFUNDED_ELSEWHERE"; 2]);
    for (id, (_, record)) in [part, rest].iter().zip(reviews(&hotel)) {
        assert_eq!(label(&record, "fact"), Some(format!("refunded:{id}")));
        assert_eq!(label(&record, "payment_intent_id").as_ref(), Some(&payment));
        assert_eq!(label(&record, "booking_number").as_deref(), Some("BK-0042"));
        assert_eq!(label(&record, "guest_email").as_deref(), Some(BETH));
        let evidence = &record.input["evidence"]["finding"]["refund"];
        assert_eq!(evidence["id"], id.as_str());
        assert!(
            evidence["amount"].is_number() && evidence["created"].is_string(),
            "{evidence}"
        );
    }
    assert_sound(&hotel);
    // The only possible action is to acknowledge it.
    let id = reviews(&hotel)[0].1.id;
    for resolution in ["retry_now", "compensate", "finish_forward"] {
        let input = json!({ "execution_id": id, "resolution": resolution, "reason": "please" });
        let answer = hotel.staff("resolve_execution", resolution, input).await;
        assert_eq!(
            answer.error(),
            Some(ErrorCode::InvalidTransition),
            "{resolution}: {answer:?}"
        );
    }
    let input = json!({ "execution_id": id, "resolution": "mark_solved", "reason": "agreed with the guest" });
    assert_eq!(
        hotel.staff("resolve_execution", "m", input).await.status(),
        200
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        hotel.processes[0].check_orphan_payments().await.flagged,
        0,
        "and it is not shown again"
    );
}

/// A partial refund in the dashboard fails later: the guest then has less than was charged.
fn a_part_that_came_back(bug: Option<Bug>) -> (Value, i64, Vec<String>) {
    injected_bugs::plant(bug);
    let ended = on_virtual_time(async {
        let hotel = with(silent_org());
        let refunding = async {
            // Just before the check-out gives up and refunds the rest.
            tokio::time::sleep(Duration::from_secs(3)).await;
            let payment = paid(&hotel);
            (
                hotel
                    .account
                    .refund_elsewhere(&payment, Some(5000))
                    .unwrap(),
                payment,
            )
        };
        let ((part, payment), _) = futures::join!(refunding, hotel.check_out("t1"));
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(
            money(&hotel, &payment),
            (25000, 25000),
            "the whole remainder"
        );
        let row = hotel
            .journal
            .projection_row("compensation", &payment)
            .await
            .unwrap()
            .unwrap();
        let wrong = violations(&hotel);
        hotel.account.turn_refund(&part, "failed").unwrap();
        hotel.processes[0].check_orphan_payments().await;
        hotel.run_until_idle(DAY).await;
        (
            row.body["refunded"].clone(),
            money(&hotel, &payment).1,
            wrong,
        )
    });
    injected_bugs::plant(None);
    ended
}

#[test]
fn refunds_are_compared_by_amount() {
    assert_eq!(
        a_part_that_came_back(None),
        (json!(25000), 25000, Vec::new()),
        "both parts together, then the one again"
    );
    let (recorded, given_back, _) = a_part_that_came_back(Some(Bug::SumsNotCompared));
    assert_eq!(
        (recorded, given_back),
        (json!(20000), 20000),
        "the guest lacks a part, and nobody noticed"
    );
}

#[tokio::test(start_paused = true)]
async fn a_dispute_is_reported_with_its_deadline_and_when_lost() {
    let (hotel, payment) = checked_out().await;
    hotel.account.dispute(&payment).unwrap();
    let state = hotel.account.state();
    let dispute = state["stripe"]["disputes"][0].clone();
    assert_eq!(hotel.processes[0].check_orphan_payments().await.flagged, 1);
    assert_eq!(
        hotel.check_payment(&payment).await,
        0,
        "one record of each fact"
    );
    assert!(hotel.run_until_idle(DAY).await);
    let (reason, record) = reviews(&hotel).remove(0);
    assert_eq!(reason, "PAYMENT_DISPUTED");
    let due = dispute["evidence_details"]["due_by"].as_i64().unwrap();
    let shown: jiff::Timestamp = label(&record, "due_by").unwrap().parse().unwrap();
    assert_eq!(shown.as_second(), due);
    hotel
        .account
        .close_dispute(dispute["id"].as_str().unwrap(), "lost")
        .unwrap();
    assert_eq!(hotel.processes[0].check_orphan_payments().await.flagged, 1);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(reasons(&hotel), ["PAYMENT_DISPUTED", "DISPUTE_LOST"]);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_second_payment_of_one_check_out_is_detected() {
    let (hotel, first) = checked_out().await;
    let owner = hotel.only().id.to_string();
    let installation = hotel.installation.to_string();
    let marks = [
        ("installation_id", installation.as_str()),
        ("execution_id", owner.as_str()),
    ];
    let second = hotel
        .account
        .pay_elsewhere(&payment_of_other_program(&marks))
        .unwrap();
    tokio::time::sleep(LATER).await;
    assert_eq!(hotel.processes[0].check_orphan_payments().await.flagged, 1);
    assert_eq!(hotel.check_payment(&second).await, 0);
    assert!(hotel.run_until_idle(DAY).await);
    let (reason, record) = reviews(&hotel).remove(0);
    assert_eq!(
        (reason.as_str(), label(&record, "payment_intent_id")),
        ("SECOND_PAYMENT", Some(second.clone()))
    );
    assert_eq!(record.input["evidence"]["finding"]["first"], first.as_str());
    assert_eq!(
        (money(&hotel, &first).1, money(&hotel, &second).1),
        (0, 0),
        "a person decides"
    );
}

#[tokio::test(start_paused = true)]
async fn foreign_refunds_and_disputes_are_ignored() {
    let hotel = with(vec![]);
    let theirs = [
        payment_of_other_program(&[("order", "spa-17")]),
        payment_of_other_program(&[
            ("installation_id", "ins_of_somebody_else"),
            ("execution_id", LOST),
        ]),
    ];
    for order in theirs {
        let (refunded, disputed) = (
            hotel.account.pay_elsewhere(&order).unwrap(),
            hotel.account.pay_elsewhere(&order).unwrap(),
        );
        hotel
            .account
            .refund_elsewhere(&refunded, Some(100))
            .unwrap();
        hotel.account.dispute(&disputed).unwrap();
        for payment in [&refunded, &disputed] {
            assert_eq!(hotel.check_payment(payment).await, 0);
        }
    }
    tokio::time::sleep(LATER).await;
    let view = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((view.flagged, view.foreign), (0, 2), "{view:?}");
    assert!(hotel.journal.snapshot().is_empty());
    let wrong = violations_together(&[&hotel]);
    assert!(
        !wrong.iter().any(|wrong| wrong.starts_with("I12")),
        "{wrong:?}"
    );
}

/// An adoption while a sweep is running: the sweep has read the watermark, and must not overwrite
/// the one that the adoption sets back.
#[tokio::test(start_paused = true)]
async fn an_adoption_during_an_orphan_check_is_kept() {
    for first_run in [false, true] {
        let hotel = set_up(|s| s.new_installation = first_run);
        let gone = InstallationId::of_number(77).to_string();
        let marks = [("installation_id", gone.as_str()), ("execution_id", LOST)];
        let orphan = hotel
            .account
            .pay_elsewhere(&payment_of_other_program(&marks))
            .unwrap();
        tokio::time::sleep(LATER).await;
        if !first_run {
            hotel.processes[0].check_orphan_payments().await;
            tokio::time::sleep(LATER).await;
        }
        let slow = stripe("payment_intent_list", FaultKind::Slow);
        hotel.account.add_fault(slow.ms(5_000));
        let adopting = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let now = Clock::now(hotel.clock.as_ref());
            let (own, gone) = (hotel.installation, InstallationId::of_number(77));
            adopt(hotel.key_value_store.as_ref(), own, gone, now).await
        };
        let (_, adopted) = futures::join!(hotel.processes[0].check_orphan_payments(), adopting);
        assert_eq!(adopted.unwrap(), Adoption::Adopted);
        for _ in 0..2 {
            tokio::time::sleep(LATER).await;
            hotel.processes[0].check_orphan_payments().await;
        }
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(money(&hotel, &orphan), (9900, 9900), "{first_run}");
    }
}
