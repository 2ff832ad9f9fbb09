//! Time until another worker takes over from a dead one, with the default settings.

use dewy_saga::Row;

use crate::prelude::*;

/// Maximum time without a worker after a worker died.
const LIMIT: Duration = Duration::from_secs(12);

/// Longest pause between two rows of a journal when the later one is by the next worker; `None`
/// without a takeover. An execution at rest that is taken for a recheck doesn't count.
fn longest_gap(record: &ExecutionRecord) -> Option<Duration> {
    let rests = |row: &Row| matches!(row.event, Event::Ended { .. } | Event::Watched { .. });
    let taken_over = record
        .rows
        .windows(2)
        .filter(|pair| pair[0].fence < pair[1].fence && !rests(&pair[0]));
    taken_over
        .map(|pair| Duration::try_from(pair[1].at.duration_since(pair[0].at)).unwrap())
        .max()
}

#[test]
fn a_dead_workers_executions_continue_within_twelve_seconds() {
    let steps = [
        ("pay", Direction::Forward),
        ("move", Direction::Forward),
        ("pay", Direction::Back),
        ("move", Direction::Back),
    ];
    let mut taken_over = 0;
    for (step, direction) in steps {
        for point in CrashPoint::ALL {
            on_virtual_time(async {
                let crash = Crash {
                    point,
                    step,
                    direction,
                    skip: Mutex::new(0),
                    times: Mutex::new(1),
                };
                // During compensation: the write after the payment never gets a response.
                let faults = match direction {
                    Direction::Forward => vec![],
                    Direction::Back => {
                        vec![composite(FaultKind::TimeoutBeforeEffect).count(3)]
                    }
                };
                let hotel = SimulatedHotel::new(Setup {
                    workers: 2,
                    crashes: vec![crash],
                    faults,
                    ..Setup::default()
                });
                hotel.check_out("t1").await;
                assert!(hotel.run_until_idle(DAY).await);
                if let Some(gap) = longest_gap(&hotel.only()) {
                    assert!(
                        gap <= LIMIT,
                        "{step} {direction:?} {point:?}: nobody worked on it for {gap:?}"
                    );
                    taken_over += 1;
                }
                assert_eq!(
                    violations(&hotel),
                    Vec::<String>::new(),
                    "{step} {direction:?} {point:?}"
                );
            });
        }
    }
    // After the outcome of the last step there is nothing to take over.
    assert!(taken_over >= 13, "only {taken_over} of 20 were taken over");
}

/// However long a response takes, a living worker keeps its executions.
#[tokio::test(start_paused = true)]
async fn a_call_slower_than_the_lease_is_not_taken_over() {
    let slow = stripe("payment_intent_create", FaultKind::Slow).ms(27_000);
    let hotel = set_up(|s| (s.workers, s.faults) = (2, vec![slow]));
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    let record = hotel.only();
    assert_eq!(
        (record.state, record.fence),
        (State::Completed, 1),
        "{record:?}"
    );
    assert_sound(&hotel);
}
