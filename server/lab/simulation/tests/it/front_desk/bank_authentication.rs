//! 3-D Secure: the bank asks the guest first.

use super::*;

/// Decision of the guest on the bank's page.
pub async fn at_the_bank(hotel: &SimulatedHotel, decision: &str) {
    let state = hotel.sandbox.state();
    let intent = items(&state["stripe"]["payment_intents"])
        .iter()
        .find(|i| i["status"] == "requires_action")
        .unwrap()
        .clone();
    let request = HttpRequest {
        method: "POST".to_owned(),
        url: format!("http://sandbox.test/3ds/{}", intent["id"].as_str().unwrap()),
        headers: vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )],
        body: format!("decision={decision}").into_bytes(),
    };
    let answer = hotel
        .sandbox
        .send(request, Duration::from_secs(5))
        .await
        .unwrap();
    assert!(answer.status == 303 || answer.status == 200, "{answer:?}");
}

async fn asks_the_bank(hotel: &SimulatedHotel) -> ToolAnswer {
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_authenticationRequired" });
    let answer = hotel.check_out_with("t1", input).await;
    assert_eq!(answer.status(), 202, "{answer:?}");
    answer
}

#[tokio::test(start_paused = true)]
async fn bank_authentication_completed_failed_or_abandoned() {
    for (decision, state) in [
        ("complete", State::Completed),
        ("fail", State::Refused),
        ("walk away", State::Refused),
    ] {
        let hotel = with(vec![]);
        asks_the_bank(&hotel).await;
        tokio::time::sleep(Duration::from_secs(90)).await;
        if decision != "walk away" {
            at_the_bank(&hotel, decision).await;
            // The return page signals twice.
            for _ in 0..2 {
                hotel
                    .journal
                    .wake(check_out_of(&hotel).id, Duration::ZERO)
                    .await
                    .unwrap();
            }
        }
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(check_out_of(&hotel).state, state, "{decision}");
        let taken: i64 = hotel
            .ledger()
            .values()
            .filter(|(_, _, o)| o.is_some())
            .map(|(t, r, _)| t - r)
            .sum();
        assert_eq!(taken, if decision == "complete" { 25000 } else { 0 });
        assert_sound(&hotel);
    }
}

/// What is bought while the guest is at the bank would not be in the amount that they confirm.
#[tokio::test(start_paused = true)]
async fn a_folio_takes_no_charge_while_its_check_out_runs_and_the_reverse() {
    let held_by = |answer: &ToolAnswer, record: &ExecutionRecord| {
        assert_refused(answer, ErrorCode::OperationInProgress);
        let body = answer.body(Persona::Staff);
        assert_eq!(body["details"]["execution_id"], record.id.to_string());
    };
    let charge = json!({ "room_number": "302", "amount": 1800, "description": "Minibar" });
    let hotel = with(vec![]);
    asks_the_bank(&hotel).await;
    let posted = hotel.front_desk("post_charge", "c1", charge.clone()).await;
    held_by(&posted, &check_out_of(&hotel));
    at_the_bank(&hotel, "fail").await;
    assert!(hotel.run_until_idle(DAY).await);
    let posted = hotel.front_desk("post_charge", "c2", charge.clone()).await;
    assert_eq!(posted.status(), 201, "{posted:?}");
    let input = json!({ "amount": 26_800 });
    let out = hotel.beth("process_guest_checkout", "t2", input).await;
    assert_eq!(out.status(), 200, "{out:?}");
    hotel.ends_sound().await;
    let hotel = with(vec![composite(FaultKind::Slow).ms(4_000)]);
    let posted = hotel.front_desk("post_charge", "c1", charge.clone());
    let out = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        held_by(&hotel.check_out("t1").await, &of(&hotel, "post_charge")[0]);
    };
    let (posted, ()) = futures::join!(posted, out);
    assert_eq!(posted.status(), 201, "{posted:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert!(
        hotel.ledger().values().all(|(_, _, owner)| owner.is_none()),
        "nothing was charged"
    );
}

/// Nobody has to sign in to come back from the bank, so a loop must cost neither calls of Stripe nor
/// rows in the journal.
#[test]
fn returning_repeatedly_rechecks_once_per_interval() {
    const PAUSE: Duration = Duration::from_secs(5);
    on_virtual_time(async {
        let hotel = with(vec![]);
        asks_the_bank(&hotel).await;
        let id = check_out_of(&hotel).id;
        for _ in 0..1200 {
            hotel.journal.wake(id, PAUSE).await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let calls = hotel.sandbox.calls();
        let looks = calls
            .iter()
            .filter(|call| call.operation == "payment_intent_retrieve")
            .count();
        assert!((5..=13).contains(&looks), "{looks}");
        at_the_bank(&hotel, "complete").await;
        hotel.journal.wake(id, PAUSE).await.unwrap();
        tokio::time::sleep(PAUSE * 2).await;
        assert_eq!(check_out_of(&hotel).state, State::Completed, "none is lost");
        assert_sound(&hotel);
    });
}

#[tokio::test(start_paused = true)]
async fn completed_authentication_is_found_without_a_webhook() {
    let hotel = with(vec![]);
    asks_the_bank(&hotel).await;
    at_the_bank(&hotel, "complete").await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Completed);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_manual_check_out_during_bank_authentication() {
    let hotel = with(vec![]);
    asks_the_bank(&hotel).await;
    let booking = hotel.booking("BK-0042");
    hotel.edit(
        "Booking__c",
        &booking["Id"],
        json!({ "Status__c": "Checked Out" }),
    );
    at_the_bank(&hotel, "complete").await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        check_out_of(&hotel).state,
        State::Compensated,
        "what was paid for nothing goes back"
    );
    assert_eq!(
        hotel.booking("BK-0042")["Status__c"],
        "Checked Out",
        "theirs stays"
    );
}

/// The time is up, the payment is about to be canceled, and just then the guest completes it: the
/// captured payment must be used or refunded.
#[tokio::test(start_paused = true)]
async fn authentication_completed_at_the_deadline() {
    let cancel = stripe("payment_intent_cancel", FaultKind::TimeoutBeforeEffect).count(0);
    let hotel = with(vec![cancel]);
    asks_the_bank(&hotel).await;
    tokio::time::sleep(Duration::from_secs(1000)).await;
    assert!(
        hotel
            .sandbox
            .calls()
            .iter()
            .any(|c| c.operation == "payment_intent_cancel"),
        "it was to be called off"
    );
    at_the_bank(&hotel, "complete").await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Completed);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_canceled_payment_cannot_be_completed() {
    let hotel = with(vec![]);
    asks_the_bank(&hotel).await;
    tokio::time::sleep(Duration::from_secs(1000)).await;
    let state = hotel.sandbox.state();
    let intents = state["stripe"]["payment_intents"].as_array().unwrap();
    assert!(
        intents.iter().all(|i| i["status"] != "requires_action"),
        "nothing waits at the bank"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Refused);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn another_process_takes_over_during_bank_authentication() {
    let hotel = set_up(|s| s.workers = 2);
    asks_the_bank(&hotel).await;
    hotel.stop_worker(0).await;
    at_the_bank(&hotel, "complete").await;
    assert!(hotel.run_until_idle(DAY).await);
    let record = check_out_of(&hotel);
    assert_eq!(record.state, State::Completed);
    assert_eq!(record.rows.last().map(|r| r.by.as_str()), Some("worker-1"));
    assert_sound(&hotel);
}

/// The time is up, and while the cancellation is on its way the guest confirms: Stripe refuses to
/// cancel, with a payment inside that is still processing. That answer is soon out of date.
#[tokio::test(start_paused = true)]
async fn confirmation_races_the_cancellation() {
    for (decision, state) in [
        ("processing", State::Completed),
        ("bouncing", State::Refused),
        ("complete", State::Completed),
    ] {
        let slow = stripe("payment_intent_cancel", FaultKind::Slow);
        let hotel = with(vec![slow.ms(5_000)]);
        asks_the_bank(&hotel).await;
        let canceling = || {
            let calls = hotel.sandbox.calls();
            calls.iter().any(|c| c.operation == "payment_intent_cancel")
        };
        while !canceling() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        at_the_bank(&hotel, decision).await;
        assert!(
            hotel.run_until_idle(DAY).await,
            "{decision}: it waits for ever"
        );
        assert_eq!(check_out_of(&hotel).state, state, "{decision}");
        assert_sound(&hotel);
    }
}

/// No wait is endless: a payment that can't be read for two days goes to a person.
#[tokio::test(start_paused = true)]
async fn a_payment_unreadable_for_days_goes_to_staff() {
    let mut hotel = with(vec![]);
    asks_the_bank(&hotel).await;
    hotel.fault(
        stripe("payment_intent_retrieve", FaultKind::Status)
            .status(500)
            .count(0),
    );
    for days in [1, 2] {
        // Nothing happens while no process runs, so that days pass quickly.
        hotel.stop_worker(days - 1).await;
        tokio::time::sleep(DAY).await;
        hotel.start_worker(false);
        tokio::time::sleep(Duration::from_secs(1_000)).await;
        let at_rest = check_out_of(&hotel).state.has_ended();
        assert_eq!(at_rest, days == 2, "after {days} days");
    }
    let record = check_out_of(&hotel);
    assert_eq!(record.state, State::NeedsAttention);
    let reason = ("attention".to_owned(), "UNKNOWN_OUTCOME".to_owned());
    assert!(record.labels.contains(&reason), "{:?}", record.labels);
}
