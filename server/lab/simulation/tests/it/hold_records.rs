//! What Salesforce says about holds, and what staff can refund of them: no line waits for a hold that is
//! not captured, the opportunity names what paid, and no hold outlives the check-out.

use super::{
    capture_last::{BALANCE, end_hold, held, hold_gone, payment, payments, record, with_hold},
    fault_cases::Course,
};
use crate::prelude::*;

fn opportunity(hotel: &SimulatedHotel) -> Value {
    let id = text_of(&hotel.booking("BK-0042")["Opportunity__c"]);
    hotel.row("Opportunity", "Id", &id)
}

/// Status of each payment line that the check-out wrote.
fn lines(hotel: &SimulatedHotel) -> Vec<String> {
    let id = check_out_of(hotel).id.to_string();
    let mut lines = hotel.records("Payment_Transaction__c");
    lines.retain(|line| text_of(&line["External_ID__c"]).starts_with(&id));
    lines
        .iter()
        .map(|line| text_of(&line["Status__c"]))
        .collect()
}

/// Moved out, and Salesforce does not say so for so long that it is reverted.
async fn reverted(hold: i64) -> SimulatedHotel {
    let (hotel, _) = with_hold(hold, vec![]).await;
    for fault in Course::Applied.faults() {
        hotel.fault(fault);
    }
    let before = opportunity(&hotel);
    hotel.check_out("t").await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Compensated);
    let after = opportunity(&hotel);
    for field in ["StageName", "CloseDate", "Payment_ID__c", "Amount"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    hotel
}

#[tokio::test(start_paused = true)]
async fn a_reverted_check_out_leaves_no_line_that_waits_for_its_hold() {
    let hotel = reverted(40_000).await;
    assert_eq!(lines(&hotel), ["Failed"]);
    assert_eq!(payments(&hotel), [payment("requires_capture", 0)]);
    hotel.ends_sound().await;

    let hotel = reverted(10_000).await;
    assert_eq!(lines(&hotel), ["Failed", "Failed"]);
    let left = [payment("requires_capture", 0), payment("canceled", 0)];
    assert_eq!(payments(&hotel), left);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn the_opportunity_names_the_charge_that_paid_in_place_of_the_hold() {
    let hotel = hold_gone(vec![]).await;
    record(&hotel, State::Completed);
    let ledger = hotel.ledger();
    let (paid, _) = ledger.iter().find(|(_, one)| one.0 == BALANCE).unwrap();
    assert_eq!(text_of(&opportunity(&hotel)["Payment_ID__c"]), *paid);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn the_opportunity_names_no_hold_that_paid_nothing() {
    let hotel = hold_gone(vec![super::capture_last::declined()]).await;
    record(&hotel, State::NeedsAttention);
    assert_eq!(opportunity(&hotel)["Payment_ID__c"], Value::Null);
    hotel.ends_sound().await;
}

/// A person at the hotel writes another payment there before the charge is recorded.
#[tokio::test(start_paused = true)]
async fn a_payment_that_somebody_else_wrote_to_the_opportunity_stays() {
    let down = stripe("payment_intent_capture", FaultKind::TimeoutBeforeEffect).count(3);
    let (hotel, hold) = with_hold(40_000, vec![down]).await;
    let meanwhile = async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        end_hold(&hotel, &hold).await;
        let theirs = json!({ "Payment_ID__c": "cash" });
        hotel.edit("Opportunity", &opportunity(&hotel), theirs);
    };
    futures::join!(hotel.check_out("t"), meanwhile);
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Completed);
    assert_eq!(opportunity(&hotel)["Payment_ID__c"], "cash");
    assert_eq!(lines(&hotel), ["Completed"]);
}

#[tokio::test(start_paused = true)]
async fn a_check_out_releases_every_hold_that_it_does_not_need() {
    let (hotel, _) = with_hold(40_000, vec![]).await;
    for amount in [30_000, 20_000, 10_000] {
        held(&hotel, amount).await;
    }
    hotel.fault(stripe("payment_intent_cancel", FaultKind::TimeoutAfterEffect).count(2));
    hotel.check_out("t").await;
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Completed);
    let mut expected = vec![payment("succeeded", BALANCE)];
    expected.extend([
        payment("canceled", 0),
        payment("canceled", 0),
        payment("canceled", 0),
    ]);
    assert_eq!(payments(&hotel), expected);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn one_of_several_holds_that_somebody_captured_is_for_a_person() {
    let (hotel, _) = with_hold(40_000, vec![]).await;
    let other = held(&hotel, 30_000).await;
    held(&hotel, 20_000).await;
    hotel.fault(salesforce("composite", FaultKind::Slow).ms(4_000));
    let meanwhile = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let path = format!("/v1/payment_intents/{other}/capture");
        super::payment_sources::elsewhere(&hotel, &path, "").await;
    };
    futures::join!(hotel.check_out("t"), meanwhile);
    assert!(hotel.run_until_idle(DAY).await);
    let record = record(&hotel, State::NeedsAttention);
    assert_eq!(record.label("attention"), Some("HOLD_NOT_RELEASED"));
    let statuses: Vec<_> = payments(&hotel).into_iter().map(|one| one.0).collect();
    assert_eq!(statuses, ["succeeded", "succeeded", "canceled"]);
}

/// Staff ask for a refund of each payment of a check-out with two holds.
#[tokio::test(start_paused = true)]
async fn both_captured_holds_belong_to_the_check_out_that_captured_them() {
    let (hotel, _) = with_hold(10_000, vec![]).await;
    hotel.check_out("t").await;
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Completed);
    for (n, id) in hotel.ledger().into_keys().enumerate() {
        let input =
            json!({ "payment_intent_id": id, "guest_email": BETH, "reason": "the guest is here" });
        let token = format!("r{n}");
        let answer = hotel
            .staff("compensate_checkout_failure", &token, input)
            .await;
        assert_refused(&answer, ErrorCode::CheckoutCompleted);
    }
    hotel.ends_sound().await;
}
