//! Payments that changed after their execution ended reach staff, whatever else is listed,
//! unreadable or damaged.

use dewy_domain::{execution_view::ExecutionView, ports::PaymentReconciliation};
use dewy_orchestrators::{REVIEW_PAYMENT, SEND_TEXT};
use dewy_saga::StartRequest;
use jiff::civil::date;
use serde_json::Map;

use super::front_desk::paid_elsewhere;
use crate::prelude::*;

/// Payment intent that Beth's check-out knows.
fn own_payment(hotel: &SimulatedHotel) -> String {
    label(&check_out_of(hotel), "payment_intent_id").unwrap()
}

/// Amount refunded to Beth.
fn given_back(hotel: &SimulatedHotel) -> i64 {
    hotel.ledger()[&own_payment(hotel)].1
}

/// Reasons of the payment reviews.
fn reviews(hotel: &SimulatedHotel) -> Vec<String> {
    let all = hotel.journal.snapshot().into_iter();
    all.filter(|record| record.saga == REVIEW_PAYMENT)
        .map(|record| label(&record, "attention").unwrap())
        .collect()
}

/// The bank returns the only refund.
fn turn_back(hotel: &SimulatedHotel) {
    let refunds = hotel.account.stripe_state()["refunds"].clone();
    let refund = refunds[0]["id"].as_str().unwrap();
    hotel.account.turn_refund(refund, "failed").unwrap();
}

/// What the list of open work shows: the reasons, and whether there is more.
async fn listed(hotel: &SimulatedHotel, limit: u32) -> (Vec<String>, bool) {
    let input = json!({ "state": "needs_attention", "limit": limit });
    let answer = hotel.front_desk("search_executions", None, input).await;
    let data = answer.body(Persona::Staff)["data"].clone();
    let reason = |item: &Value| item["reason"].as_str().unwrap_or_default().to_owned();
    let items = data["executions"].as_array().unwrap();
    (
        items.iter().map(reason).collect(),
        data["cut"].as_bool().unwrap(),
    )
}

/// A check-out that was refunded, and whose room another guest has: a person has to look.
async fn let_again() -> SimulatedHotel {
    let hotel = for_days(vec![
        composite(FaultKind::TimeoutAfterEffect),
        salesforce("query", FaultKind::TimeoutBeforeEffect)
            .skip(1)
            .count(0),
    ]);
    hotel.check_out("t1").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let room = hotel.room("302");
    let other = hotel.contact("sarah@example.com");
    let mut fields = Map::new();
    fields.insert("Status__c".to_owned(), json!("Occupied"));
    fields.insert("Current_Guest__c".to_owned(), other["Id"].clone());
    let id = room["Id"].as_str().unwrap();
    hotel.sandbox.edit("Hotel_Room__c", id, &fields).unwrap();
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::NeedsAttention);
    assert_eq!(given_back(&hotel), 25000);
    hotel
}

#[test]
fn a_returned_refund_is_shown_while_staff_handle_the_stay() {
    on_virtual_time(async {
        let hotel = let_again().await;
        tokio::time::sleep(5 * DAY).await;
        hotel.processes[0].check_orphan_payments().await;
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(reviews(&hotel), Vec::<String>::new(), "all is well so far");
        turn_back(&hotel);
        for flagged in [1, 0] {
            assert_eq!(
                hotel.processes[0].check_orphan_payments().await.flagged,
                flagged
            );
            assert!(hotel.run_until_idle(DAY).await);
        }
        assert_eq!(reviews(&hotel), ["REFUND_FAILED_LATER"]);
    });
    on_virtual_time(async {
        let hotel = let_again().await;
        turn_back(&hotel);
        let payment = own_payment(&hotel);
        for new in [1, 0] {
            let checked = hotel.processes[0]
                .check_payment(&payment.parse().unwrap(), "webhook")
                .await;
            assert_eq!(checked.unwrap(), new, "the event");
        }
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(reviews(&hotel), ["REFUND_FAILED_LATER"]);
    });
}

/// A failed refund already in front of staff isn't reported again.
#[tokio::test(start_paused = true)]
async fn a_refund_that_was_never_made_is_not_shown_twice() {
    let refused = stripe("refund_create", FaultKind::Status);
    let hotel = with(vec![
        composite(FaultKind::TimeoutBeforeEffect).count(0),
        refused.status(400).count(0),
    ]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.processes[0].check_orphan_payments().await.flagged, 0);
    let payment = own_payment(&hotel);
    let checked = hotel.processes[0]
        .check_payment(&payment.parse().unwrap(), "webhook")
        .await;
    assert_eq!(checked.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn texts_that_cannot_be_recorded_do_not_hide_a_refund_that_needs_a_person() {
    let refused = stripe("refund_create", FaultKind::Status);
    let unrecorded = salesforce("create", FaultKind::Status);
    let hotel = for_days(vec![
        composite(FaultKind::TimeoutBeforeEffect).count(0),
        refused.status(400).count(0),
        unrecorded.status(503).count(0),
    ]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    for n in 0..4 {
        let input = json!({ "guest_email": BETH, "body": format!("Good morning. Ref {n}."), "what": "test" });
        let order = StartRequest {
            saga: SEND_TEXT,
            caller: "hotel:outbox".to_owned(),
            interface: "clock".to_owned(),
            token: Some(format!("text:{n}")),
            input_digest: n.to_string(),
            input,
            labels: Vec::new(),
        };
        hotel.processes[0].engine().start(order).await;
    }
    assert!(hotel.run_until_idle(3 * DAY).await);
    let unrecorded = |record: &ExecutionRecord| {
        record.state == State::NeedsAttention && record.saga == SEND_TEXT
    };
    let all = hotel.journal.snapshot();
    assert_eq!(all.iter().filter(|r| unrecorded(r)).count(), 4, "{all:?}");
    assert_eq!(
        listed(&hotel, 1).await,
        (vec!["REFUND_REFUSED".to_owned()], false)
    );
    let stuck: Vec<ExecutionView> = hotel.processes[0].executions_needing_attention().await;
    let titles: Vec<_> = stuck.into_iter().map(|view| view.title).collect();
    assert_eq!(titles, ["Check out and pay"], "of payments and stays");
}

/// A completed check-out whose payment no longer says what was captured.
async fn unreadable() -> (SimulatedHotel, String) {
    let hotel = with(vec![]);
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    let payment = own_payment(&hotel);
    let lacks = ["payment_intent.amount_received", "charge.amount_captured"];
    hotel.account.omit_from_stripe(&lacks.map(str::to_owned));
    (hotel, payment)
}

#[tokio::test(start_paused = true)]
async fn a_dispute_of_an_unreadable_payment_is_shown() {
    let (hotel, payment) = unreadable().await;
    hotel.account.dispute(&payment).unwrap();
    for flagged in [1, 0] {
        let view = hotel.processes[0].check_orphan_payments().await;
        assert_eq!(view.flagged, flagged, "{view:?}");
        assert!(hotel.run_until_idle(DAY).await);
    }
    let checked = hotel.processes[0]
        .check_payment(&payment.parse().unwrap(), "webhook")
        .await;
    assert_eq!(
        checked.unwrap(),
        0,
        "the event is processed, and not sent for days"
    );
    assert_eq!(reviews(&hotel), ["PAYMENT_DISPUTED"]);
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_payment_affects_only_its_own_row() {
    let (hotel, _) = unreadable().await;
    let caller = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let (from, to) = (date(2026, 3, 10), date(2026, 3, 12));
    let view = hotel.processes[0].payments(&caller, from, to).await;
    let view = view.expect("the page is shown");
    assert_eq!(view.unreadable, 1, "{view:?}");
    assert_eq!(view.rows, Vec::new(), "nothing is compared with nothing");
}

#[tokio::test(start_paused = true)]
async fn a_late_payment_of_an_unreadable_check_out_is_shown() {
    let hotel = with(vec![]);
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_visa_chargeDeclined" });
    hotel.check_out_with("t1", input).await;
    assert!(hotel.run_until_idle(DAY).await);
    let id = check_out_of(&hotel).id;
    hotel.journal.damage_last_row(id, true);
    let marks = [
        ("installation_id", hotel.installation.to_string()),
        ("execution_id", id.to_string()),
    ];
    let marks: Vec<_> = marks
        .iter()
        .map(|(n, value)| (*n, value.as_str()))
        .collect();
    paid_elsewhere(&hotel, 9900, &marks).await;
    tokio::time::sleep(Duration::from_secs(700)).await;
    for flagged in [0, 1, 0] {
        assert_eq!(
            hotel.processes[0].check_orphan_payments().await.flagged,
            flagged
        );
        assert!(hotel.run_until_idle(DAY).await);
    }
    assert_eq!(listed(&hotel, 10).await.0, ["PAYMENT_NOT_JUDGED"]);
}

/// At rest, nothing runs it again: a person has to see that it could not be asked.
#[tokio::test(start_paused = true)]
async fn a_returned_refund_of_an_unreadable_compensation_is_shown() {
    let hotel = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    hotel.sandbox.clear_faults();
    let id = check_out_of(&hotel).id;
    assert_eq!(check_out_of(&hotel).state, State::Compensated);
    hotel.journal.damage_last_row(id, true);
    turn_back(&hotel);
    // Asks it; sees that it could not be asked; has told a person.
    for flagged in [0, 1, 0] {
        assert_eq!(
            hotel.processes[0].check_orphan_payments().await.flagged,
            flagged
        );
        assert!(hotel.run_until_idle(DAY).await);
    }
    assert_eq!(listed(&hotel, 10).await.0, ["REFUND_FAILED_LATER"]);
    // Restored from a backup.
    hotel.journal.damage_last_row(id, false);
    let input = json!({ "payment_intent_id": own_payment(&hotel), "guest_email": BETH });
    let answer = hotel.request_refund(Some("r"), input).await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(given_back(&hotel), 25000, "{answer:?}");
    assert_eq!(check_out_of(&hotel).state, State::Compensated);
}
