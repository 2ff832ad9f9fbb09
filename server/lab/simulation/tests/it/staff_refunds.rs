//! Refunds that staff ask for by payment: exactly that payment, and never an answer before the
//! outcome.

use super::front_desk::{LOST, paid_elsewhere};
use crate::prelude::*;

fn fault(system: System, operation: &str, kind: FaultKind) -> Fault {
    Fault::new(system, operation, kind).count(0)
}

/// Payment intent that Beth's check-out knows.
fn own_payment(hotel: &SimulatedHotel) -> String {
    let labels: BTreeMap<_, _> = check_out_of(hotel).labels.into_iter().collect();
    labels["payment_intent_id"].clone()
}

/// Captured payment of 9900 that names the check-out as its execution.
fn another_payment(hotel: &SimulatedHotel) -> String {
    let marks = [
        ("installation_id", hotel.installation.to_string()),
        ("execution_id", check_out_of(hotel).id.to_string()),
    ];
    let metadata = marks.map(|(name, value)| (name.to_owned(), json!(value)));
    let order = ExternalPayment {
        customer_email: Some(BETH.to_owned()),
        metadata: metadata.into_iter().collect(),
        ..ExternalPayment::default()
    };
    hotel.account.pay_elsewhere(&order).unwrap()
}

async fn refund(hotel: &SimulatedHotel, payment: &str, token: &str) -> ToolAnswer {
    let input =
        json!({ "payment_intent_id": payment, "guest_email": BETH, "reason": "the guest is here" });
    hotel
        .staff("compensate_checkout_failure", token, input)
        .await
}

/// Code and cause of a refusal.
fn refusal(answer: &ToolAnswer) -> (Option<ErrorCode>, Value) {
    let body = answer.body(Persona::Staff);
    (answer.error(), body["details"]["cause"].clone())
}

/// A check-out that failed after the payment and was compensated.
async fn compensated() -> SimulatedHotel {
    let hotel = with(vec![fault(
        System::Salesforce,
        "composite",
        FaultKind::TimeoutBeforeEffect,
    )]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    hotel.sandbox.clear_faults();
    assert_eq!(check_out_of(&hotel).state, State::Compensated);
    hotel
}

#[tokio::test(start_paused = true)]
async fn a_second_payment_is_refused_and_not_reported_as_the_first_ones_refund() {
    let hotel = compensated().await;
    let second = another_payment(&hotel);
    let answer = refund(&hotel, &second, "c1").await;
    let expected = (
        Some(ErrorCode::PaymentNotRefundable),
        json!("second_payment"),
    );
    assert_eq!(refusal(&answer), expected, "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, &second), (9900, 0));
}

#[tokio::test(start_paused = true)]
async fn a_second_payment_of_what_was_settled_by_hand_does_not_refund_the_first() {
    let hotel = with(vec![
        fault(
            System::Salesforce,
            "composite",
            FaultKind::TimeoutBeforeEffect,
        ),
        fault(System::Stripe, "refund_create", FaultKind::Status).status(400),
    ]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    hotel.sandbox.clear_faults();
    let id = check_out_of(&hotel).id;
    let input =
        json!({ "execution_id": id, "resolution": "mark_solved", "reason": "paid in cash" });
    let settled = hotel.staff("resolve_execution", "s", input).await;
    assert_eq!(settled.status(), 200, "{settled:?}");
    let (first, second) = (own_payment(&hotel), another_payment(&hotel));
    let answer = refund(&hotel, &second, "c1").await;
    assert_eq!(refusal(&answer).1, "second_payment", "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::SettledByHand);
    assert_eq!(money(&hotel, &first), (25000, 0), "the desk keeps it");
    assert_eq!(money(&hotel, &second), (9900, 0));
}

#[tokio::test(start_paused = true)]
async fn a_returned_refund_is_answered_after_its_repeat() {
    let hotel = compensated().await;
    let payment = own_payment(&hotel);
    let made = hotel.account.stripe_state()["refunds"][0]["id"].clone();
    let made = made.as_str().unwrap();
    hotel.account.turn_refund(made, "failed").unwrap();
    assert_eq!(money(&hotel, &payment), (25000, 0));
    let silent = fault(
        System::Stripe,
        "refund_retrieve",
        FaultKind::TimeoutBeforeEffect,
    );
    hotel.fault(silent);
    let answer = refund(&hotel, &payment, "c1").await;
    assert_eq!(answer.status(), 202, "nothing is known yet: {answer:?}");
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let answer = refund(&hotel, &payment, "c1").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_eq!(money(&hotel, &payment), (25000, 25000));
}

#[tokio::test(start_paused = true)]
async fn a_late_payment_is_looked_up_before_refusing_a_refund() {
    let hotel = with(vec![]);
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_visa_chargeDeclined" });
    hotel.check_out_with("t1", input).await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Refused);
    let late = another_payment(&hotel);
    let silent = fault(
        System::Stripe,
        "payment_intent_list",
        FaultKind::TimeoutBeforeEffect,
    );
    hotel.fault(silent);
    let answer = refund(&hotel, &late, "c1").await;
    assert_eq!(answer.status(), 202, "nothing is known yet: {answer:?}");
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let answer = refund(&hotel, &late, "c1").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_eq!(money(&hotel, &late), (9900, 9900));
    // What staff decide is no activity of the guest's
    let refund = of(&hotel, "compensate_checkout_failure").pop().unwrap();
    assert_eq!(refund.label("guest_email"), Some(BETH));
    let beth = Caller::guest(BETH, Interface::Form);
    let seen = hotel.processes[0].activities(&beth, 20).await;
    let seen: Vec<_> = seen.iter().map(|one| one.tool.as_str()).collect();
    assert_eq!(seen, ["process_guest_checkout"]);
    let id = refund.id.to_string();
    assert!(hotel.processes[0].execution(&beth, &id).await.is_none());
}

/// Without our mark, an execution ID that the journal does not know proves nothing.
#[tokio::test(start_paused = true)]
async fn an_unsigned_payment_of_an_unknown_execution_is_foreign() {
    let hotel = with(vec![]);
    let folio = hotel.booking("BK-0042")["Opportunity__c"].clone();
    let folio = folio.as_str().unwrap();
    let before = hotel.sandbox_ledger();
    let marks = [("execution_id", LOST), ("booking_number", "BK-0042")];
    let payment = paid_elsewhere(&hotel, 9900, &marks).await.id;
    let answer = refund(&hotel, payment.as_str(), "c1").await;
    let expected = (
        Some(ErrorCode::PaymentNotRefundable),
        json!("foreign_payment"),
    );
    assert_eq!(refusal(&answer), expected, "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, payment.as_str()), (9900, 0));
    let after = hotel.sandbox_ledger();
    assert_eq!(after.balance(folio), before.balance(folio));
    let lines =
        |ledger: &dewy_test_kit::OutsideRecords| ledger.rows("Payment_Transaction__c").len();
    assert_eq!(lines(&after), lines(&before));
}
