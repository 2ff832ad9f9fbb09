//! Refunds, by people and by the scheduled job.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_refused_refund_reverts_nothing_and_can_be_retried_by_staff() {
    let hotel = with(vec![
        composite(FaultKind::TimeoutBeforeEffect).count(0),
        refund(FaultKind::Status).status(400).count(0),
    ]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    let record = check_out_of(&hotel);
    assert_eq!(record.state, State::NeedsAttention);
    let lines = hotel.records("Payment_Transaction__c").len();
    // The booking stays claimed until a person decides.
    let held = hotel.check_out("t2").await;
    assert_refused(&held, ErrorCode::OperationInProgress);
    hotel.sandbox.clear_faults();
    let id = record.id.to_string();
    let solve = json!({ "execution_id": id, "resolution": "retry_now", "reason": "the bank has lifted its block" });
    let answer = hotel.resolve("r1", solve.clone()).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_eq!(data(&answer)["state"], "compensated");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Compensated);
    let keys: Vec<_> = hotel
        .sandbox
        .calls()
        .into_iter()
        .filter(|c| c.operation == "refund_create")
        .filter_map(|c| c.idempotency_key)
        .collect();
    assert!(
        keys.last().is_some_and(|k| k.ends_with(":2")),
        "a refused key is left behind: {keys:?}"
    );
    assert_eq!(
        hotel.records("Payment_Transaction__c").len(),
        lines + 2,
        "the pair of lines"
    );
    let rows = hotel.compensations().await;
    assert_eq!(rows.len(), 1);
    assert_eq!(
        rows[0].body["triggers"],
        json!(["saga", "staff:frontdesk@dewy.example"])
    );
    let again = hotel.resolve("r2", solve).await;
    assert_refused(&again, ErrorCode::InvalidTransition);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn what_needs_a_person_can_be_finished_or_marked_solved() {
    for resolution in ["finish_forward", "mark_solved"] {
        let hotel = with(vec![
            composite(FaultKind::TimeoutBeforeEffect).count(0),
            refund(FaultKind::Status).status(400).count(0),
        ]);
        hotel.check_out("t1").await;
        assert!(hotel.run_until_idle(DAY).await);
        hotel.sandbox.clear_faults();
        let id = check_out_of(&hotel).id.to_string();
        let input = json!({ "execution_id": id, "resolution": resolution, "reason": "agreed with the guest" });
        let answer = hotel.resolve("r1", input).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        assert!(hotel.run_until_idle(DAY).await);
        let booking = hotel.booking("BK-0042");
        if resolution == "finish_forward" {
            assert_eq!(check_out_of(&hotel).state, State::Completed);
            assert_eq!(booking["Status__c"], "Checked Out");
            assert_eq!(refunds(&hotel), 0);
            // Nothing is at stake any more
            let record = &hotel.compensations().await[0];
            assert_eq!(record.body["status"], "solved");
            assert_sound(&hotel);
        } else {
            assert!(
                check_out_of(&hotel).state.has_ended()
                    && check_out_of(&hotel).state != State::NeedsAttention
            );
            assert_eq!(booking["Status__c"], "Checked In");
            let record = &hotel.compensations().await[0];
            assert_eq!(record.body["status"], "solved");
            // The booking is free again.
            let next = hotel.check_out("t2").await;
            assert_eq!(next.status(), 200, "{next:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn three_triggers_on_one_payment_are_one_refund_and_one_record() {
    let hotel = set_up(|s| {
        (s.workers, s.faults) = (
            2,
            vec![
                composite(FaultKind::TimeoutBeforeEffect).count(0),
                refund(FaultKind::Slow).ms(9_000).count(1),
            ],
        )
    });
    let asking = hotel.check_out("t1");
    let others = async {
        // The saga is compensating by now, and its refund is in flight.
        let pi = loop {
            tokio::time::sleep(Duration::from_millis(200)).await;
            if let Some(record) = of(&hotel, "process_guest_checkout").first()
                && record.state == State::Compensating
            {
                break label(record, "payment_intent_id").unwrap();
            }
        };
        tokio::time::sleep(Duration::from_secs(1)).await;
        let input =
            json!({ "payment_intent_id": pi, "guest_email": BETH, "reason": "the guest is here" });
        let sweep = async {
            let signal = Signal {
                key: "sweep".into(),
                action: SignalAction::Compensate,
                by: "sweep".into(),
                why: "found".into(),
            };
            let id = check_out_of(&hotel).id;
            hotel
                .journal
                .signal(id, &signal, hotel.clock.now())
                .await
                .unwrap()
        };
        futures::join!(hotel.request_refund("s1", input), sweep)
    };
    let (_, (staff, _)) = futures::join!(asking, others);
    assert!(staff.status() == 200 || staff.status() == 202, "{staff:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(refunds(&hotel), 1);
    let rows = hotel.compensations().await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    let triggers: Vec<String> = serde_json::from_value(rows[0].body["triggers"].clone()).unwrap();
    for by in ["saga", "staff:frontdesk@dewy.example", "sweep"] {
        assert!(triggers.iter().any(|t| t == by), "{triggers:?}");
    }
    let pi = rows[0].key.clone();
    let input = json!({ "payment_intent_id": pi, "guest_email": BETH, "reason": "again" });
    let later = hotel.request_refund("s2", input).await;
    assert_eq!(
        later.status(),
        200,
        "already compensated is the first result: {later:?}"
    );
    assert_eq!(refunds(&hotel), 1);
    assert_sound(&hotel);
}

#[tokio::test(start_paused = true)]
async fn the_orphan_check_refunds_orphaned_payments_once() {
    let hotel = with(vec![]);
    let owed = hotel.balance_of(&hotel.booking("BK-0042"));
    let lost = orphan(&hotel, 25000).await;
    let young = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (young.found, young.fixed),
        (0, 0),
        "within the grace: {young:?}"
    );
    tokio::time::sleep(Duration::from_secs(700)).await;
    let foreign = paid_elsewhere(&hotel, 9900, &[("order", "spa-17")]).await;
    tokio::time::sleep(Duration::from_secs(700)).await;
    let first = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (first.found, first.fixed, first.flagged, first.foreign),
        (1, 1, 0, 1),
        "{first:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(
        (
            given_back(&hotel, lost.id.as_str()),
            given_back(&hotel, foreign.id.as_str())
        ),
        (25000, 0)
    );
    let booking = hotel.booking("BK-0042");
    assert_eq!(booking["Status__c"], "Checked In");
    assert_eq!(hotel.balance_of(&booking), owed, "the pair of lines");
    let before = (hotel.journal.snapshot().len(), refunds(&hotel));
    let second = hotel.processes[0].check_orphan_payments().await;
    assert_eq!((second.fixed, second.flagged), (0, 0), "{second:?}");
    assert_eq!((hotel.journal.snapshot().len(), refunds(&hotel)), before);
    assert_eq!(second.foreign, 1, "counted once: {second:?}");
    // Another program's payment is never refunded, whoever requests it.
    let input = json!({ "payment_intent_id": foreign.id, "guest_email": BETH, "reason": "please" });
    let answer = hotel.staff("compensate_checkout_failure", "f", input).await;
    assert_refused(&answer, ErrorCode::PaymentNotRefundable);
    assert_eq!(given_back(&hotel, foreign.id.as_str()), 0);
}

#[tokio::test(start_paused = true)]
async fn an_orphan_over_the_limit_waits_for_a_manager() {
    let hotel = with(vec![]);
    let lost = orphan(&hotel, 500_000).await;
    tokio::time::sleep(Duration::from_secs(700)).await;
    let found = hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        (found.found, found.fixed, found.flagged),
        (1, 0, 1),
        "{found:?}"
    );
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(given_back(&hotel, lost.id.as_str()), 0);
    let id = of(&hotel, "compensate_checkout_failure")[0].id;
    let input = json!({ "execution_id": id, "resolution": "finish_forward", "reason": "checked with the guest" });
    let desk = hotel.resolve("d", input.clone()).await;
    assert_refused(&desk, ErrorCode::OverRefundLimit);
    let manager = hotel.staff("resolve_execution", "m", input).await;
    assert_eq!(manager.status(), 200, "{manager:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(given_back(&hotel, lost.id.as_str()), 500_000);
}

#[tokio::test(start_paused = true)]
async fn salesforce_is_not_called_before_the_refund() {
    let hotel = with(vec![]);
    let lost = orphan(&hotel, 25000).await;
    let input =
        json!({ "payment_intent_id": lost.id, "guest_email": BETH, "reason": "she was charged" });
    let answer = hotel.request_refund("a", input.clone()).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    let calls = hotel.sandbox.calls();
    let first = calls
        .iter()
        .position(|c| c.system == System::Salesforce)
        .unwrap();
    let refunded = calls
        .iter()
        .position(|c| c.operation == "refund_create")
        .unwrap();
    assert!(refunded < first, "{calls:?}");
    let again = hotel.request_refund("b", input).await;
    assert_eq!(again.status(), 200, "the first result: {again:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(refunds(&hotel), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refund_that_comes_back_days_later_reopens_the_record() {
    let hotel = for_days(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    hotel.sandbox.clear_faults();
    tokio::time::sleep(Duration::from_secs(5 * 24 * 3600)).await;
    let record = check_out_of(&hotel);
    assert_eq!(record.state, State::Compensated);
    let id = text_of(&hotel.sandbox.stripe_state()["refunds"][0]["id"]);
    hotel.sandbox.turn_refund(&id, "failed").unwrap();
    // The webhook never arrived; the sweep finds it.
    hotel.processes[0].check_orphan_payments().await;
    assert!(hotel.run_until_idle(DAY).await);
    let after = check_out_of(&hotel);
    assert!(
        after
            .rows
            .iter()
            .any(|r| matches!(r.event, dewy_saga::Event::Reopened { .. })),
        "{:?}",
        after.state
    );
    assert_eq!(refunds(&hotel), 2, "made again");
    assert_sound(&hotel);
}

/// Whatever is reported about a completed check-out, its payment stays; and what a person has
/// settled by hand stays settled.
#[test]
fn a_recheck_undoes_nothing_completed_or_settled() {
    on_virtual_time(async {
        let hotel = with(vec![]);
        hotel.check_out("t1").await;
        let id = check_out_of(&hotel).id;
        for action in [
            SignalAction::Recheck,
            SignalAction::Compensate,
            SignalAction::RetryNow,
        ] {
            let signal = Signal {
                key: action.name().into(),
                action,
                by: "webhook".into(),
                why: "refund.failed".into(),
            };
            assert!(
                hotel
                    .journal
                    .signal(id, &signal, hotel.clock.now())
                    .await
                    .unwrap()
            );
        }
        hotel.journal.wake(id, Duration::ZERO).await.unwrap();
        assert!(hotel.run_until_idle(DAY).await);
        assert_eq!(
            (check_out_of(&hotel).state, refunds(&hotel)),
            (State::Completed, 0)
        );
        assert_sound(&hotel);
    });
    on_virtual_time(async {
        let hotel = with(vec![
            composite(FaultKind::TimeoutBeforeEffect).count(0),
            refund(FaultKind::Status).status(400).count(0),
        ]);
        hotel.check_out("t1").await;
        assert!(hotel.run_until_idle(DAY).await);
        hotel.sandbox.clear_faults();
        let id = check_out_of(&hotel).id;
        let input = json!({ "execution_id": id, "resolution": "mark_solved", "reason": "paid back in cash" });
        assert_eq!(hotel.resolve("r1", input).await.status(), 200);
        for _ in 0..2 {
            hotel.processes[0].check_orphan_payments().await;
            assert!(hotel.run_until_idle(DAY).await);
        }
        assert_eq!(refunds(&hotel), 0, "it was paid back by hand");
    });
}

/// An orphan's refund fails days later, and the front desk repeats it: Stripe would repeat its
/// first answer to the first refund's key, so the second refund needs the next one.
#[tokio::test(start_paused = true)]
async fn an_orphans_failed_refund_is_repeated_with_the_next_key() {
    let hotel = with(vec![]);
    let payment = orphan_of(&hotel, 25000, "pm_card_refundFail").await.id;
    tokio::time::sleep(Duration::from_secs(700)).await;
    hotel.processes[0].check_orphan_payments().await;
    assert!(hotel.run_until_idle(DAY).await);
    tokio::time::sleep(Duration::from_secs(60)).await;
    hotel.processes[0].check_orphan_payments().await;
    assert_eq!(
        given_back(&hotel, payment.as_str()),
        0,
        "the refund came back"
    );
    let input = json!({ "payment_intent_id": payment, "guest_email": BETH });
    let answer = hotel.request_refund("again", input).await;
    let keys: Vec<_> = hotel
        .sandbox
        .calls()
        .into_iter()
        .filter(|c| c.operation == "refund_create" && c.effect == "applied")
        .filter_map(|c| c.idempotency_key)
        .collect();
    assert_eq!(keys.len(), 2, "{keys:?}: {answer:?}");
    assert!(keys[1].ends_with(":2"), "{keys:?}");
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_eq!(refunds(&hotel), 2);
}
