//! Every answer about money, and about whether a request may be repeated, is true.

use dewy_test_kit::memory;

use crate::prelude::*;

fn body(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Guest)
}

/// A request reported as retry-safe succeeds when the same request is sent again.
#[test]
fn a_stored_failure_is_not_retry_safe() {
    on_virtual_time(async {
        let hotel = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
        hotel.check_out("t1").await;
        assert!(hotel.run_until_idle(DAY).await);
        hotel.sandbox.clear_faults();
        let again = hotel.check_out("t1").await;
        assert_refused(&again, ErrorCode::CheckoutCompensated);
        assert_eq!(
            body(&again)["retry_safe"],
            false,
            "the token stands for this answer: {again:?}"
        );
        assert_eq!(hotel.check_out("t2").await.status(), 200);
    });
    on_virtual_time(async {
        let hotel = with(vec![
            salesforce("query", FaultKind::TimeoutBeforeEffect).count(3),
        ]);
        let first = hotel.check_out("t1").await;
        assert_eq!(
            (first.error(), &body(&first)["retry_safe"]),
            (Some(ErrorCode::UpstreamUnavailable), &Value::Bool(true))
        );
        assert_eq!(body(&first)["details"]["charged"], false);
        assert_eq!(
            hotel.check_out("t1").await.status(),
            200,
            "the very same request is done"
        );
    });
}

/// A payment whose key returns 500 and that can't be found may still appear: no answer claims that
/// nothing was charged.
#[tokio::test(start_paused = true)]
async fn a_missing_payment_is_not_reported_as_uncharged() {
    let broken = stripe("payment_intent_create", FaultKind::LateEffect).ms(120_000);
    let hotel = with(vec![broken]);
    for _ in 0..2 {
        hotel.fault(stripe("payment_intent_create", FaultKind::Status).status(500));
    }
    hotel.check_out("t1").await;
    let refused = async {
        while !hotel.only().state.has_ended() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        hotel.only()
    }
    .await;
    if refused.state == State::Refused {
        let told = hotel.check_out("t1").await;
        assert_eq!(body(&told)["retry_safe"], false);
        assert!(body(&told)["details"].get("charged").is_none(), "{told:?}");
        assert!(
            !body(&told)["error_message"]
                .as_str()
                .unwrap()
                .contains("charged"),
            "{told:?}"
        );
    }
    hotel.ends_sound().await;
}

/// The store fails right after the charge: no interface claims anything about the money.
#[tokio::test(start_paused = true)]
async fn without_the_store_answers_make_no_claim_about_money() {
    let hotel = with(vec![]);
    let asking = hotel.check_out("t1");
    let meanwhile = async {
        while !hotel
            .ledger()
            .values()
            .any(|(taken, _, owner)| owner.is_some() && *taken > 0)
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        hotel.journal.hooks(|hooks| {
            (1..2000).for_each(|n| hooks.fail(memory::Op::Read, n, memory::Fault::Full))
        });
        let mut told = vec![
            hotel
                .beth(
                    "get_execution",
                    None,
                    serde_json::json!({ "idempotency_token": "t1" }),
                )
                .await,
        ];
        told.push(hotel.beth("get_folio", None, serde_json::json!({})).await);
        for answer in told {
            assert!(
                !answer
                    .body(Persona::Guest)
                    .to_string()
                    .contains("not charged"),
                "{answer:?}"
            );
        }
    };
    let _ = futures::join!(asking, meanwhile);
}

/// A token stands for one request, also while all workers are busy or the process stops.
#[tokio::test(start_paused = true)]
async fn an_overloaded_hotel_never_mixes_up_results() {
    let hotel = set_up(|s| s.slots = 1);
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    let slow = salesforce("query", FaultKind::Slow);
    hotel.fault(slow.ms(4_500).count(0));
    let room = json!({ "room_number": "101", "status": "Cleaning" });
    let occupied = hotel.staff("set_room_status", "s1", room);
    let others = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let new = hotel.check_out("t2").await;
        assert_refused(&new, ErrorCode::Overloaded);
        let same = hotel.check_out("t1").await;
        assert_eq!(same.status(), 200, "{same:?}");
        assert_eq!(body(&same)["replayed"], true);
        let amount = json!({ "amount": 100 });
        let input = json!({ "type": "Housekeeping", "description": "Towels" });
        for (tool, input) in [
            ("process_guest_checkout", amount),
            ("submit_guest_service_request", input),
        ] {
            let other = hotel.beth(tool, "t1", input).await;
            assert_refused(&other, ErrorCode::IdempotencyMismatch);
        }
    };
    futures::join!(occupied, others);
}

/// Another execution of the same stay has charged the guest and cannot finish: a second request
/// is not told that nothing was charged.
#[tokio::test(start_paused = true)]
async fn not_charged_is_never_claimed_while_another_execution_holds_the_payment() {
    // Salesforce is down for everybody, or refuses only the write while payments are paused.
    for down in [true, false] {
        let refuse = |count| composite(FaultKind::Status).status(400).count(count);
        let hotel = with(if down { vec![] } else { vec![refuse(3)] });
        if !down {
            for token in ["a", "b", "c"] {
                hotel.check_out(token).await;
                assert!(hotel.run_until_idle(DAY).await);
            }
            tokio::time::sleep(Duration::from_secs(61)).await;
        }
        hotel.fault(composite(FaultKind::TimeoutBeforeEffect).count(0));
        let first = hotel.check_out("t1");
        let second = async {
            let held = || {
                let ledger = hotel.ledger();
                ledger
                    .values()
                    .any(|(taken, back, owner)| owner.is_some() && taken > back)
            };
            while !held() {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            if down {
                hotel.fault(salesforce("query", FaultKind::Status).status(503).count(0));
            }
            let answer = hotel.check_out("t2").await;
            assert!(held(), "it took too long to be told");
            assert_refused(&answer, ErrorCode::OperationInProgress);
            let told = body(&answer).to_string();
            assert!(!told.contains("\"charged\":false"), "{told}");
        };
        futures::join!(first, second);
    }
}

/// The store takes a request and loses its answer, then is busy: nobody may be told that the
/// request was not taken.
#[tokio::test(start_paused = true)]
async fn a_possibly_stored_request_is_not_reported_as_refused() {
    let hotel = with(vec![]);
    hotel.journal.hooks(|hooks| {
        hooks.fail(memory::Op::Begin, 1, memory::Fault::LostApplied);
        for nth in 2..=6 {
            hooks.fail(memory::Op::Begin, nth, memory::Fault::Busy);
        }
    });
    let answer = hotel.check_out("t1").await;
    assert_refused(&answer, ErrorCode::Internal);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(hotel.only().state, State::Completed);
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert_sound(&hotel);
}
