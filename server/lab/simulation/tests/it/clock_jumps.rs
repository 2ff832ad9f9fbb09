//! Clock changes during work: nothing stalls, and no work is abandoned.

use crate::prelude::*;

const STEPS: [i64; 3] = [-300, 30, 300];

/// A check-out during whose pauses all clocks are set wrong; returns its end and its duration.
fn set_during(
    faults: &dyn Fn() -> Vec<Fault>,
    crashes: &dyn Fn() -> Vec<Crash>,
    by: i64,
    after_ms: u64,
) -> (State, Duration) {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup {
            workers: 2,
            faults: faults(),
            crashes: crashes(),
            ..Setup::default()
        });
        let started = tokio::time::Instant::now();
        let set = async {
            tokio::time::sleep(Duration::from_millis(after_ms)).await;
            hotel.set_clocks(by);
        };
        let _ = futures::join!(hotel.check_out("t1"), set);
        while !hotel.only().state.has_ended() && started.elapsed() < Duration::from_secs(3600) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let took = started.elapsed();
        assert!(
            hotel.run_until_idle(Duration::from_secs(26 * 3600)).await,
            "{by}"
        );
        assert_eq!(violations(&hotel), Vec::<String>::new(), "{by}");
        (hotel.only().state, took)
    })
}

#[test]
fn setting_the_clock_stalls_no_delay() {
    // Two temporary refusals, so that there are pauses: forward and during compensation.
    let forward = || {
        vec![
            stripe("payment_intent_create", FaultKind::Status)
                .status(429)
                .count(2),
        ]
    };
    let back = || {
        vec![
            composite(FaultKind::UnableToLockRow).count(3),
            stripe("refund_create", FaultKind::Status)
                .status(429)
                .count(5),
        ]
    };
    let (forward, back): (&dyn Fn() -> Vec<Fault>, &dyn Fn() -> Vec<Fault>) = (&forward, &back);
    for (faults, state, limit) in [
        (forward, State::Completed, 30),
        (back, State::Compensated, 60),
    ] {
        for by in STEPS {
            for after_ms in [300, 2000, 9000] {
                let (ended, took) = set_during(faults, &Vec::new, by, after_ms);
                assert_eq!(ended, state, "{by} s after {after_ms} ms");
                assert!(
                    took <= Duration::from_secs(limit),
                    "{by} s after {after_ms} ms: it took {took:?}"
                );
            }
        }
    }
}

/// The next worker has its own clock; a fast one is no reason to give up a guest's check-out.
#[test]
fn a_successor_with_a_fast_clock_continues_forward() {
    for minutes in [5, -5] {
        for point in [CrashPoint::AfterSend, CrashPoint::BeforeOutcome] {
            let state = on_virtual_time(async {
                let crash = Crash {
                    point,
                    step: "move",
                    direction: Direction::Forward,
                    skip: Mutex::new(0),
                    times: Mutex::new(1),
                };
                // The response is lost, and so is the first recheck.
                let faults = vec![
                    composite(FaultKind::TimeoutBeforeEffect),
                    salesforce("query", FaultKind::Status)
                        .status(503)
                        .skip(1)
                        .count(2),
                ];
                let skew = jiff::SignedDuration::from_mins(minutes);
                let hotel = SimulatedHotel::new(Setup {
                    workers: 2,
                    skew,
                    faults,
                    crashes: vec![crash],
                    ..Setup::default()
                });
                let leave = async {
                    while *hotel.probe.ended.lock().unwrap() == 0 {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                    hotel.stop_worker(0).await;
                };
                futures::join!(hotel.check_out("t1"), leave);
                assert!(hotel.run_until_idle(Duration::from_secs(26 * 3600)).await);
                assert_sound(&hotel);
                let record = hotel.only();
                assert_eq!(record.rows.last().unwrap().by, "worker-1");
                record.state
            });
            assert_eq!(state, State::Completed, "{minutes} minutes, {point:?}");
        }
    }
}
