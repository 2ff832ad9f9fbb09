//! Layer 5: bugs are planted, and the suite above must catch each of them.

use dewy_saga::planted::{self, Bug};
use dewy_store::memory;

use super::{
    cases::{self, Case, Course},
    exhaustive::{Seen, run},
    invariants::violations,
    on_virtual_time,
};

/// The cases that catch, most telling first.
fn telling() -> Vec<(Course, Case)> {
    let mut cases = Vec::new();
    for course in [Course::Applied, Course::NothingApplied, Course::Forward] {
        for case in [vec![Case::Calm], cases::edits(), cases::crashes(), cases::outside()].concat() {
            cases.push((course, case));
        }
    }
    cases
}

/// How many cases it takes until the planted bug is seen; `None` if it never is.
fn caught(bug: Bug) -> Option<(usize, String)> {
    planted::plant(Some(bug));
    let seen = Seen::default();
    let found = telling().into_iter().enumerate().find_map(|(n, (course, case))| {
        let found = run(7, 2, course, std::slice::from_ref(&case), &seen);
        found.into_iter().next().map(|first| (n + 1, first))
    });
    planted::plant(None);
    found
}

#[test]
fn every_planted_bug_of_the_saga_is_caught() {
    let mut missed = Vec::new();
    for bug in Bug::ALL {
        match caught(bug) {
            Some((cases, first)) => println!("{bug:?}: caught by case {cases}: {first}"),
            None => missed.push(bug),
        }
    }
    assert_eq!(missed, [], "these planted bugs went unnoticed");
}

/// Bugs of the store: the fence, the audit trail, the stale read.
#[test]
fn every_planted_bug_of_the_store_is_caught() {
    let mut missed = Vec::new();
    for bug in [memory::Bug::NoFenceCheck, memory::Bug::FenceOutsideTransaction, memory::Bug::AuditOutsideTransaction, memory::Bug::NoStaleCheck] {
        let found = match bug {
            memory::Bug::NoStaleCheck => stale_read(bug),
            memory::Bug::AuditOutsideTransaction => audit_apart(bug),
            _ => zombie(bug),
        };
        match found {
            Some(first) => println!("{bug:?}: caught: {first}"),
            None => missed.push(bug),
        }
        // The same stories without the bug are sound.
    }
    assert_eq!(missed, [], "these planted bugs went unnoticed");
}

/// A store slower than the lease makes zombies of workers; whatever they append late must be refused.
fn zombie(bug: memory::Bug) -> Option<String> {
    let mut found = Vec::new();
    for seconds in [3, 6, 9, 12, 15, 20, 30] {
        for course in Course::ALL {
            found.extend(on_virtual_time(async {
                let world = cases::world(5, 2, course, &[]);
                world.journal.hooks(|h| {
                    h.bugs.insert(bug);
                    h.delay = std::time::Duration::from_secs(seconds);
                });
                let meddling = cases::meddle(&world, &[]);
                let ((), _) = futures::join!(meddling, world.check_out("t1"));
                world.rest(std::time::Duration::from_secs(26 * 3600)).await;
                violations(&world)
            }));
        }
    }
    found.into_iter().next()
}

/// A worker that ends between journal and audit row leaves a trail with a hole.
fn audit_apart(bug: memory::Bug) -> Option<String> {
    for nth in 1..10 {
        let found = on_virtual_time(async {
            let world = cases::world(5, 2, Course::Applied, &[Case::Store(memory::Op::Append, nth, memory::Fault::LostApplied)]);
            world.journal.hooks(|h| {
                h.bugs.insert(bug);
            });
            let ((), _) = futures::join!(cases::meddle(&world, &[]), world.check_out("t1"));
            world.rest(std::time::Duration::from_secs(26 * 3600)).await;
            violations(&world)
        });
        if let Some(first) = found.into_iter().next() {
            return Some(first);
        }
    }
    None
}

/// A second check-out whose read is older than the first one's end.
fn stale_read(bug: memory::Bug) -> Option<String> {
    use dewy_sandbox::{Fault, FaultKind, System};
    on_virtual_time(async {
        let world = cases::world(5, 1, Course::Forward, &[Case::Outside(Fault::new(System::Stripe, "customers", FaultKind::Slow).skip(1).ms(4_000))]);
        world.journal.hooks(|h| {
            h.bugs.insert(bug);
        });
        let second = async {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            world.check_out("t2").await
        };
        let _ = futures::join!(world.check_out("t1"), second);
        world.rest(std::time::Duration::from_secs(26 * 3600)).await;
        // The fresh guard at Salesforce still saves the day for the booking; the guest's card has been charged twice by then.
        let charged = world.ledger().values().filter(|(taken, _, owner)| owner.is_some() && *taken > 0).count();
        if charged > 1 { Some(format!("{charged} charges for one stay")) } else { violations(&world).into_iter().next() }
    })
}
