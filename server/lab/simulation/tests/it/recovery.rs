//! Takeover and resumption: a worker that takes over another one's payment rechecks first and sends
//! second.

use super::injected_bugs::{self, Bug};
use crate::prelude::*;

/// A payment that succeeded but whose response was lost, and a payment system that is down for more
/// than two days.
pub async fn dark_for_days() -> SimulatedHotel {
    let hotel = with(vec![]);
    hotel.fault(stripe(
        "payment_intent_create",
        FaultKind::TimeoutAfterEffect,
    ));
    for operation in ["payment_intent_create", "payment_intent_list"] {
        hotel.fault(stripe(operation, FaultKind::TimeoutBeforeEffect).count(0));
    }
    hotel.check_out("t1").await;
    tokio::time::sleep(Duration::from_secs(50 * 3600)).await;
    assert_eq!(hotel.only().state, State::NeedsAttention);
    hotel
}

async fn resolve(hotel: &SimulatedHotel, resolution: &str) -> ToolAnswer {
    let id = hotel
        .requested_executions()
        .iter()
        .find(|r| r.saga == "process_guest_checkout")
        .map(|r| r.id.to_string());
    let input = json!({ "execution_id": id, "resolution": resolution, "reason": "the payment system is back" });
    hotel.staff("resolve_execution", "r1", input).await
}

/// Charges with the id of one of the executions.
fn charges(hotel: &SimulatedHotel) -> usize {
    hotel
        .ledger()
        .values()
        .filter(|(taken, _, owner)| owner.is_some() && *taken > 0)
        .count()
}

/// End of the check-out, and its charges, after a person retries it; with or without a bug.
fn resumed_after_days(resolution: &str, bug: Option<Bug>) -> (State, usize, Vec<String>) {
    injected_bugs::plant(bug);
    let seen = on_virtual_time(async {
        let hotel = dark_for_days().await;
        hotel.sandbox.clear_faults();
        resolve(&hotel, resolution).await;
        hotel.run_until_idle(DAY).await;
        let record = hotel
            .requested_executions()
            .into_iter()
            .find(|r| r.saga == "process_guest_checkout");
        (
            record.map(|r| r.state).unwrap(),
            charges(&hotel),
            violations(&hotel),
        )
    });
    injected_bugs::plant(None);
    seen
}

#[test]
fn retrying_after_two_days_offline_charges_once() {
    for resolution in ["retry_now", "finish_forward"] {
        let (state, charges, violations) = resumed_after_days(resolution, None);
        assert_eq!((state, charges), (State::Completed, 1), "{resolution}");
        assert_eq!(violations, Vec::<String>::new(), "{resolution}");
    }
}

#[test]
fn a_reset_key_counter_with_a_blind_resume_charges_twice() {
    let (_, charges, _) = resumed_after_days("retry_now", Some(Bug::ForgottenKeyAge));
    assert_eq!(
        charges, 2,
        "the suite must notice when a resumed payment forgets how old its key is"
    );
}

/// A check-out of the next release whose payment succeeded but whose response was lost; then that
/// release is rolled back, no worker has its definition, and two days later it is deployed again:
/// it rechecks first.
#[tokio::test(start_paused = true)]
async fn a_definition_that_came_back_after_two_days_charges_once() {
    let mut hotel = set_up(|s| (s.workers, s.next_from) = (2, 1));
    hotel.fault(stripe(
        "payment_intent_create",
        FaultKind::TimeoutAfterEffect,
    ));
    for operation in ["payment_intent_create", "payment_intent_list"] {
        hotel.fault(stripe(operation, FaultKind::TimeoutBeforeEffect).count(0));
    }
    let (beth, order) = (
        Caller::guest(BETH, Interface::Mcp),
        json!({ "amount": 25000 }),
    );
    hotel
        .call_at(1, &beth, "process_guest_checkout", "t1", order)
        .await;
    hotel.stop_worker(1).await;
    let before = hotel.only();
    tokio::time::sleep(Duration::from_secs(50 * 3600)).await;
    let record = hotel.only();
    assert_eq!(
        (record.version, &record.rows, record.fence),
        (before.version, &before.rows, before.fence),
        "it is left alone"
    );
    assert_eq!(charges(&hotel), 1);
    // Nobody can predict the effect of a retry, so none is offered and no signal is sent.
    let refused = resolve(&hotel, "retry_now").await;
    assert_refused(&refused, ErrorCode::InvalidTransition);
    hotel.sandbox.clear_faults();
    hotel.start_worker(true);
    assert!(hotel.run_until_idle(DAY).await);
    let ended = hotel
        .requested_executions()
        .into_iter()
        .find(|r| r.id == record.id)
        .unwrap();
    assert_eq!(
        (ended.state, charges(&hotel)),
        (State::Completed, 1),
        "{ended:?}"
    );
    assert_sound(&hotel);
}

/// When the first worker leaves a check-out whose payment succeeded.
#[derive(Clone, Copy, Debug)]
enum WorkerLoss {
    /// It crashes before it can journal the payment's outcome.
    BeforeOutcome,
    /// It shuts down gracefully while the write after the payment waits for a retry.
    BeforePivot,
}

/// A check-out that another worker takes over, and whose payment was refunded in the payment
/// system's dashboard before that.
fn refunded_before_takeover(
    gone: WorkerLoss,
    amount: Option<i64>,
    bug: Option<Bug>,
) -> (State, i64, Vec<String>) {
    injected_bugs::plant(bug);
    let seen = on_virtual_time(async {
        let (mut crashes, mut faults) = (vec![], vec![]);
        match gone {
            WorkerLoss::BeforeOutcome => crashes.push(Crash::once(
                CrashPoint::AfterSend,
                "pay",
                Direction::Forward,
            )),
            WorkerLoss::BeforePivot => {
                faults.push(composite(FaultKind::UnableToLockRow).count(2));
            }
        }
        let hotel = SimulatedHotel::new(Setup {
            workers: 2,
            crashes,
            faults,
            ..Setup::default()
        });
        let refunding = async {
            tokio::time::sleep(Duration::from_millis(700)).await;
            let payment = hotel
                .ledger()
                .into_iter()
                .find(|(_, (taken, _, owner))| owner.is_some() && *taken > 0);
            let (payment, _) = payment.unwrap();
            let amount = amount
                .map(|cents| format!("&amount={cents}"))
                .unwrap_or_default();
            let request = HttpRequest {
                method: "POST".to_owned(),
                url: "http://sandbox.test/v1/refunds".to_owned(),
                headers: vec![
                    (
                        "authorization".to_owned(),
                        "Bearer sk_test_sandbox".to_owned(),
                    ),
                    (
                        "content-type".to_owned(),
                        "application/x-www-form-urlencoded".to_owned(),
                    ),
                ],
                body: format!("payment_intent={payment}{amount}").into_bytes(),
            };
            let answer = hotel
                .sandbox
                .send(request, Duration::from_secs(5))
                .await
                .unwrap();
            assert_eq!(answer.status, 200, "{answer:?}");
            if matches!(gone, WorkerLoss::BeforePivot) {
                hotel.stop_worker(0).await;
            }
        };
        let (_, ()) = futures::join!(hotel.check_out("t1"), refunding);
        assert!(hotel.run_until_idle(DAY).await);
        let refunded = hotel
            .ledger()
            .values()
            .filter(|(_, _, o)| o.is_some())
            .map(|(_, back, _)| *back)
            .sum();
        (hotel.only().state, refunded, violations(&hotel))
    });
    injected_bugs::plant(None);
    seen
}

#[test]
fn a_payment_refunded_before_the_takeover_stops_the_check_out() {
    for gone in [WorkerLoss::BeforeOutcome, WorkerLoss::BeforePivot] {
        let (state, refunded, violations) = refunded_before_takeover(gone, None, None);
        assert_eq!((state, refunded), (State::Compensated, 25000), "{gone:?}");
        assert_eq!(violations, Vec::<String>::new(), "{gone:?}");
    }
}

#[test]
fn a_blind_takeover_is_caught() {
    for gone in [WorkerLoss::BeforeOutcome, WorkerLoss::BeforePivot] {
        let (state, refunded, violations) =
            refunded_before_takeover(gone, None, Some(Bug::BlindResume));
        assert!(
            !violations.is_empty(),
            "{gone:?}: {state} with {refunded} refunded went unnoticed"
        );
    }
}
