//! Check-outs of stays with a hold: no money moves before the guest has left. Every fault at every
//! step is in `saga_faults`.

use dewy_domain::{
    installation_id::InstallationId,
    ports::{Discrepancy, PaymentReconciliation},
};

use super::{
    payment_sources::{elsewhere, save_card},
    simulated_hotel::staff_body,
};
use crate::prelude::*;

const CUSTOMER: &str = "cus_BethGibbs0001";
const CARD: &str = "pm_1BethVisa4242";
pub const BALANCE: i64 = 25_000;

/// Request for a hold on Beth's saved card, as a check-in places it.
pub fn hold_form(installation: InstallationId, booking: &str, amount: i64) -> String {
    format!(
        "amount={amount}&currency=usd&customer={CUSTOMER}&payment_method={CARD}&confirm=true&off_session=true\
         &capture_method=manual&allowed_payment_method_types[]=card&metadata[purpose]=hold\
         &metadata[installation_id]={installation}&metadata[booking_id]={booking}"
    )
}

/// Such a hold for Beth's stay.
pub async fn held(hotel: &SimulatedHotel, amount: i64) -> String {
    let booking = text_of(&hotel.booking("BK-0042")["Id"]);
    let form = hold_form(hotel.installation, &booking, amount);
    let made = elsewhere(hotel, "/v1/payment_intents", &form).await;
    assert_eq!(made["status"], "requires_capture", "{made}");
    text_of(&made["id"])
}

/// Hotel that places holds, with one of this amount for Beth's stay.
pub async fn with_hold(amount: i64, faults: Vec<Fault>) -> (SimulatedHotel, String) {
    let hotel = SimulatedHotel::new(Setup {
        hold: Some(Cents(0)),
        ..Setup::default()
    });
    let hold = held(&hotel, amount).await;
    for fault in faults {
        hotel.fault(fault);
    }
    (hotel, hold)
}

/// Beth's bank ends the hold.
pub async fn end_hold(hotel: &SimulatedHotel, hold: &str) {
    let path = format!("/v1/payment_intents/{hold}/cancel");
    let ended = elsewhere(hotel, &path, "").await;
    assert_eq!(ended["status"], "canceled", "{ended}");
}

/// Stripe declines every new payment.
pub fn declined() -> Fault {
    let declined = stripe("payment_intent_create", FaultKind::Status);
    declined.status(402).count(0)
}

/// Status, captured amount, and refunds of each payment at Stripe, oldest first.
pub fn payments(hotel: &SimulatedHotel) -> Vec<(String, i64, i64)> {
    let state = hotel.account.stripe_state();
    let ledger = hotel.ledger();
    let all = items(&state["payment_intents"]).iter();
    all.map(|payment| {
        let (taken, refunded, _) = &ledger[payment["id"].as_str().unwrap()];
        (text_of(&payment["status"]), *taken, *refunded)
    })
    .collect()
}

pub fn payment(status: &str, taken: i64) -> (String, i64, i64) {
    (status.to_owned(), taken, 0)
}

fn owed(hotel: &SimulatedHotel) -> i64 {
    let folio = text_of(&hotel.booking("BK-0042")["Opportunity__c"]);
    hotel.sandbox_ledger().balance(&folio)
}

fn is_out(hotel: &SimulatedHotel) -> bool {
    hotel.booking("BK-0042")["Status__c"] == "Checked Out"
}

/// The check-out's record: accepted as version 1, and run as version 2.
pub fn record(hotel: &SimulatedHotel, state: State) -> ExecutionRecord {
    let record = hotel.only();
    assert_eq!(record.state, state, "{:?}", record.answer);
    assert_eq!((record.version, record.running_version()), (1, 2));
    record
}

fn texts(hotel: &SimulatedHotel) -> String {
    let messages = hotel.sandbox_ledger().messages();
    messages.into_iter().map(|(_, body)| body).collect()
}

fn operations(hotel: &SimulatedHotel) -> Vec<String> {
    let calls = hotel.sandbox.calls().into_iter();
    calls.map(|call| call.operation).collect()
}

#[tokio::test(start_paused = true)]
async fn exactly_the_balance_is_captured_after_the_guest_has_left() {
    let (hotel, _) = with_hold(40_000, vec![]).await;
    let answer = hotel.check_out("t").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_fields(
        &staff_body(&answer)["data"],
        json!({ "amount": BALANCE, "reserved": 40_000, "released": 15_000, "card_last4": "4242", "booking_status": "Checked Out" }),
    );
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Completed);
    assert_eq!(payments(&hotel), [payment("succeeded", BALANCE)]);
    assert!(is_out(&hotel));
    assert_eq!(owed(&hotel), 0);
    let calls = operations(&hotel);
    let at = |operation: &str| calls.iter().position(|call| call == operation).unwrap();
    assert!(at("composite") < at("payment_intent_capture"), "{calls:?}");
    let text = texts(&hotel);
    let said = "We charged $250.00 and released the other $150.00 that was reserved on your card.";
    assert!(text.contains(said), "{text}");
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_stay_without_a_hold_is_charged_first_as_ever() {
    let hotel = SimulatedHotel::new(Setup {
        hold: Some(Cents(0)),
        ..Setup::default()
    });
    hotel.check_out("t").await;
    let record = hotel.only();
    assert_eq!(
        (record.running_version(), record.state),
        (1, State::Completed)
    );
    assert_eq!(payments(&hotel), [payment("succeeded", BALANCE)]);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_capture_that_timed_out_but_was_done_is_done_once() {
    let lost = stripe("payment_intent_capture", FaultKind::TimeoutAfterEffect).count(2);
    let (hotel, _) = with_hold(BALANCE, vec![lost]).await;
    hotel.check_out("t").await;
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Completed);
    assert_eq!(payments(&hotel), [payment("succeeded", BALANCE)]);
    assert_eq!(owed(&hotel), 0);
    hotel.ends_sound().await;
}

/// The bank ends the hold between the move and the capture.
pub async fn hold_gone(faults: Vec<Fault>) -> SimulatedHotel {
    let down = stripe("payment_intent_capture", FaultKind::TimeoutBeforeEffect).count(3);
    let (hotel, hold) = with_hold(40_000, vec![down]).await;
    let ending = async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert!(is_out(&hotel), "the guest has left");
        end_hold(&hotel, &hold).await;
        for fault in faults {
            hotel.fault(fault);
        }
    };
    futures::join!(hotel.check_out("t"), ending);
    assert!(hotel.run_until_idle(DAY).await);
    hotel
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_the_bank_ended_is_charged_to_the_card() {
    let hotel = hold_gone(vec![]).await;
    record(&hotel, State::Completed);
    assert_eq!(
        payments(&hotel),
        [payment("canceled", 0), payment("succeeded", BALANCE)]
    );
    assert_eq!(owed(&hotel), 0);
    // The folio names the payment that paid, not the hold
    let lines = hotel.records("Payment_Transaction__c");
    let completed = lines.iter().filter(|line| line["Status__c"] == "Completed");
    let named: Vec<_> = completed
        .filter_map(|line| line["Stripe_Transaction_ID__c"].as_str())
        .collect();
    let ledger = hotel.ledger();
    let paid: Vec<_> = ledger
        .iter()
        .filter(|(_, paid)| paid.0 == BALANCE)
        .collect();
    assert!(named.contains(&paid[0].0.as_str()), "{named:?}");
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_card_that_refuses_too_leaves_the_balance_open_with_a_case() {
    let hotel = hold_gone(vec![declined()]).await;
    let record = record(&hotel, State::NeedsAttention);
    assert_eq!(record.label("attention"), Some("OPEN_BALANCE"));
    assert!(hotel.ledger().values().all(|(taken, ..)| *taken == 0));
    assert!(is_out(&hotel));
    assert_eq!(owed(&hotel), BALANCE);
    let case = hotel.row("Case", "External_ID__c", &record.id.to_string());
    assert_fields(
        &case,
        json!({ "Subject": "$250.00 still open after the check-out of BK-0042", "Priority": "High", "Status": "New" }),
    );
    let answer = record.answer.clone().unwrap();
    assert_fields(
        &answer["data"],
        json!({ "amount": 0, "left_open": BALANCE }),
    );
    let text = texts(&hotel);
    assert!(
        text.contains("could not be charged for $250.00, which is still open"),
        "{text}"
    );
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn with_salesforce_down_nothing_is_charged_and_the_hold_stands() {
    let down = salesforce("composite", FaultKind::TimeoutBeforeEffect).count(0);
    let (hotel, _) = with_hold(40_000, vec![down]).await;
    hotel.check_out("t").await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let record = record(&hotel, State::Compensated);
    assert_eq!(payments(&hotel), [payment("requires_capture", 0)]);
    assert!(!is_out(&hotel));
    assert_eq!(owed(&hotel), BALANCE);
    let calls = operations(&hotel);
    let moved = |call: &String| call.contains("capture") || call.contains("refund");
    assert!(!calls.iter().any(moved), "{calls:?}");
    assert_eq!(hotel.journal.projected("compensation").len(), 0);
    let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let id = record.id.to_string();
    let view = hotel.processes[0].execution(&manager, &id).await;
    let summary = view.unwrap().summary;
    assert_eq!(
        &*summary,
        "The check-out could not be finished, and the stay is as it was before. Nothing was charged; $400.00 stays reserved."
    );
    // The same hold pays the next time
    let answer = hotel.check_out("again").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_is_too_small_gets_a_second_one_for_the_rest() {
    let (hotel, _) = with_hold(10_000, vec![]).await;
    hotel.check_out("t").await;
    assert!(hotel.run_until_idle(DAY).await);
    let record = record(&hotel, State::Completed);
    assert_eq!(
        payments(&hotel),
        [payment("succeeded", 10_000), payment("succeeded", 15_000)]
    );
    assert_eq!(owed(&hotel), 0);
    let lines = hotel.records("Payment_Transaction__c");
    let ours = lines.iter().filter(|line| {
        let reference = line["External_ID__c"].as_str().unwrap_or_default();
        reference.starts_with(&record.id.to_string()) && line["Status__c"] == "Completed"
    });
    let mut paid: Vec<_> = ours
        .map(|line| line["Amount__c"].as_f64().unwrap())
        .collect();
    paid.sort_by(f64::total_cmp);
    assert_eq!(paid, [100.0, 150.0]);
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let today = jiff::civil::date(2026, 3, 10);
    let compared = hotel.processes[0].payments(&desk, today, today).await;
    let rows = compared.unwrap().rows.into_iter();
    let found: Vec<_> = rows.map(|row| row.discrepancy).collect();
    assert_eq!(found, [Discrepancy::None, Discrepancy::None]);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_hold_does_not_cover_may_be_charged_to_another_saved_card() {
    let (hotel, _) = with_hold(10_000, vec![]).await;
    let pay = |card: &str| json!({ "amount": BALANCE, "payment_method_id": card });
    let unsaved = hotel.beth("process_guest_checkout", "t", pay("pm_card_mastercard"));
    assert_refused(&unsaved.await, ErrorCode::ValidationFailed);
    let other = save_card(&hotel, BETH, "pm_card_mastercard").await;
    let answer = hotel.beth("process_guest_checkout", "u", pay(&other)).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
    let state = hotel.account.stripe_state();
    let made = items(&state["payment_intents"]).iter();
    let cards: Vec<_> = made.map(|made| text_of(&made["payment_method"])).collect();
    assert_eq!(cards, [CARD, &other]);
    assert_eq!(owed(&hotel), 0);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_second_hold_is_released_if_the_guest_cannot_leave() {
    let down = salesforce("composite", FaultKind::TimeoutBeforeEffect).count(0);
    let (hotel, _) = with_hold(10_000, vec![down]).await;
    hotel.check_out("t").await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Compensated);
    assert_eq!(
        payments(&hotel),
        [payment("requires_capture", 0), payment("canceled", 0)]
    );
    assert_eq!(owed(&hotel), BALANCE);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_second_hold_that_is_declined_refuses_the_check_out() {
    let (hotel, _) = with_hold(10_000, vec![declined()]).await;
    let answer = hotel.check_out("t").await;
    assert_refused(&answer, ErrorCode::PaymentFailed);
    assert!(!is_out(&hotel));
    let standing = payments(&hotel).contains(&payment("requires_capture", 0));
    assert!(standing && hotel.ledger().values().all(|(taken, ..)| *taken == 0));
    hotel.ends_sound().await;
}

/// A card pays no less than 50 cents, so that the first hold pays less.
#[tokio::test(start_paused = true)]
async fn a_few_cents_more_are_split_so_that_both_holds_can_pay() {
    let (hotel, _) = with_hold(BALANCE - 30, vec![]).await;
    hotel.check_out("t").await;
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Completed);
    let captured = payments(&hotel);
    assert_eq!(
        captured,
        [payment("succeeded", BALANCE - 50), payment("succeeded", 50)]
    );
    assert_eq!(owed(&hotel), 0);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_stay_with_nothing_to_pay_releases_its_hold() {
    let (hotel, _) = with_hold(40_000, vec![]).await;
    let folio = hotel.booking("BK-0042")["Opportunity__c"].clone();
    hotel.edit("Opportunity", &folio, json!({ "Amount": 0 }));
    for line in hotel.records("Payment_Transaction__c") {
        if line["Transaction_Type__c"] == "Charge" && line["Opportunity__c"] == folio {
            let void = json!({ "Status__c": "Cancelled" });
            hotel.edit("Payment_Transaction__c", &line, void);
        }
    }
    assert_eq!(owed(&hotel), 0);
    let answer = hotel
        .beth("process_guest_checkout", "t", json!({ "amount": 0 }))
        .await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_fields(
        &staff_body(&answer)["data"],
        json!({ "amount": 0, "reserved": 40_000, "released": 40_000 }),
    );
    assert!(hotel.run_until_idle(DAY).await);
    record(&hotel, State::Completed);
    assert_eq!(payments(&hotel), [payment("canceled", 0)]);
    assert!(texts(&hotel).contains("the $400.00 that was reserved on your card is released"));
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn another_card_than_the_one_that_holds_the_balance_is_refused_by_name() {
    let (hotel, _) = with_hold(40_000, vec![]).await;
    let input = json!({ "amount": BALANCE, "payment_method_id": "pm_card_mastercard" });
    let answer = hotel.beth("process_guest_checkout", "t", input).await;
    assert_refused(&answer, ErrorCode::ValidationFailed);
    let problem = staff_body(&answer)["details"]["problems"][0].clone();
    assert_eq!(problem["field"], "payment_method_id", "{problem}");
    let own = json!({ "amount": BALANCE, "payment_method_id": CARD });
    let answer = hotel.beth("process_guest_checkout", "u", own).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    hotel.ends_sound().await;
}
