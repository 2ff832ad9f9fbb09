//! Payments whose execution the journal has lost, and whose stay cannot be read: the hotel doesn't
//! guess, and staff see which field to fill in.

use dewy_orchestrators::REVIEW_PAYMENT;
use serde_json::Map;

use super::front_desk::{LOST, lost_payment, paid_elsewhere};
use crate::prelude::*;

/// Past the sweep's grace.
const LATER: Duration = Duration::from_secs(700);

/// Empties the date on which Beth leaves, and answers what it was.
fn forget_the_date(hotel: &SimulatedHotel) -> Value {
    let booking = hotel.booking("BK-0042");
    hotel.blank("Booking__c", &booking, &["Check_Out_Date__c"]);
    booking["Check_Out_Date__c"].clone()
}

/// A person fills it in.
fn fill_in(hotel: &SimulatedHotel, date: Value) {
    let booking = hotel.booking("BK-0042");
    let fields: Map<_, _> = std::iter::once(("Check_Out_Date__c".to_owned(), date)).collect();
    hotel
        .sandbox
        .edit("Booking__c", booking["Id"].as_str().unwrap(), &fields)
        .unwrap();
}

fn reviews(hotel: &SimulatedHotel) -> Vec<ExecutionRecord> {
    let mut all = hotel.journal.snapshot();
    all.retain(|record| record.saga == REVIEW_PAYMENT);
    all
}

/// The one record that people have of it, in their words.
async fn shown(hotel: &SimulatedHotel) -> String {
    let all = reviews(hotel);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].state, State::NeedsAttention);
    let label = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    for expected in [
        label("attention", "RECORD_INCOMPLETE"),
        label("booking_number", "BK-0042"),
    ] {
        assert!(all[0].labels.contains(&expected), "{:?}", all[0].labels);
    }
    let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let page = hotel.processes[0]
        .execution(&manager, &all[0].id.to_string())
        .await
        .unwrap();
    page.summary.to_string()
}

/// Another program deletes a record.
async fn delete(hotel: &SimulatedHotel, object: &str, id: &str) {
    let send = async |method: &str, path: &str, headers: Vec<(String, String)>, body: &str| {
        let request = HttpRequest {
            method: method.to_owned(),
            url: format!("http://sandbox.test/services{path}"),
            headers,
            body: body.as_bytes().to_vec(),
        };
        let answer = hotel.sandbox.send(request, Duration::from_secs(5)).await;
        answer.unwrap()
    };
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let form = header("content-type", "application/x-www-form-urlencoded");
    let grant = "grant_type=client_credentials&client_id=other&client_secret=secret";
    let token = send("POST", "/oauth2/token", vec![form], grant).await;
    let token: Value = serde_json::from_slice(&token.body).unwrap();
    let bearer = format!("Bearer {}", token["access_token"].as_str().unwrap());
    let path = format!("/data/v62.0/sobjects/{object}/{id}");
    let answer = send("DELETE", &path, vec![header("authorization", &bearer)], "").await;
    assert_eq!(answer.status, 204, "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn an_orphan_with_an_undated_booking_goes_to_staff() {
    let hotel = with(vec![]);
    let payment = lost_payment(&hotel, 25_000).await;
    let date = forget_the_date(&hotel);
    tokio::time::sleep(LATER).await;
    for flagged in [1, 0] {
        let view = hotel.processes[0].check_orphan_payments().await;
        assert_eq!((view.flagged, view.failed), (flagged, 1), "{view:?}");
        assert!(hotel.run_until_idle(DAY).await);
    }
    let words = shown(&hotel).await;
    let problem = "Booking BK-0042: Check Out Date is empty.";
    assert!(
        words.contains(problem) && words.contains("$250.00"),
        "{words}"
    );
    assert_eq!(money(&hotel, &payment), (25_000, 0), "nothing is guessed");
    fill_in(&hotel, date);
    let view = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((view.fixed, view.failed), (1, 0), "{view:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, &payment), (25_000, 25_000));
}

/// A world in which a check-out was completed, and the journal has lost it; with its payment.
async fn forgotten_check_out() -> (SimulatedHotel, String) {
    let hotel = with(vec![]);
    hotel.journal.sync_commits(false);
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    hotel.journal.power_loss();
    let ledger = hotel.ledger();
    let paid = ledger.iter().find(|(_, (taken, ..))| *taken == 25_000);
    let paid = paid.unwrap().0.clone();
    (hotel, paid)
}

/// The stay of a completed check-out missing from the journal must not count as a missing booking
/// just because other stays can be read.
#[tokio::test(start_paused = true)]
async fn a_lost_check_out_with_an_undated_booking_is_not_refunded() {
    let (hotel, paid) = forgotten_check_out().await;
    let date = forget_the_date(&hotel);
    let others = hotel.records("Booking__c");
    let other = others.iter().find(|row| row["Status__c"] == "Checked In");
    let (installation, number) = (hotel.installation.to_string(), &other.unwrap()["Name"]);
    let marks = [
        ("installation_id", installation.as_str()),
        ("execution_id", LOST),
        ("booking_number", number.as_str().unwrap()),
    ];
    let orphan = paid_elsewhere(&hotel, 9_900, &marks).await.id;
    tokio::time::sleep(LATER).await;
    let view = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((view.fixed, view.flagged), (1, 1), "{view:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, orphan.as_str()), (9_900, 9_900));
    assert_eq!(
        money(&hotel, &paid),
        (25_000, 0),
        "the guest has checked out"
    );
    shown(&hotel).await;
    fill_in(&hotel, date);
    let view = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((view.found, view.failed), (0, 0), "{view:?}");
    assert_eq!(money(&hotel, &paid), (25_000, 0));
    assert_eq!(reviews(&hotel).len(), 1);
}

/// A booking that the integration user no longer sees proves nothing: the check-out may have been
/// completed.
#[tokio::test(start_paused = true)]
async fn a_lost_check_out_with_a_missing_booking_is_not_refunded() {
    let (hotel, paid) = forgotten_check_out().await;
    let booking = hotel.booking("BK-0042");
    delete(&hotel, "Booking__c", booking["Id"].as_str().unwrap()).await;
    tokio::time::sleep(LATER).await;
    for flagged in [1, 0] {
        let view = hotel.processes[0].check_orphan_payments().await;
        assert_eq!((view.fixed, view.flagged), (0, flagged), "{view:?}");
        assert!(hotel.run_until_idle(DAY).await);
    }
    assert_eq!(money(&hotel, &paid), (25_000, 0));
    let mut flagged = hotel.requested_executions();
    flagged.retain(|record| record.state == State::NeedsAttention);
    assert_eq!(flagged.len(), 1);
    let reason = ("attention".to_owned(), "UNKNOWN_OUTCOME".to_owned());
    assert!(
        flagged[0].labels.contains(&reason),
        "{:?}",
        flagged[0].labels
    );
}

/// After a month, the watermark moves past a payment that can't be decided, but not past one that
/// is only too recent.
#[tokio::test(start_paused = true)]
async fn giving_up_one_payment_affects_no_newer_one() {
    let hour = Duration::from_secs(3600);
    let mut hotel = set_up(|s| s.grace = hour);
    let undecided = lost_payment(&hotel, 25_000).await;
    forget_the_date(&hotel);
    tokio::time::sleep(2 * hour).await;
    hotel.processes[0].check_orphan_payments().await;
    hotel.stop_worker(0).await;
    tokio::time::sleep(31 * 24 * hour).await;
    hotel.start_worker(false);
    let others = hotel.records("Booking__c");
    let other = others.iter().find(|row| row["Status__c"] == "Checked In");
    let (installation, number) = (hotel.installation.to_string(), &other.unwrap()["Name"]);
    let marks = [
        ("installation_id", installation.as_str()),
        ("execution_id", LOST),
        ("booking_number", number.as_str().unwrap()),
    ];
    let young = paid_elsewhere(&hotel, 9_900, &marks).await.id;
    tokio::time::sleep(hour / 2).await;
    // Gives up on the old one.
    hotel.processes[1].check_orphan_payments().await;
    tokio::time::sleep(hour).await;
    let view = hotel.processes[1].check_orphan_payments().await;
    assert_eq!((view.fixed, view.failed), (1, 0), "{view:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(money(&hotel, young.as_str()), (9_900, 9_900));
    assert_eq!(money(&hotel, &undecided), (25_000, 0));
}
