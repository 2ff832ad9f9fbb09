//! Refunds, by people and by the scheduled job.

use super::*;

#[test]
fn completed_check_outs_and_other_guests_payments_are_never_refunded() {
    on_virtual_time(async {
        let world = with(vec![]);
        let done = world.check_out("t1").await;
        let pi = data(&done)["payment_intent_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let ask = async |token: &str, pi: &str, email: &str| {
            call_as_front_desk(
                &world,
                "compensate_checkout_failure",
                token,
                json!({ "payment_intent_id": pi, "guest_email": email }),
            )
            .await
        };
        let completed = ask("a", &pi, BETH).await;
        assert_eq!(
            (code(&completed), completed.status()),
            (Some(ErrorCode::CheckoutCompleted), 409),
            "{completed:?}"
        );
        let other = ask("b", &pi, SARAH).await;
        assert_eq!(
            (code(&other), other.status()),
            (Some(ErrorCode::PaymentGuestMismatch), 409),
            "{other:?}"
        );
        let unknown = ask("c", "pi_unknown", BETH).await;
        assert_eq!(
            (code(&unknown), unknown.status()),
            (Some(ErrorCode::PaymentNotFound), 404),
            "{unknown:?}"
        );
        let guest = Caller::guest(BETH, Interface::Mcp);
        let hidden = world
            .call(&guest, "compensate_checkout_failure", Some("d"), json!({}))
            .await;
        assert_eq!(code(&hidden), Some(ErrorCode::UnknownTool));
        assert!(world.rest(DAY).await);
        assert_eq!(refunds(&world), 0);
        assert_sound(&world);
    });
}

#[test]
fn a_refused_refund_reverts_nothing_and_can_be_retried_by_staff() {
    on_virtual_time(async {
        let world = with(vec![
            composite(FaultKind::TimeoutBeforeEffect).count(0),
            refund(FaultKind::Status).status(400).count(0),
        ]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        let record = check_out_of(&world);
        assert_eq!(record.state, State::NeedsAttention);
        let lines = world.records("Payment_Transaction__c").len();
        // The booking stays claimed until a person decides.
        let held = world.check_out("t2").await;
        assert_eq!(
            code(&held),
            Some(ErrorCode::OperationInProgress),
            "{held:?}"
        );
        world.sandbox.clear_faults();
        let id = record.id.to_string();
        let solve = json!({ "execution_id": id, "resolution": "retry_now", "reason": "the bank has lifted its block" });
        let answer = call_as_front_desk(&world, "resolve_execution", "r1", solve.clone()).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        assert_eq!(data(&answer)["state"], "compensated");
        assert!(world.rest(DAY).await);
        assert_eq!(check_out_of(&world).state, State::Compensated);
        let keys: Vec<_> = world
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
            world.records("Payment_Transaction__c").len(),
            lines + 2,
            "the pair of lines"
        );
        let rows = world
            .journal
            .projections("compensation", None, 10)
            .await
            .unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(
            rows[0].body["triggers"],
            json!(["saga", "staff:frontdesk@dewy.example"])
        );
        let again = call_as_front_desk(&world, "resolve_execution", "r2", solve).await;
        assert_eq!(
            (code(&again), again.status()),
            (Some(ErrorCode::InvalidTransition), 409),
            "{again:?}"
        );
        assert_sound(&world);
    });
}

#[test]
fn what_needs_a_person_can_be_finished_or_marked_solved() {
    for resolution in ["finish_forward", "mark_solved"] {
        on_virtual_time(async {
            let world = with(vec![
                composite(FaultKind::TimeoutBeforeEffect).count(0),
                refund(FaultKind::Status).status(400).count(0),
            ]);
            world.check_out("t1").await;
            assert!(world.rest(DAY).await);
            world.sandbox.clear_faults();
            let id = check_out_of(&world).id.to_string();
            let input = json!({ "execution_id": id, "resolution": resolution, "reason": "agreed with the guest" });
            let answer = call_as_front_desk(&world, "resolve_execution", "r1", input).await;
            assert_eq!(answer.status(), 200, "{answer:?}");
            assert!(world.rest(DAY).await);
            let booking = world.row("Booking__c", "Name", "BK-0042");
            if resolution == "finish_forward" {
                assert_eq!(check_out_of(&world).state, State::Completed);
                assert_eq!(booking["Status__c"], "Checked Out");
                assert_eq!(refunds(&world), 0);
                assert_sound(&world);
            } else {
                assert!(
                    check_out_of(&world).state.has_ended()
                        && check_out_of(&world).state != State::NeedsAttention
                );
                assert_eq!(booking["Status__c"], "Checked In");
                let record = &world
                    .journal
                    .projections("compensation", None, 10)
                    .await
                    .unwrap()[0];
                assert_eq!(record.body["status"], "solved");
                // The booking is free again.
                let next = world.check_out("t2").await;
                assert_eq!(next.status(), 200, "{next:?}");
            }
        });
    }
}

#[test]
fn three_triggers_on_one_payment_are_one_refund_and_one_record() {
    on_virtual_time(async {
        let world = SimulatedHotel::new(Setup {
            workers: 2,
            faults: vec![
                composite(FaultKind::TimeoutBeforeEffect).count(0),
                refund(FaultKind::Slow).ms(9_000).count(1),
            ],
            ..Setup::default()
        });
        let asking = world.check_out("t1");
        let others = async {
            // The saga is compensating by now, and its refund is in flight.
            let pi = loop {
                tokio::time::sleep(Duration::from_millis(200)).await;
                if let Some(record) = of(&world, "process_guest_checkout").first()
                    && record.state == State::Compensating
                {
                    break record
                        .labels
                        .iter()
                        .find(|(n, _)| n == "payment_intent_id")
                        .unwrap()
                        .1
                        .clone();
                }
            };
            tokio::time::sleep(Duration::from_secs(1)).await;
            let input = json!({ "payment_intent_id": pi, "guest_email": BETH, "reason": "the guest is here" });
            let sweep = async {
                let signal = Signal {
                    key: "sweep".into(),
                    ask: SignalAction::Compensate,
                    by: "sweep".into(),
                    why: "found".into(),
                };
                let id = check_out_of(&world).id;
                world
                    .journal
                    .signal(id, &signal, world.clock.now())
                    .await
                    .unwrap()
            };
            futures::join!(
                call_as_front_desk(&world, "compensate_checkout_failure", "s1", input),
                sweep
            )
        };
        let (_, (staff, _)) = futures::join!(asking, others);
        assert!(staff.status() == 200 || staff.status() == 202, "{staff:?}");
        assert!(world.rest(DAY).await);
        assert_eq!(refunds(&world), 1);
        let rows = world
            .journal
            .projections("compensation", None, 10)
            .await
            .unwrap();
        assert_eq!(rows.len(), 1, "{rows:?}");
        let triggers: Vec<String> =
            serde_json::from_value(rows[0].body["triggers"].clone()).unwrap();
        for by in ["saga", "staff:frontdesk@dewy.example", "sweep"] {
            assert!(triggers.iter().any(|t| t == by), "{triggers:?}");
        }
        let pi = rows[0].key.clone();
        let input = json!({ "payment_intent_id": pi, "guest_email": BETH, "reason": "again" });
        let later = call_as_front_desk(&world, "compensate_checkout_failure", "s2", input).await;
        assert_eq!(
            later.status(),
            200,
            "already compensated is the first result: {later:?}"
        );
        assert_eq!(refunds(&world), 1);
        assert_sound(&world);
    });
}

#[test]
fn the_orphan_check_refunds_orphaned_payments_once() {
    on_virtual_time(async {
        let world = with(vec![]);
        let owed = world.sandbox_ledger().balance(
            world.row("Booking__c", "Name", "BK-0042")["Opportunity__c"]
                .as_str()
                .unwrap(),
        );
        let lost = orphan(&world, 25000).await;
        let young = world.hotels[0].sweep().await;
        assert_eq!(
            (young.found, young.fixed),
            (0, 0),
            "within the grace: {young:?}"
        );
        tokio::time::sleep(Duration::from_secs(700)).await;
        let foreign = paid_elsewhere(&world, 9900, &[("order", "spa-17")]).await;
        tokio::time::sleep(Duration::from_secs(700)).await;
        let first = world.hotels[0].sweep().await;
        assert_eq!(
            (first.found, first.fixed, first.flagged, first.foreign),
            (1, 1, 0, 1),
            "{first:?}"
        );
        assert!(world.rest(DAY).await);
        assert_eq!(
            (
                given_back(&world, &lost.id),
                given_back(&world, &foreign.id)
            ),
            (25000, 0)
        );
        let booking = world.row("Booking__c", "Name", "BK-0042");
        assert_eq!(booking["Status__c"], "Checked In");
        assert_eq!(
            world
                .sandbox_ledger()
                .balance(booking["Opportunity__c"].as_str().unwrap()),
            owed,
            "the pair of lines"
        );
        let before = (world.journal.snapshot().len(), refunds(&world));
        let second = world.hotels[0].sweep().await;
        assert_eq!((second.fixed, second.flagged), (0, 0), "{second:?}");
        assert_eq!((world.journal.snapshot().len(), refunds(&world)), before);
        assert_eq!(second.foreign, 1, "counted once: {second:?}");
        // Another program's payment is never refunded, whoever requests it.
        let input =
            json!({ "payment_intent_id": foreign.id, "guest_email": BETH, "reason": "please" });
        let answer = world
            .staff("compensate_checkout_failure", Some("f"), input)
            .await;
        assert_eq!(
            code(&answer),
            Some(ErrorCode::PaymentNotRefundable),
            "{answer:?}"
        );
        assert_eq!(given_back(&world, &foreign.id), 0);
    });
}

#[test]
fn an_orphan_over_the_limit_waits_for_a_manager() {
    on_virtual_time(async {
        let world = with(vec![]);
        let lost = orphan(&world, 500_000).await;
        tokio::time::sleep(Duration::from_secs(700)).await;
        let found = world.hotels[0].sweep().await;
        assert_eq!(
            (found.found, found.fixed, found.flagged),
            (1, 0, 1),
            "{found:?}"
        );
        assert!(world.rest(DAY).await);
        assert_eq!(given_back(&world, &lost.id), 0);
        let id = of(&world, "compensate_checkout_failure")[0].id;
        let input = json!({ "execution_id": id, "resolution": "finish_forward", "reason": "checked with the guest" });
        let desk = call_as_front_desk(&world, "resolve_execution", "d", input.clone()).await;
        assert_eq!(
            (code(&desk), desk.status()),
            (Some(ErrorCode::OverRefundLimit), 403),
            "{desk:?}"
        );
        let manager = world.staff("resolve_execution", Some("m"), input).await;
        assert_eq!(manager.status(), 200, "{manager:?}");
        assert!(world.rest(DAY).await);
        assert_eq!(given_back(&world, &lost.id), 500_000);
    });
}

#[test]
fn salesforce_is_not_called_before_the_refund() {
    on_virtual_time(async {
        let world = with(vec![]);
        let lost = orphan(&world, 25000).await;
        let input = json!({ "payment_intent_id": lost.id, "guest_email": BETH, "reason": "she was charged" });
        let answer =
            call_as_front_desk(&world, "compensate_checkout_failure", "a", input.clone()).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        let calls = world.sandbox.calls();
        let first = calls
            .iter()
            .position(|c| c.system == System::Salesforce)
            .unwrap();
        let refunded = calls
            .iter()
            .position(|c| c.operation == "refund_create")
            .unwrap();
        assert!(refunded < first, "{calls:?}");
        let again = call_as_front_desk(&world, "compensate_checkout_failure", "b", input).await;
        assert_eq!(again.status(), 200, "the first result: {again:?}");
        assert!(world.rest(DAY).await);
        assert_eq!(refunds(&world), 1);
    });
}

#[test]
fn a_refund_that_comes_back_days_later_reopens_the_record() {
    on_virtual_time(async {
        let world = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        world.sandbox.clear_faults();
        tokio::time::sleep(Duration::from_secs(5 * 24 * 3600)).await;
        let record = check_out_of(&world);
        assert_eq!(record.state, State::Compensated);
        let id = world.sandbox.stripe_state()["refunds"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        world.sandbox.turn_refund(&id, "failed").unwrap();
        // The webhook never arrived; the sweep finds it.
        world.hotels[0].sweep().await;
        assert!(world.rest(DAY).await);
        let after = check_out_of(&world);
        assert!(
            after
                .rows
                .iter()
                .any(|r| matches!(r.event, dewy_saga::Event::Reopened { .. })),
            "{:?}",
            after.state
        );
        assert_eq!(refunds(&world), 2, "made again");
        assert_sound(&world);
    });
}

/// Whatever is reported about a completed check-out, its payment stays; and what a person has
/// settled by hand stays settled.
#[test]
fn a_recheck_undoes_nothing_completed_or_settled() {
    on_virtual_time(async {
        let world = with(vec![]);
        world.check_out("t1").await;
        let id = check_out_of(&world).id;
        for ask in [
            SignalAction::Recheck,
            SignalAction::Compensate,
            SignalAction::RetryNow,
        ] {
            let signal = Signal {
                key: ask.name().into(),
                ask,
                by: "webhook".into(),
                why: "refund.failed".into(),
            };
            assert!(
                world
                    .journal
                    .signal(id, &signal, world.clock.now())
                    .await
                    .unwrap()
            );
        }
        world.journal.wake(id, Duration::ZERO).await.unwrap();
        assert!(world.rest(DAY).await);
        assert_eq!(
            (check_out_of(&world).state, refunds(&world)),
            (State::Completed, 0)
        );
        assert_sound(&world);
    });
    on_virtual_time(async {
        let world = with(vec![
            composite(FaultKind::TimeoutBeforeEffect).count(0),
            refund(FaultKind::Status).status(400).count(0),
        ]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        world.sandbox.clear_faults();
        let id = check_out_of(&world).id;
        let input = json!({ "execution_id": id, "resolution": "mark_solved", "reason": "paid back in cash" });
        assert_eq!(
            call_as_front_desk(&world, "resolve_execution", "r1", input)
                .await
                .status(),
            200
        );
        for _ in 0..2 {
            world.hotels[0].sweep().await;
            assert!(world.rest(DAY).await);
        }
        assert_eq!(refunds(&world), 0, "it was paid back by hand");
    });
}

/// An orphan's refund fails days later, and the desk asks for it again: Stripe would repeat its
/// first answer to the first refund's key, so the second refund needs the next one.
#[test]
fn an_orphans_failed_refund_is_repeated_with_the_next_key() {
    on_virtual_time(async {
        let world = with(vec![]);
        let payment = orphan_of(&world, 25000, "pm_card_refundFail").await.id;
        tokio::time::sleep(Duration::from_secs(700)).await;
        world.hotels[0].sweep().await;
        assert!(world.rest(DAY).await);
        tokio::time::sleep(Duration::from_secs(60)).await;
        world.hotels[0].sweep().await;
        assert_eq!(given_back(&world, &payment), 0, "the refund came back");
        let input = json!({ "payment_intent_id": payment, "guest_email": BETH });
        let answer =
            call_as_front_desk(&world, "compensate_checkout_failure", "again", input).await;
        let keys: Vec<_> = world
            .sandbox
            .calls()
            .into_iter()
            .filter(|c| c.operation == "refund_create" && c.effect == "applied")
            .filter_map(|c| c.idempotency_key)
            .collect();
        assert_eq!(keys.len(), 2, "{keys:?}: {answer:?}");
        assert!(keys[1].ends_with(":2"), "{keys:?}");
        assert_eq!(answer.status(), 200, "{answer:?}");
        assert_eq!(refunds(&world), 2);
    });
}
