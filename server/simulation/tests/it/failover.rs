//! How soon somebody else goes on with what a dead worker held, with the default settings.

use std::{sync::Mutex, time::Duration};

use dewy_saga::{Direction, Event, Row, State, crash_points::Point, journal::Record};
use dewy_sandbox::{Fault, FaultKind, System};

use super::{
    invariants::violations,
    on_virtual_time,
    world::{Crash, Setup, World},
};

const DAY: Duration = Duration::from_secs(26 * 3600);

/// The longest time for which nobody may work on an execution after its worker died.
const LIMIT: Duration = Duration::from_secs(12);

/// The longest pause between two rows of a journal of which the later one is by the next worker;
/// `None` when nobody took it over. One that rests, and is taken again for a look, is not waited
/// for.
fn longest_gap(record: &Record) -> Option<Duration> {
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
fn what_ran_at_a_dead_worker_goes_on_within_twelve_seconds() {
    let steps = [
        ("pay", Direction::Forward),
        ("move", Direction::Forward),
        ("pay", Direction::Back),
        ("move", Direction::Back),
    ];
    let mut taken_over = 0;
    for (step, way) in steps {
        for point in Point::ALL {
            on_virtual_time(async {
                let crash = Crash {
                    point,
                    step,
                    way,
                    skip: Mutex::new(0),
                    times: Mutex::new(1),
                };
                // On the way back: the write after the payment is never answered.
                let faults = match way {
                    Direction::Forward => vec![],
                    Direction::Back => {
                        vec![
                            Fault::new(
                                System::Salesforce,
                                "composite",
                                FaultKind::TimeoutBeforeEffect,
                            )
                            .count(3),
                        ]
                    }
                };
                let world = World::new(Setup {
                    workers: 2,
                    crashes: vec![crash],
                    faults,
                    ..Setup::default()
                });
                world.check_out("t1").await;
                assert!(world.rest(DAY).await);
                if let Some(gap) = longest_gap(&world.only()) {
                    assert!(
                        gap <= LIMIT,
                        "{step} {way:?} {point:?}: nobody worked on it for {gap:?}"
                    );
                    taken_over += 1;
                }
                assert_eq!(
                    violations(&world),
                    Vec::<String>::new(),
                    "{step} {way:?} {point:?}"
                );
            });
        }
    }
    // After the outcome of the last step nothing is left to be taken over.
    assert!(taken_over >= 13, "only {taken_over} of 20 were taken over");
}

/// However long an answer takes, a living worker keeps what it works on.
#[test]
fn a_call_slower_than_the_lease_is_not_taken_over() {
    on_virtual_time(async {
        let slow = Fault::new(System::Stripe, "payment_intent_create", FaultKind::Slow).ms(27_000);
        let world = World::new(Setup {
            workers: 2,
            faults: vec![slow],
            ..Setup::default()
        });
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        let record = world.only();
        assert_eq!(
            (record.state, record.fence),
            (State::Completed, 1),
            "{record:?}"
        );
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}
