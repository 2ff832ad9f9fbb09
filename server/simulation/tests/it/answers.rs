//! Every answer about money, and about whether a request may be repeated, is true.

use std::time::Duration;

use dewy_domain::{answer::ToolAnswer, caller::Persona, error_code::ErrorCode};
use dewy_saga::State;
use dewy_sandbox::{Fault, FaultKind, System};
use dewy_store::memory;
use serde_json::Value;

use super::{
    invariants::violations,
    on_virtual_time,
    world::{Setup, World},
};

const DAY: Duration = Duration::from_secs(26 * 3600);

fn with(faults: Vec<Fault>) -> World {
    World::new(Setup {
        faults,
        ..Setup::default()
    })
}

fn body(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Guest)
}

/// A request reported as retry-safe succeeds when the same request is sent again.
#[test]
fn a_stored_failure_is_not_called_retry_safe() {
    on_virtual_time(async {
        let world = with(vec![
            Fault::new(
                System::Salesforce,
                "composite",
                FaultKind::TimeoutBeforeEffect,
            )
            .count(0),
        ]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        world.sandbox.clear_faults();
        let again = world.check_out("t1").await;
        assert_eq!(again.error(), Some(ErrorCode::CheckoutCompensated));
        assert_eq!(
            body(&again)["retry_safe"],
            false,
            "the token stands for this answer: {again:?}"
        );
        assert_eq!(world.check_out("t2").await.status(), 200);
    });
    on_virtual_time(async {
        let world = with(vec![
            Fault::new(System::Salesforce, "query", FaultKind::TimeoutBeforeEffect).count(3),
        ]);
        let first = world.check_out("t1").await;
        assert_eq!(
            (first.error(), &body(&first)["retry_safe"]),
            (Some(ErrorCode::UpstreamUnavailable), &Value::Bool(true))
        );
        assert_eq!(body(&first)["details"]["charged"], false);
        assert_eq!(
            world.check_out("t1").await.status(),
            200,
            "the very same request is done"
        );
    });
}

/// A payment whose key returns 500 and that can't be found may still appear: no answer claims that
/// nothing was charged.
#[test]
fn a_payment_that_cannot_be_found_is_not_called_uncharged() {
    on_virtual_time(async {
        let broken = Fault::new(
            System::Stripe,
            "payment_intent_create",
            FaultKind::LateEffect,
        )
        .ms(120_000);
        let world = with(vec![broken]);
        for _ in 0..2 {
            world.sandbox.add_fault(
                Fault::new(System::Stripe, "payment_intent_create", FaultKind::Status).status(500),
            );
        }
        world.check_out("t1").await;
        let refused = async {
            while !world.only().state.at_rest() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            world.only()
        }
        .await;
        if refused.state == State::Refused {
            let told = world.check_out("t1").await;
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
        assert!(world.rest(DAY).await);
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

/// The store fails right after the charge: no interface claims anything about the money.
#[test]
fn without_the_store_nothing_is_claimed_about_money() {
    on_virtual_time(async {
        let world = with(vec![]);
        let asking = world.check_out("t1");
        let meanwhile = async {
            while !world
                .ledger()
                .values()
                .any(|(taken, _, owner)| owner.is_some() && *taken > 0)
            {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            world.journal.hooks(|hooks| {
                (1..2000).for_each(|n| hooks.fail(memory::Op::Read, n, memory::Fault::Full))
            });
            let mut told = vec![
                world
                    .beth(
                        "get_execution",
                        None,
                        serde_json::json!({ "idempotency_token": "t1" }),
                    )
                    .await,
            ];
            told.push(world.beth("get_folio", None, serde_json::json!({})).await);
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
    });
}
