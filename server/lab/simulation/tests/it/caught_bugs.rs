//! Layer 5: bugs are injected, and the suite must catch each of them.

use dewy_test_kit::memory;

use super::{
    fault_cases::{self, Case, Course},
    injected_bugs::{self, Bug},
    single_faults::{RareEventCounts, run},
};
use crate::prelude::*;

/// Cases in which each bug must show.
fn telling(bug: Bug) -> Vec<(Course, Vec<Case>)> {
    match bug {
        Bug::FreshKey => {
            let lost = stripe("payment_intent_create", FaultKind::TimeoutAfterEffect);
            vec![(Course::Forward, vec![Case::Outside(lost)])]
        }
        Bug::UnconditionalRevert => fault_cases::edits()
            .into_iter()
            .map(|case| (Course::Applied, vec![case]))
            .collect(),
        Bug::SwallowedRefundError => vec![(
            Course::Applied,
            vec![Case::Outside(
                stripe("refund_create", FaultKind::Status)
                    .status(400)
                    .count(0),
            )],
        )],
        Bug::LonelyRefundLine => vec![(Course::NothingApplied, vec![])],
        Bug::BlindRetry => {
            let lost = composite(FaultKind::TimeoutAfterEffect);
            vec![(Course::Forward, vec![Case::Outside(lost)])]
        }
        // Caught by separate scenes: below, in `recovery`, in `settled`, in `money` and in
        // `account`.
        Bug::SweepTouchesLive
        | Bug::NoAntiJoin
        | Bug::ForgottenKeyAge
        | Bug::BlindResume
        | Bug::SettledIsSuccess
        | Bug::NoInstallationCheck
        | Bug::SumsNotCompared
        | Bug::NoAccountCheck => vec![],
        Bug::RevertBeforeRefund | Bug::LostDoorbell | Bug::SendBeforeIntent => {
            vec![(Course::Applied, vec![])]
        }
    }
}

/// Violation that the suite reports for a bug; `None` if there is none.
fn caught(bug: Option<Bug>, cases: &[(Course, Vec<Case>)]) -> Option<String> {
    injected_bugs::plant(bug);
    let seen = RareEventCounts::default();
    let found = cases.iter().find_map(|(course, case)| {
        let found = run(7, 2, *course, case, &seen);
        // An effect whose response was lost is found, not undone: that is the purpose of the
        // recheck.
        let undone = *course == Course::Forward
            && bug != Some(Bug::NoAntiJoin)
            && bug.is_some()
            && !seen.counts().contains_key("ended completed");
        found
            .into_iter()
            .next()
            .or_else(|| undone.then(|| "a check-out that had succeeded was undone".to_owned()))
    });
    injected_bugs::plant(None);
    found
}

#[test]
fn every_injected_saga_bug_is_caught() {
    let mut missed = Vec::new();
    for bug in Bug::ALL {
        let cases = telling(bug);
        if cases.is_empty() {
            continue;
        }
        assert_eq!(
            caught(None, &cases),
            None,
            "the cases of {bug:?} are sound without it"
        );
        match caught(Some(bug), &cases) {
            Some(first) => println!(
                "{bug:?}: caught: {}",
                first.chars().take(160).collect::<String>()
            ),
            None => missed.push(bug),
        }
    }
    assert_eq!(missed, [], "these planted bugs went unnoticed");
}

/// Bugs of the store: the fencing token, the audit trail, the stale read.
#[test]
fn every_injected_store_bug_is_caught() {
    let mut missed = Vec::new();
    for bug in [
        memory::Bug::NoFenceCheck,
        memory::Bug::FenceOutsideTransaction,
        memory::Bug::AuditOutsideTransaction,
        memory::Bug::NoStaleCheck,
    ] {
        let found = match bug {
            memory::Bug::NoStaleCheck => stale_read(bug),
            memory::Bug::AuditOutsideTransaction => audit_apart(bug),
            _ => zombie(bug),
        };
        match found {
            Some(first) => println!(
                "{bug:?}: caught: {}",
                first.chars().take(160).collect::<String>()
            ),
            None => missed.push(bug),
        }
    }
    assert_eq!(missed, [], "these planted bugs went unnoticed");
}

/// A sweep runs while a check-out is in progress: it must leave the check-out alone.
#[test]
fn an_orphan_check_that_touches_a_live_execution_is_caught() {
    let sweep_by = |bug: Option<Bug>| {
        injected_bugs::plant(bug);
        let state = on_virtual_time(async {
            let down = composite(FaultKind::Status).status(503).count(2);
            let hotel = set_up(|s| (s.faults, s.grace) = (vec![down], Duration::ZERO));
            let sweeping = async {
                tokio::time::sleep(Duration::from_millis(700)).await;
                hotel.processes[0].check_orphan_payments().await;
                if bug == Some(Bug::SweepTouchesLive) {
                    tell_live_ones(&hotel).await;
                }
            };
            futures::join!(hotel.check_out("t1"), sweeping);
            hotel.run_until_idle(Duration::from_secs(26 * 3600)).await;
            assert_sound(&hotel);
            hotel.only().state
        });
        injected_bugs::plant(None);
        state
    };
    assert_eq!(sweep_by(None), State::Completed);
    assert_eq!(
        sweep_by(Some(Bug::SweepTouchesLive)),
        State::Compensated,
        "a check-out that would have succeeded is undone"
    );
}

/// Sends every running execution the signal that the orphan check sends to unfinished ones.
async fn tell_live_ones(hotel: &SimulatedHotel) {
    for record in hotel.journal.snapshot() {
        let signal = Signal {
            key: format!("sweep:{}", record.id),
            action: SignalAction::Compensate,
            by: "sweep".to_owned(),
            why: String::new(),
        };
        let told = hotel.journal.signal(record.id, &signal, hotel.clock.now());
        assert!(told.await.unwrap());
    }
}

/// A charge right after another write of the booking, delivered to Salesforce twice: the stamp has
/// the same second.
#[test]
fn a_charge_that_is_not_recognized_is_caught() {
    let brought_twice = |bug: Option<Bug>, second_answer: bool| {
        injected_bugs::plant(bug);
        let found = on_virtual_time(async {
            let hotel = with(vec![]);
            hotel.sandbox.stamp_all();
            let twice = composite(FaultKind::DeliveredTwice);
            hotel.fault(if second_answer {
                twice.second_answer()
            } else {
                twice
            });
            let charge = json!({ "room_number": "302", "amount": 5000, "description": "Spa" });
            hotel.staff("post_charge", "t1", charge).await;
            hotel.run_until_idle(Duration::from_secs(3600)).await;
            assert_eq!(hotel.only().state, State::Completed);
            violations(&hotel)
        });
        injected_bugs::plant(None);
        found
    };
    for second_answer in [false, true] {
        assert_eq!(brought_twice(None, second_answer), Vec::<String>::new());
        let found = brought_twice(Some(Bug::NoAntiJoin), second_answer);
        assert!(
            found
                .iter()
                .any(|v| v.contains("I13: 2 rows of Payment_Transaction__c")),
            "{found:?}"
        );
    }
}

/// A store slower than the lease turns workers into zombies; their late appends must be refused.
fn zombie(bug: memory::Bug) -> Option<String> {
    let mut found = Vec::new();
    for seconds in [3, 6, 9, 12, 15, 20, 30] {
        for course in Course::ALL {
            found.extend(on_virtual_time(async {
                let hotel = fault_cases::hotel_with_faults(5, 2, course, &[]);
                hotel.journal.hooks(|h| {
                    h.bugs.insert(bug);
                    h.delay = Duration::from_secs(seconds);
                });
                let meddling = fault_cases::edit_records(&hotel, &[]);
                let ((), _) = futures::join!(meddling, hotel.check_out("t1"));
                hotel.run_until_idle(Duration::from_secs(26 * 3600)).await;
                violations(&hotel)
            }));
        }
    }
    found.into_iter().next()
}

/// The response of a commit is lost, and the worker repeats it: journal and audit row must be one.
fn audit_apart(bug: memory::Bug) -> Option<String> {
    (1..12).find_map(|nth| {
        let found = on_virtual_time(async {
            let hotel = fault_cases::hotel_with_faults(5, 2, Course::Applied, &[]);
            // The commit gets no response and the store is down until the worker gives up: the next
            // worker finds what was committed.
            hotel.journal.hooks(|h| {
                h.bugs.insert(bug);
                h.fail(memory::Op::Append, nth, memory::Fault::LostApplied);
                (1..8).for_each(|n| h.fail(memory::Op::Append, nth + n, memory::Fault::Full));
            });
            let ((), _) = futures::join!(
                fault_cases::edit_records(&hotel, &[]),
                hotel.check_out("t1")
            );
            hotel.run_until_idle(Duration::from_secs(26 * 3600)).await;
            violations(&hotel)
        });
        found.into_iter().next()
    })
}

/// A second check-out whose read is older than the first one's end.
fn stale_read(bug: memory::Bug) -> Option<String> {
    on_virtual_time(async {
        let hotel = fault_cases::hotel_with_faults(
            5,
            1,
            Course::Forward,
            &[Case::Outside(
                stripe("customers", FaultKind::Slow).skip(1).ms(7_000),
            )],
        );
        hotel.sandbox.set_latency(Latency::reference());
        hotel.journal.hooks(|h| {
            h.bugs.insert(bug);
        });
        let second = async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            hotel.check_out("t2").await
        };
        let _ = futures::join!(hotel.check_out("t1"), second);
        hotel.run_until_idle(Duration::from_secs(26 * 3600)).await;
        // The final guard in Salesforce still protects the booking; the guest's card has been
        // charged twice by then.
        let charged = hotel
            .ledger()
            .values()
            .filter(|(taken, _, owner)| owner.is_some() && *taken > 0)
            .count();
        if charged > 1 {
            Some(format!("{charged} charges for one stay"))
        } else {
            violations(&hotel).into_iter().next()
        }
    })
}
