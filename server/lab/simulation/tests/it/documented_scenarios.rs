//! Scenarios from the documentation, each with its exact end.

use serde_json::Map;

use crate::prelude::*;

fn beths_stay(hotel: &SimulatedHotel) -> (Value, Value, Value) {
    let booking = hotel.booking("BK-0042");
    let room = hotel.room("302");
    let opportunity = hotel.opportunity_of(&booking);
    (booking, room, opportunity)
}

#[tokio::test(start_paused = true)]
async fn a_guest_checks_out_in_five_calls() {
    let hotel = with(vec![]);
    let answer = hotel.check_out("t1").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    let (booking, room, opportunity) = beths_stay(&hotel);
    assert_eq!(booking["Status__c"], "Checked Out");
    assert_fields(
        &room,
        json!({ "Status__c": "Cleaning", "Current_Guest__c": null }),
    );
    assert_eq!(opportunity["StageName"], "Closed Won");
    assert_eq!(
        hotel
            .sandbox_ledger()
            .balance(opportunity["Id"].as_str().unwrap()),
        0
    );
    let calls = hotel.sandbox.calls();
    let of = |system| {
        calls
            .iter()
            .filter(|c| c.system == system && c.operation != "token")
            .count()
    };
    assert_eq!(
        of(System::Salesforce),
        2,
        "one SOQL and one composite: {calls:?}"
    );
    let account = calls
        .iter()
        .filter(|c| c.operation == "account_retrieve")
        .count();
    assert_eq!(account, 1, "whose key it is, once per process: {calls:?}");
    assert_eq!(
        of(System::Stripe) - account,
        3,
        "a list and a search for the guest's customers, one payment: {calls:?}"
    );
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_permanent_salesforce_timeout_ends_in_a_refund() {
    let hotel = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
    let before = beths_stay(&hotel);
    let first = hotel.check_out("t1").await;
    assert!(
        matches!(first, ToolAnswer::Pending { .. })
            || code(&first) == Some(ErrorCode::CheckoutCompensated),
        "{first:?}"
    );
    hotel.ends_sound().await;
    let record = hotel.only();
    assert_eq!(record.state, State::Compensated);
    let ledger: Vec<_> = hotel
        .ledger()
        .into_values()
        .filter(|(_, _, owner)| owner.is_some())
        .collect();
    assert_eq!(ledger.len(), 1);
    assert_eq!((ledger[0].0, ledger[0].1), (25000, 25000));
    let after = beths_stay(&hotel);
    assert_eq!(after.0["Status__c"], "Checked In");
    assert_eq!(after.1["Status__c"], "Occupied");
    assert_eq!(after.1["Current_Guest__c"], before.1["Current_Guest__c"]);
    for field in ["StageName", "CloseDate", "Payment_ID__c", "Amount"] {
        assert_eq!(after.2[field], before.2[field], "{field}");
    }
    assert_eq!(
        hotel
            .sandbox_ledger()
            .balance(after.2["Id"].as_str().unwrap()),
        25000
    );
    let records = hotel.compensations().await;
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].body["status"], "compensated");
    let answer = hotel.check_out("t1").await;
    assert_refused(&answer, ErrorCode::CheckoutCompensated);
    // The refund comes before all other compensations.
    let calls = hotel.sandbox.calls();
    let refund = calls
        .iter()
        .position(|c| c.operation == "refund_create")
        .unwrap();
    let last_composite = calls
        .iter()
        .rposition(|c| c.operation == "composite")
        .unwrap();
    assert!(last_composite < refund, "{calls:?}");
    assert!(
        calls[refund + 1..]
            .iter()
            .any(|c| c.system == System::Salesforce),
        "the pair of lines is written afterwards"
    );
}

#[tokio::test(start_paused = true)]
async fn the_guest_is_answered_within_the_wait_limit() {
    let hotel = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
    let began = tokio::time::Instant::now();
    let answer = hotel.check_out("t1").await;
    assert!(
        began.elapsed() <= Duration::from_secs(26),
        "{:?}",
        began.elapsed()
    );
    assert!(answer.status() == 202 || answer.status() == 409);
}

/// `Retry-After` is only a hint: it never delays a charged guest beyond the budget, however long
/// the vendor or a proxy asks us to wait.
#[test]
fn a_long_retry_after_does_not_delay_the_refund() {
    for seconds in [3_600, 99_999_999_999_999] {
        let unavailable = |count| {
            let fault = composite(FaultKind::Status).status(503).count(count);
            fault.retry_after(seconds)
        };
        on_virtual_time(async {
            let hotel = with(vec![unavailable(0)]);
            hotel.check_out("t1").await;
            tokio::time::sleep(Duration::from_secs(60)).await;
            let ledger = hotel.ledger();
            assert!(
                ledger
                    .values()
                    .any(|(taken, back, _)| *taken == 25000 && *back == 25000),
                "{seconds}: {ledger:?}"
            );
            hotel.sandbox.clear_faults();
            assert!(hotel.run_until_idle(DAY).await);
            assert_eq!(hotel.only().state, State::Compensated);
            assert_sound(&hotel);
        });
        // Once it is over, the check-out goes on within the same minute.
        on_virtual_time(async {
            let hotel = with(vec![unavailable(1)]);
            hotel.check_out("t1").await;
            tokio::time::sleep(Duration::from_secs(60)).await;
            assert_eq!(hotel.only().state, State::Completed, "{seconds}");
            assert_sound(&hotel);
        });
        // A refund is tried again after five minutes at most.
        on_virtual_time(async {
            let refund = stripe("refund_create", FaultKind::Status)
                .status(429)
                .retry_after(seconds);
            let hotel = with(vec![
                composite(FaultKind::TimeoutBeforeEffect).count(0),
                refund,
            ]);
            hotel.check_out("t1").await;
            tokio::time::sleep(Duration::from_secs(360)).await;
            let ledger = hotel.ledger();
            assert!(
                ledger
                    .values()
                    .any(|(taken, back, _)| *taken == 25000 && *back == 25000),
                "{seconds}: {ledger:?}"
            );
        });
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_response_is_found_by_its_marker() {
    let hotel = with(vec![composite(FaultKind::TimeoutAfterEffect)]);
    let answer = hotel.check_out("t1").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    hotel.ends_sound().await;
    assert_eq!(hotel.only().state, State::Completed);
}

#[tokio::test(start_paused = true)]
async fn a_lost_request_is_repeated() {
    let hotel = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(1)]);
    let answer = hotel.check_out("t1").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn the_refund_does_not_wait_for_salesforce() {
    let hotel = with(vec![
        composite(FaultKind::TimeoutAfterEffect),
        salesforce("query", FaultKind::TimeoutBeforeEffect)
            .skip(1)
            .count(0),
    ]);
    let before = beths_stay(&hotel);
    let answer = hotel.check_out("t1").await;
    assert_eq!(answer.status(), 202, "{answer:?}");
    tokio::time::sleep(Duration::from_secs(60)).await;
    let ledger = hotel.ledger();
    assert!(
        ledger
            .values()
            .any(|(taken, back, owner)| owner.is_some() && *taken == 25000 && *back == 25000),
        "{ledger:?}"
    );
    assert_eq!(hotel.only().state, State::Compensating);
    assert_eq!(
        beths_stay(&hotel).0["Status__c"],
        "Checked Out",
        "Salesforce has it applied and cannot be asked"
    );
    let again = hotel.check_out("t2").await;
    assert_eq!(
        code(&again),
        Some(ErrorCode::OperationInProgress),
        "the stay cannot be read, and the first check-out is not over: {again:?}"
    );
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let after = beths_stay(&hotel);
    assert_eq!(after.0["Status__c"], "Checked In");
    assert_eq!(after.1["Status__c"], "Occupied");
    assert_eq!(after.1["Current_Guest__c"], before.1["Current_Guest__c"]);
    assert_eq!(after.2["StageName"], before.2["StageName"]);
    assert_eq!(after.2["CloseDate"], before.2["CloseDate"]);
    assert_sound(&hotel);
}

#[test]
fn a_late_effect_does_no_harm() {
    for ms in [6_000, 20_000, 60_000, 120_000] {
        on_virtual_time(async {
            let hotel = with(vec![composite(FaultKind::LateEffect).count(1).ms(ms)]);
            let answer = hotel.check_out("t1").await;
            assert!(matches!(answer.status(), 200 | 202 | 409), "{answer:?}");
            hotel.ends_sound().await;
        });
        on_virtual_time(async {
            let hotel = with(vec![composite(FaultKind::LateEffect).count(0).ms(ms)]);
            hotel.check_out("t1").await;
            tokio::time::sleep(Duration::from_secs(200)).await;
            hotel.sandbox.clear_faults();
            hotel.ends_sound().await;
        });
    }
}

#[tokio::test(start_paused = true)]
async fn a_reassigned_room_is_not_reverted() {
    let hotel = with(vec![
        composite(FaultKind::TimeoutAfterEffect),
        salesforce("query", FaultKind::TimeoutBeforeEffect)
            .skip(1)
            .count(0),
    ]);
    hotel.check_out("t1").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let room = hotel.room("302");
    let other = hotel.contact("sarah@example.com");
    let fields: Map<String, Value> = [
        ("Status__c".to_owned(), json!("Occupied")),
        ("Current_Guest__c".to_owned(), other["Id"].clone()),
    ]
    .into_iter()
    .collect();
    hotel
        .sandbox
        .edit("Hotel_Room__c", room["Id"].as_str().unwrap(), &fields)
        .unwrap();
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let (booking, room, opportunity) = beths_stay(&hotel);
    assert_eq!(
        room["Current_Guest__c"], other["Id"],
        "the new guest stays in the room"
    );
    assert_eq!(booking["Status__c"], "Checked In");
    assert_eq!(opportunity["StageName"], "Checked In");
    let record = hotel.only();
    assert_eq!(record.state, State::NeedsAttention);
    let beside = hotel.compensations().await;
    assert_eq!(beside[0].body["reason"], "FOREIGN_EDIT");
    let left = beside[0].body["revert"]["left"].to_string();
    assert!(left.contains("room") && left.contains("Occupied"), "{left}");
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn twenty_concurrent_tokens_charge_once() {
    let hotel = with(vec![]);
    let tokens: Vec<_> = (0..20).map(|n| format!("t{n}")).collect();
    let answers = futures::future::join_all(tokens.iter().map(|t| hotel.check_out(t))).await;
    hotel.ends_sound().await;
    let paid: Vec<_> = hotel
        .ledger()
        .into_values()
        .filter(|(taken, _, owner)| owner.is_some() && *taken > 0)
        .collect();
    assert_eq!(paid.len(), 1, "{paid:?}");
    assert!(answers.iter().any(|a| a.status() == 200));
    for answer in &answers {
        let fine = answer.status() == 200 || code(answer) == Some(ErrorCode::OperationInProgress);
        assert!(fine, "{answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn repeating_a_token_returns_equal_answers() {
    let hotel = with(vec![]);
    let answers = futures::future::join_all((0..20).map(|_| hotel.check_out("same"))).await;
    assert_eq!(hotel.requested_executions().len(), 1);
    assert!(answers.iter().all(|a| *a == answers[0]), "{answers:?}");
    assert_eq!(answers[0].status(), 200);
    let later = hotel.check_out("same").await;
    assert!(matches!(later, ToolAnswer::Settled { replayed: true, .. }));
    let other = hotel.check_out_with("same", json!({ "amount": 1 })).await;
    assert_refused(&other, ErrorCode::IdempotencyMismatch);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_read_made_before_the_first_check_out_finished_charges_nothing() {
    // The second one's read is slow: it sees the old state of the stay, and makes its claim
    // when the first one has released it.
    let hotel = with(vec![stripe("customers", FaultKind::Slow).skip(1).ms(7_000)]);
    hotel.sandbox.set_latency(Latency::reference());
    let first = hotel.check_out("t1");
    let second = async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        hotel.check_out("t2").await
    };
    let (first, second) = futures::join!(first, second);
    assert_eq!(first.status(), 200, "{first:?}");
    assert_eq!(
        second.status(),
        200,
        "it is told of the finished one: {second:?}"
    );
    let reads = hotel.count_calls(|c| c.operation == "customers");
    assert_eq!(
        reads, 3,
        "the second one read again after its claim was refused as stale"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        hotel
            .ledger()
            .values()
            .filter(|(taken, _, owner)| owner.is_some() && *taken > 0)
            .count(),
        1
    );
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_declined_card_changes_nothing_and_another_card_works() {
    let hotel = with(vec![]);
    let before = beths_stay(&hotel);
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_visa_chargeDeclinedInsufficientFunds" });
    let declined = hotel.check_out_with("a", input.clone()).await;
    assert_refused(&declined, ErrorCode::PaymentFailed);
    assert_eq!(
        declined.body(Persona::Guest)["details"]["decline_code"],
        "insufficient_funds"
    );
    assert_eq!(beths_stay(&hotel), before);
    let replayed = hotel.check_out_with("a", input).await;
    assert_eq!(
        code(&replayed),
        Some(ErrorCode::PaymentFailed),
        "an attempt with an effect keeps its answer"
    );
    let good = hotel
        .check_out_with(
            "b",
            json!({ "amount": 25000, "payment_method_id": "pm_card_visa" }),
        )
        .await;
    assert_eq!(good.status(), 200, "{good:?}");
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_quote_in_an_email_is_escaped() {
    let hotel = with(vec![]);
    let nora = Caller::guest("nora.o'brien@example.com", Interface::Mcp);
    let folio = hotel.call(&nora, "get_folio", None, json!({})).await;
    assert_eq!(folio.status(), 200, "{folio:?}");
    let body = folio.body(nora.persona);
    assert_eq!(body["data"]["room_number"], "104");
    let evil = hotel
        .staff(
            "get_folio",
            None,
            json!({ "guest_email": "x' OR Name LIKE '%@example.com" }),
        )
        .await;
    assert!(
        matches!(
            code(&evil),
            Some(ErrorCode::GuestNotFound | ErrorCode::ValidationFailed)
        ),
        "{evil:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_check_out_waits_for_bank_authentication_up_to_a_limit() {
    let hotel = with(vec![]);
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_authenticationRequired" });
    let answer = hotel.check_out_with("a", input).await;
    let ToolAnswer::Pending {
        next_action_url: Some(url),
        ..
    } = &answer
    else {
        panic!("{answer:?}")
    };
    assert!(url.contains("/3ds/"), "{url}");
    assert_eq!(hotel.only().state, State::Waiting);
    let second = hotel.check_out("b").await;
    assert_refused(&second, ErrorCode::OperationInProgress);
    assert!(
        hotel.run_until_idle(DAY).await,
        "an abandoned confirmation is called off"
    );
    assert_eq!(
        hotel
            .requested_executions()
            .iter()
            .filter(|r| r.state == State::Refused)
            .count(),
        2
    );
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn a_refused_refund_leaves_the_booking_and_goes_to_staff() {
    let hotel = with(vec![
        composite(FaultKind::TimeoutAfterEffect),
        salesforce("query", FaultKind::TimeoutBeforeEffect)
            .skip(1)
            .count(0),
        stripe("refund_create", FaultKind::Status)
            .status(400)
            .count(0),
    ]);
    hotel.check_out("t1").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let record = hotel.only();
    assert_eq!(record.state, State::NeedsAttention);
    assert_eq!(
        beths_stay(&hotel).0["Status__c"],
        "Checked Out",
        "no revert without a refund"
    );
    let beside = hotel.compensations().await;
    assert_eq!(beside[0].body["reason"], "REFUND_REFUSED");
    let held = hotel
        .journal
        .claim_holder(&format!(
            "booking:{}",
            beths_stay(&hotel).0["Id"].as_str().unwrap()
        ))
        .await
        .unwrap();
    assert_eq!(held, Some(record.id), "only a person releases it");
}

#[tokio::test(start_paused = true)]
async fn a_refund_that_fails_later_is_repeated_with_the_next_key() {
    let hotel = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_refundFail" });
    hotel.check_out_with("a", input).await;
    let rested = hotel.run_until_idle(DAY).await;
    let keys: Vec<_> = hotel
        .sandbox
        .calls()
        .iter()
        .filter(|c| c.operation == "refund_create")
        .filter_map(|c| c.idempotency_key.clone())
        .collect();
    assert!(keys.iter().any(|k| k.ends_with(":1")), "{keys:?}");
    let record = hotel.only();
    let reopened = record
        .rows
        .iter()
        .any(|r| matches!(r.event, Event::Reopened { .. }));
    assert!(
        reopened,
        "the failed refund reopens the record (rested: {rested}, {:?})",
        record.state
    );
    assert!(keys.iter().any(|k| k.ends_with(":2")), "{keys:?}");
}

#[tokio::test(start_paused = true)]
async fn a_charge_of_another_program_during_check_out_is_never_marked_paid() {
    let hotel = with(vec![
        stripe("payment_intent_create", FaultKind::Slow).ms(5_000),
    ]);
    let check_out = hotel.check_out("t1");
    let post = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let (_, _, opportunity) = beths_stay(&hotel);
        let folio = opportunity["Id"].clone();
        foreign_charge(&hotel, &folio).await;
        folio
    };
    let (answer, folio) = futures::join!(check_out, post);
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::NeedsAttention);
    assert_eq!(
        hotel.sandbox_ledger().balance(folio.as_str().unwrap()),
        5000,
        "the charge is still owed"
    );
}

#[tokio::test(start_paused = true)]
async fn a_guests_view_holds_nothing_of_staffs() {
    let hotel = with(vec![]);
    let answer = hotel.check_out("t1").await;
    let ToolAnswer::Settled {
        execution_id: Some(id),
        settled: FinalAnswer::Done { .. },
        ..
    } = &answer
    else {
        panic!("{answer:?}")
    };
    let own = hotel
        .beth("get_execution", None, json!({ "execution_id": id }))
        .await;
    assert_eq!(own.status(), 200);
    let text = own.body(Persona::Guest).to_string();
    assert!(
        !text.contains(BETH) && !text.contains("\"key\":\"exe"),
        "a guest's view holds nothing of staff's: {text}"
    );
}

/// T1: the second process's clock is ten minutes fast or slow; leases follow the store's clock, and
/// nothing is done twice.
#[tokio::test(start_paused = true)]
async fn a_clock_skew_of_ten_minutes_does_no_harm() {
    for minutes in [10, -10] {
        for skip in 0..4 {
            let hotel = SimulatedHotel::new(Setup {
                workers: 3,
                skew: jiff::SignedDuration::from_mins(minutes),
                faults: vec![
                    composite(FaultKind::TimeoutBeforeEffect).count(0),
                    stripe("refund_create", FaultKind::TimeoutAfterEffect).skip(skip % 2),
                ],
                crashes: vec![Crash::once(
                    CrashPoint::ALL[skip as usize],
                    "pay",
                    Direction::Forward,
                )],
                ..Setup::default()
            });
            hotel.check_out("t1").await;
            assert!(hotel.run_until_idle(DAY).await, "{minutes} minutes, {skip}");
            assert_sound(&hotel);
        }
    }
}

/// S5: no answered result is lost, because every commit is synced before it is answered; a store
/// that answers first is caught.
#[test]
fn an_unsynced_commit_is_detected() {
    let lose = |synced: bool| {
        on_virtual_time(async {
            let hotel = with(vec![]);
            hotel.journal.sync_commits(synced);
            hotel.check_out("t1").await;
            hotel.journal.power_loss();
            hotel.run_until_idle(DAY).await;
            violations(&hotel)
        })
    };
    assert_eq!(lose(true), Vec::<String>::new());
    assert!(
        lose(false).iter().any(|v| v.starts_with("I8")),
        "a charge of which the journal knows nothing"
    );
}

#[test]
fn two_releases_run_side_by_side_and_each_finishes_what_it_began() {
    on_virtual_time(async {
        // The new release's worker starts it and dies; the old one must leave its work to the other
        // new one.
        let hotel = SimulatedHotel::new(Setup {
            workers: 3,
            next_from: 1,
            crashes: vec![Crash::once(
                CrashPoint::AfterSend,
                "pay",
                Direction::Forward,
            )],
            ..Setup::default()
        });
        let call = |token: &str| ToolCall {
            tool: "process_guest_checkout".to_owned(),
            input: json!({ "amount": 25000 }),
            idempotency_token: Some(token.to_owned()),
            wait: None,
        };
        hotel.processes[1]
            .dispatch(&Caller::guest(BETH, Interface::Mcp), call("new"))
            .await;
        assert!(hotel.run_until_idle(DAY).await);
        let record = hotel.only();
        assert_eq!((record.version, record.state), (3, State::Completed));
        assert_sound(&hotel);
    });
}

#[test]
fn work_of_an_unknown_definition_waits_for_its_release() {
    on_virtual_time(async {
        let mut hotel = set_up(|s| (s.workers, s.next_from) = (2, 1));
        // The new release accepts it and is rolled back before it starts: no worker knows the
        // version.
        hotel.fault(salesforce("query", FaultKind::TimeoutBeforeEffect).count(0));
        let call = ToolCall {
            tool: "process_guest_checkout".to_owned(),
            input: json!({ "amount": 25000 }),
            idempotency_token: Some("new".to_owned()),
            wait: Some(Duration::ZERO),
        };
        let beth = Caller::guest(BETH, Interface::Mcp);
        let (waits, ()) = futures::join!(
            hotel.processes[1].dispatch(&beth, call),
            hotel.stop_worker(1)
        );
        hotel.sandbox.clear_faults();
        let before = hotel.only();
        assert_eq!(
            (
                before.version,
                before.state.has_ended(),
                before.worker.is_some()
            ),
            (3, false, false),
            "{waits:?}"
        );
        // It is signaled too; the signal waits as well.
        hotel.journal.wake(before.id, Duration::ZERO).await.unwrap();
        tokio::time::sleep(Duration::from_secs(3 * 3600)).await;
        let after = hotel.only();
        assert_eq!(
            (&after.rows, after.fence, after.answer),
            (&before.rows, before.fence, None),
            "it is not touched"
        );
        assert_eq!(
            hotel.processes[0].engine().due_elsewhere().await,
            Ok(vec![before.id])
        );
        let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
        let listed = hotel.processes[0].due_elsewhere(&manager).await;
        assert_eq!(listed.len(), 1);
        assert!(
            listed[0]
                .next
                .contains("version 3 of process_guest_checkout"),
            "{}",
            listed[0].next
        );
        let guest = hotel.processes[0].due_elsewhere(&beth).await;
        assert_eq!(guest, vec![], "staff's alone");
        hotel.start_worker(true);
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(
            hotel.processes[0].engine().due_elsewhere().await,
            Ok(vec![])
        );
        assert_eq!(hotel.processes[0].due_elsewhere(&manager).await, vec![]);
        assert_eq!(hotel.only().state, State::Completed);
        assert_sound(&hotel);
    });
}

#[tokio::test(start_paused = true)]
async fn customer_failures_do_not_delay_a_check_out() {
    let lost = || stripe("customers", FaultKind::TimeoutBeforeEffect).skip(1);
    let status = |status| stripe("customers", FaultKind::Status).status(status);
    let gone = stripe("customers", FaultKind::TimeoutBeforeEffect);
    for then in [status(402), status(503), gone] {
        let case = format!("{then:?}");
        let hotel = with(vec![lost(), then.skip(1).count(0)]);
        let input = json!({ "guest_email": "olivia.martin@example.com", "amount": 139_996, "payment_method_id": "pm_card_visa" });
        hotel.staff("process_guest_checkout", "t1", input).await;
        assert!(
            hotel.run_until_idle(Duration::from_secs(120)).await,
            "{case}"
        );
        assert_eq!(hotel.only().state, State::Refused, "{case}");
        assert_sound(&hotel);
    }
}

#[tokio::test(start_paused = true)]
async fn a_customer_key_that_always_fails_charges_nothing_and_ends() {
    let broken = stripe("customers", FaultKind::Status).status(500).skip(1);
    let hotel = with(vec![broken]);
    let input = json!({ "guest_email": "olivia.martin@example.com", "amount": 139_996, "payment_method_id": "pm_card_visa" });
    hotel
        .staff("process_guest_checkout", "t1", input.clone())
        .await;
    assert!(
        hotel.run_until_idle(Duration::from_secs(600)).await,
        "{:?}",
        hotel.only().state
    );
    assert_eq!(hotel.only().state, State::Refused);
    assert_sound(&hotel);
    let again = hotel.staff("process_guest_checkout", "t2", input).await;
    assert_eq!(again.status(), 200, "{again:?}");
}
