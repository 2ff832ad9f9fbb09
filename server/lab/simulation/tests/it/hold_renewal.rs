//! Holds that expire before their guest leaves: renewed in time, once, and never two at rest. Every
//! fault at every step is in `saga_faults`.

use dewy_orchestrators::RENEW_HOLD;

use super::{
    capture_last::{declined, end_hold},
    payment_sources::save_card,
};
use crate::prelude::*;

const SARAH: &str = "sarah@example.com";
const LIMIT: Duration = Duration::from_secs(86_400);
/// Time between two orphan checks.
const BETWEEN: Duration = Duration::from_secs(12 * 3600);

/// Lets Sarah stay this long.
pub fn stays(hotel: &SimulatedHotel, nights: i32) {
    let booking = sarahs_booking(hotel);
    let from: jiff::civil::Date = text_of(&booking["Check_In_Date__c"]).parse().unwrap();
    let to = from + jiff::Span::new().days(nights);
    let edited = json!({ "Check_Out_Date__c": to.to_string() });
    hotel.edit("Booking__c", &booking["Id"], edited);
}

/// Two instances, and Sarah is in for this long, with a card that holds an amount for seven days.
async fn checked_in(nights: i32) -> SimulatedHotel {
    let hotel = SimulatedHotel::new(Setup {
        hold: Some(Cents(5_000)),
        workers: 2,
        poll: Duration::from_secs(3600),
        ..Setup::default()
    });
    save_card(&hotel, SARAH, "pm_card_mastercard").await;
    stays(&hotel, nights);
    let input = json!({ "guest_email": SARAH });
    let answer = hotel.front_desk("check_in_guest", "in", input).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    hotel
}

fn sarahs_booking(hotel: &SimulatedHotel) -> Value {
    let sarah = text_of(&hotel.row("Contact", "Email", SARAH)["Id"]);
    hotel.row("Booking__c", "Primary_Guest__c", &sarah)
}

/// Both instances check at the same time, every twelve hours for this many days; at each rest, the card
/// holds at most one amount.
async fn watch(hotel: &SimulatedHotel, days: u64) {
    for _ in 0..days * 2 {
        tokio::time::sleep(BETWEEN).await;
        let [first, second] = [0, 1].map(|n| hotel.processes[n].check_orphan_payments());
        futures::join!(first, second);
        assert!(hotel.run_until_idle(LIMIT).await);
        assert!(held(hotel).len() <= 1, "{:?}", payments(hotel));
    }
}

/// Status and requested amount of each payment at Stripe, oldest first.
fn payments(hotel: &SimulatedHotel) -> Vec<(String, i64)> {
    let state = hotel.account.stripe_state();
    let all = items(&state["payment_intents"]).iter();
    all.map(|one| (text_of(&one["status"]), one["amount"].as_i64().unwrap()))
        .collect()
}

fn held(hotel: &SimulatedHotel) -> Vec<String> {
    let ledger = hotel.sandbox_ledger();
    let held = ledger.payments.iter().filter(|(_, one)| one.held > 0);
    held.map(|(id, _)| id.clone()).collect()
}

fn renewals(hotel: &SimulatedHotel) -> Vec<ExecutionRecord> {
    let mut all = hotel.journal.snapshot();
    all.retain(|record| record.saga == RENEW_HOLD);
    all
}

fn owed(hotel: &SimulatedHotel) -> i64 {
    let folio = text_of(&sarahs_booking(hotel)["Opportunity__c"]);
    hotel.sandbox_ledger().balance(&folio)
}

async fn check_out(hotel: &SimulatedHotel) {
    let input = json!({ "guest_email": SARAH, "amount": owed(hotel) });
    let answer = hotel
        .front_desk("process_guest_checkout", "out", input)
        .await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(hotel.run_until_idle(LIMIT).await);
}

/// Captured amount of each payment.
fn taken(hotel: &SimulatedHotel) -> Vec<i64> {
    let state = hotel.account.stripe_state();
    let ledger = hotel.ledger();
    let all = items(&state["payment_intents"]).iter();
    all.map(|one| ledger[one["id"].as_str().unwrap()].0)
        .collect()
}

/// Cases about the stay's hold.
fn cases(hotel: &SimulatedHotel) -> Vec<Value> {
    let mut all = hotel.records("Case");
    all.retain(|case| text_of(&case["Subject"]).starts_with("No amount is reserved"));
    all
}

#[tokio::test(start_paused = true)]
async fn a_stay_of_twelve_nights_with_a_hold_of_seven_days_is_renewed_once() {
    let hotel = checked_in(12).await;
    let first = owed(&hotel) + 12 * 5_000;
    watch(&hotel, 11).await;
    // On the sixth day, six nights are left
    let second = owed(&hotel) + 6 * 5_000;
    assert_eq!(
        payments(&hotel),
        [
            ("canceled".to_owned(), first),
            ("requires_capture".to_owned(), second)
        ]
    );
    let renewed = renewals(&hotel);
    assert_eq!(renewed.len(), 1, "{renewed:?}");
    assert_eq!(renewed[0].state, State::Completed);
    assert!(cases(&hotel).is_empty());
    let balance = owed(&hotel);
    check_out(&hotel).await;
    assert_eq!(taken(&hotel), [0, balance]);
    assert_eq!(owed(&hotel), 0);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_lives_until_its_guest_leaves_is_not_renewed() {
    let hotel = checked_in(6).await;
    watch(&hotel, 6).await;
    assert!(renewals(&hotel).is_empty());
    assert_eq!(held(&hotel).len(), 1);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_card_that_expired_meanwhile_opens_one_case_and_is_charged_at_check_out() {
    let hotel = checked_in(12).await;
    hotel.fault(declined());
    watch(&hotel, 9).await;
    hotel.sandbox.clear_faults();
    let renewed = renewals(&hotel);
    assert_eq!(renewed.len(), 1, "{renewed:?}");
    let cases = cases(&hotel);
    assert_eq!(cases.len(), 1, "{cases:?}");
    let number = text_of(&sarahs_booking(&hotel)["Name"]);
    let subject = format!("No amount is reserved for the stay {number}");
    assert_fields(
        &cases[0],
        json!({ "Subject": subject, "Priority": "High", "Status": "New" }),
    );
    assert!(held(&hotel).is_empty(), "the first one has expired");
    let balance = owed(&hotel);
    check_out(&hotel).await;
    assert_eq!(taken(&hotel).iter().sum::<i64>(), balance);
    assert_eq!(owed(&hotel), 0);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_was_voided_at_the_bank_opens_one_case() {
    let hotel = checked_in(12).await;
    watch(&hotel, 2).await;
    end_hold(&hotel, &held(&hotel)[0]).await;
    watch(&hotel, 8).await;
    assert_eq!(cases(&hotel).len(), 1);
    assert!(held(&hotel).is_empty(), "whoever voided it had a reason");
    let balance = owed(&hotel);
    check_out(&hotel).await;
    assert_eq!(taken(&hotel), [0, balance]);
    hotel.ends_sound().await;
}

/// Its first hold was released, and is none that the bank ended.
#[tokio::test(start_paused = true)]
async fn a_stay_that_was_checked_in_again_renews_its_second_hold_alone() {
    let hotel = checked_in(12).await;
    let undo = json!({ "booking_number": sarahs_booking(&hotel)["Name"] });
    tokio::time::sleep(Duration::from_secs(1200)).await;
    hotel.processes[0].check_orphan_payments().await;
    hotel.front_desk("undo_check_in", "undo", undo).await;
    let input = json!({ "guest_email": SARAH });
    hotel.front_desk("check_in_guest", "again", input).await;
    watch(&hotel, 8).await;
    assert_eq!(renewals(&hotel).len(), 1, "{:?}", renewals(&hotel));
    assert!(cases(&hotel).is_empty());
    assert_eq!(held(&hotel).len(), 1);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_expired_while_the_hotel_was_down_opens_one_case() {
    let hotel = checked_in(12).await;
    watch(&hotel, 5).await;
    tokio::time::sleep(Duration::from_secs(3 * 86_400)).await;
    watch(&hotel, 1).await;
    assert_eq!(cases(&hotel).len(), 1);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_new_hold_whose_answer_was_lost_is_placed_once() {
    let hotel = checked_in(12).await;
    watch(&hotel, 5).await;
    hotel.fault(stripe("payment_intent_create", FaultKind::TimeoutAfterEffect).count(2));
    hotel.fault(stripe("payment_intent_cancel", FaultKind::TimeoutBeforeEffect).count(4));
    watch(&hotel, 2).await;
    let all = payments(&hotel).into_iter();
    let statuses: Vec<_> = all.map(|(status, _)| status).collect();
    assert_eq!(statuses, ["canceled", "requires_capture"]);
    hotel.ends_sound().await;
}
