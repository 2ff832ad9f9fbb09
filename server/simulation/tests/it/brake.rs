//! The pause of check-outs: if the CRM refuses the write after each payment, not every guest must
//! be charged and refunded.

use std::time::Duration;

use dewy_domain::{answer::ToolAnswer, caller::Persona, error_code::ErrorCode};
use dewy_saga::State;
use dewy_sandbox::{Fault, FaultKind, System};

use super::{
    invariants::violations,
    on_virtual_time,
    world::{Setup, World},
};

const DAY: Duration = Duration::from_secs(26 * 3600);

/// Number of check-outs that were charged, refunded or not.
fn charged(world: &World) -> usize {
    world
        .ledger()
        .values()
        .filter(|(taken, _, owner)| owner.is_some() && *taken > 0)
        .count()
}

/// Salesforce refuses each check-out's write with a message.
async fn refusing() -> World {
    let world = World::new(Setup::default());
    world.sandbox.add_fault(
        Fault::new(System::Salesforce, "composite", FaultKind::Status)
            .status(400)
            .skip(0)
            .count(3),
    );
    for token in ["t1", "t2", "t3"] {
        world.check_out(token).await;
        settle(&world).await;
    }
    world.sandbox.add_fault(
        Fault::new(System::Salesforce, "composite", FaultKind::Status)
            .status(400)
            .count(0),
    );
    assert_eq!(charged(&world), 3);
    world
}

/// Waits until everything is at rest, except for rechecks due later.
async fn settle(world: &World) {
    while world.asked().iter().any(|record| !record.state.at_rest()) {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn paused(answer: &ToolAnswer) -> bool {
    answer.error() == Some(ErrorCode::CheckoutPaused)
}

#[test]
fn three_refused_check_outs_pause_the_fourth_before_it_is_charged() {
    on_virtual_time(async {
        let world = refusing().await;
        let fourth = world.check_out("t4").await;
        assert!(paused(&fourth), "{fourth:?}");
        let body = fourth.body(Persona::Guest);
        assert_eq!(
            (
                fourth.status(),
                &body["retry_safe"],
                &body["details"]["charged"]
            ),
            (503, &true.into(), &false.into())
        );
        assert!(
            body["details"]["retry_after_seconds"]
                .as_i64()
                .is_some_and(|seconds| (5..=60).contains(&seconds))
        );
        assert_eq!(charged(&world), 3);
        assert!(
            world.hotels[0]
                .checkout_pause()
                .await
                .unwrap()
                .is_some_and(|pause| pause.failures == 3)
        );
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

#[test]
fn one_probe_at_a_time_goes_through_and_its_success_lifts_the_pause() {
    on_virtual_time(async {
        let world = refusing().await;
        tokio::time::sleep(Duration::from_secs(61)).await;
        let probe = world.check_out("t4").await;
        assert!(
            !paused(&probe),
            "a minute later one is let through: {probe:?}"
        );
        settle(&world).await;
        assert_eq!(charged(&world), 4);
        tokio::time::sleep(Duration::from_secs(61)).await;
        assert!(paused(&world.check_out("t5").await), "the pause doubles");
        world.sandbox.clear_faults();
        tokio::time::sleep(Duration::from_secs(60)).await;
        let done = world.check_out("t5").await;
        assert_eq!(done.status(), 200, "the very same request: {done:?}");
        assert_eq!(world.hotels[0].checkout_pause().await.unwrap(), None);
        assert!(world.rest(DAY).await);
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

#[test]
fn a_manager_lifts_the_pause() {
    on_virtual_time(async {
        let world = refusing().await;
        world.sandbox.clear_faults();
        assert!(paused(&world.check_out("t4").await));
        tokio::time::sleep(Duration::from_secs(1)).await;
        world.hotels[0]
            .lift_checkout_pause("staff:manager@dewy.example")
            .await
            .unwrap();
        assert_eq!(world.check_out("t4").await.status(), 200);
        assert!(world.rest(DAY).await);
        let states: Vec<_> = world.asked().iter().map(|record| record.state).collect();
        assert_eq!(
            states
                .iter()
                .filter(|state| **state == State::Completed)
                .count(),
            1
        );
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}
