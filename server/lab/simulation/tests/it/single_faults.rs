//! Layer 1: every step × every fault, on every course, with one and with two workers; then ordered
//! pairs.

use std::{
    io::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::AtomicUsize,
};

use dewy_saga::Outcome;

use super::{
    fault_cases::{self, Case, Course},
    realistic_orgs,
};
use crate::prelude::*;

const LIMIT: Duration = Duration::from_secs(26 * 3600);

/// Rare events that occurred; a suite without them proves nothing about them.
#[derive(Debug, Default)]
pub struct RareEventCounts(Mutex<BTreeMap<String, usize>>);

impl RareEventCounts {
    pub fn note(&self, what: impl Into<String>) {
        *self.0.lock().unwrap().entry(what.into()).or_default() += 1;
    }

    pub fn counts(&self) -> BTreeMap<String, usize> {
        self.0.lock().unwrap().clone()
    }
}

/// Runs one check-out with these faults; returns the violations.
pub fn run(
    seed: u64,
    workers: usize,
    course: Course,
    wrong: &[Case],
    seen: &RareEventCounts,
) -> Vec<String> {
    on_virtual_time(async {
        let hotel = fault_cases::hotel_with_faults(seed, workers, course, wrong);
        let asking = async {
            let answer = hotel.check_out("t1").await;
            seen.note(format!("answer {}", answer.status()));
        };
        let ((), ()) = futures::join!(asking, fault_cases::edit_records(&hotel, wrong));
        let rested = hotel.run_until_idle(LIMIT).await;
        let mut found = violations(&hotel);
        if !rested {
            found.push("I7: it does not come to rest".to_owned());
        }
        let edited = wrong
            .iter()
            .any(|c| matches!(c, Case::Edit(..) | Case::Flow(..)));
        for record in hotel.requested_executions() {
            note(&record.rows, record.state, seen);
            if edited {
                // Another user's edits are still there, whatever happened to the check-out.
                found.extend(kept(&hotel, wrong, &record));
            }
        }
        if *hotel.probe.ended.lock().unwrap() > 0 {
            seen.note("a worker crashed");
        }
        found
    })
}

/// A revert never overwrites a foreign edit; a check-out made after it may change the room's
/// status.
fn kept(
    hotel: &super::simulated_hotel::SimulatedHotel,
    wrong: &[Case],
    record: &ExecutionRecord,
) -> Vec<String> {
    let state = record.state;
    if state == State::Completed {
        return vec![];
    }
    let sandbox_ledger = hotel.sandbox_ledger();
    let booking = sandbox_ledger.row("Booking__c", "Name", "BK-0042");
    let id = record.id.to_string();
    let applied = sandbox_ledger
        .rows("Payment_Transaction__c")
        .iter()
        .any(|line| line["External_ID__c"] == id.as_str());
    let row = |object: &str, id: &Value| sandbox_ledger.row(object, "Id", id.as_str().unwrap());
    wrong
        .iter()
        .filter_map(|case| match case {
            Case::Edit("Hotel_Room__c", _)
                if row("Hotel_Room__c", &booking["Room__c"])["Status__c"] != "Maintenance" =>
            {
                Some("room")
            }
            Case::Edit("Opportunity", _)
                if row("Opportunity", &booking["Opportunity__c"])["StageName"]
                    != "Negotiation/Review" =>
            {
                Some("opportunity")
            }
            // A flow's change of our write counts as a foreign edit, and is kept.
            Case::Flow(_, "Hotel_Room__c", Some(_), _)
                if state == State::Compensated && applied
                    || state == State::NeedsAttention
                        && row("Hotel_Room__c", &booking["Room__c"])["Status__c"]
                            != "Maintenance" =>
            {
                Some("room by a flow")
            }
            Case::Flow(_, "Opportunity", Some(_), _)
                if state == State::Compensated && applied
                    || state == State::NeedsAttention
                        && row("Opportunity", &booking["Opportunity__c"])["CloseDate"]
                            != "2026-01-01" =>
            {
                Some("opportunity by a flow")
            }
            Case::Flow(_, "Booking__c", Some(_), _)
                if state == State::Compensated && applied
                    || state == State::NeedsAttention && booking["Status__c"] != "No Show" =>
            {
                Some("booking by a flow")
            }
            Case::Edit("Booking__c", _)
                if booking["Special_Requests__c"] != "late check-out, please" =>
            {
                Some("booking")
            }
            _ => None,
        })
        .map(|what| format!("I4: the foreign edit of the {what} was overwritten"))
        .collect()
}

fn note(rows: &[dewy_saga::Row], state: State, seen: &RareEventCounts) {
    seen.note(format!("ended {state}"));
    for row in rows {
        match &row.event {
            Event::Intended { guard: true, .. } => seen.note("a booking was touched"),
            Event::Settled {
                looked: true,
                outcome: Outcome::Done(_),
                ..
            } => seen.note("an effect was found by looking"),
            Event::Settled {
                outcome: Outcome::TryLater(fault),
                ..
            } if fault.code == "not_applied" => seen.note("looked up and not applied"),
            Event::Settled {
                outcome:
                    Outcome::Unknown(fault) | Outcome::TryLater(fault) | Outcome::Refused(fault),
                ..
            } => {
                seen.note(format!("fault {}", fault.code));
            }
            Event::Reopened { .. } => seen.note("reopened"),
            Event::Decided { .. } => seen.note("turned back"),
            _ => {}
        }
    }
    if rows.windows(2).any(|w| w[0].fence < w[1].fence) {
        seen.note("another worker took over");
    }
}

/// Longer than any valid world takes on the busiest machine: one that runs this long loops without
/// time passing.
const MAX_RUN_TIME: Duration = Duration::from_secs(300);

/// Runs all jobs in parallel on all cores; returns each job with its violations. A stuck job ends
/// the test with its number.
pub fn spread<J: Sync>(
    jobs: &[J],
    run: impl Fn(&J) -> Vec<String> + Sync,
) -> Vec<(usize, Vec<String>)> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let running = Mutex::new(BTreeMap::new());
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, failures, running, done, run) = (&next, &failures, &running, &done, &run);
            scope.spawn(move || {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(n) else { break };
                    running
                        .lock()
                        .unwrap()
                        .insert(thread, (n, std::time::Instant::now()));
                    let found = catch_unwind(AssertUnwindSafe(|| run(job)));
                    let found = found.unwrap_or_else(|_| vec!["it panicked, see above".to_owned()]);
                    if !found.is_empty() {
                        failures.lock().unwrap().push((n, found));
                    }
                }
                running.lock().unwrap().remove(&thread);
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        scope.spawn(|| {
            while done.load(Ordering::Relaxed) < threads {
                std::thread::sleep(Duration::from_millis(100));
                let stuck = running
                    .lock()
                    .unwrap()
                    .values()
                    .find(|(_, since)| since.elapsed() > MAX_RUN_TIME)
                    .copied();
                if let Some((n, _)) = stuck {
                    // Not `eprintln`: the test harness would hold it back until it ends
                    let words = format!("job {n} goes in circles without time passing\n");
                    drop(std::io::stderr().write_all(words.as_bytes()));
                    std::process::exit(1);
                }
            }
        });
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    failures
}

/// Only the job that `DEWY_CASE` names by its number, if it names one.
pub fn chosen<J: std::fmt::Debug>(mut jobs: Vec<J>) -> Vec<J> {
    let only = std::env::var("DEWY_CASE").ok();
    if let Some(only) = only.and_then(|n| n.parse::<usize>().ok()) {
        jobs = vec![jobs.swap_remove(only)];
        println!("{:?}", jobs[0]);
    }
    jobs
}

/// Prints the counts and the first failures; fails if there is one.
pub fn report<J: std::fmt::Debug>(
    title: &str,
    jobs: &[J],
    failures: &[(usize, Vec<String>)],
    seen: &RareEventCounts,
) {
    println!("{title}: {} cases, {} failed", jobs.len(), failures.len());
    for (what, n) in seen.counts() {
        println!("  {n:>7} {what}");
    }
    for (n, found) in failures.iter().take(12) {
        println!("  FAILED {n} {:?}\n    {}", jobs[*n], found.join("\n    "));
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases failed; the first ones are above",
        failures.len(),
        jobs.len()
    );
}

#[test]
fn every_single_fault() {
    let mut jobs = Vec::new();
    for workers in [1, 2] {
        for course in Course::ALL {
            for case in fault_cases::all() {
                jobs.push((workers, course, vec![case]));
            }
        }
    }
    let jobs = chosen(jobs);
    let seen = RareEventCounts::default();
    let failures = spread(&jobs, |(workers, course, wrong)| {
        run(7, *workers, *course, wrong, &seen)
    });
    report("single faults", &jobs, &failures, &seen);
    let counts = seen.counts();
    let rare = [
        "a worker crashed",
        "another worker took over",
        "a booking was touched",
        "an effect was found by looking",
        "looked up and not applied",
        "turned back",
        "ended completed",
        "ended refused",
        "ended compensated",
        "ended needs_attention",
        "fault sticky_500",
        "fault guard_failed",
        "fault timeout",
        "fault UNABLE_TO_LOCK_ROW",
        "fault payment_not_found",
    ];
    for what in rare {
        assert!(counts.contains_key(what), "never seen: {what}");
    }
}

/// Rules, keys and empty fields of a real org and account, each of them alone.
#[test]
fn every_single_unkindness() {
    let mut jobs = Vec::new();
    for (n, case) in realistic_orgs::of_a_stay().into_iter().enumerate() {
        for (m, course) in Course::ALL.into_iter().enumerate() {
            jobs.push((1 + (n + m) % 2, course, vec![case.clone()]));
        }
    }
    let seen = RareEventCounts::default();
    let failures = spread(&jobs, |(workers, course, wrong)| {
        run(7, *workers, *course, wrong, &seen)
    });
    report("single unkindnesses", &jobs, &failures, &seen);
    let counts = seen.counts();
    for what in [
        "fault FIELD_CUSTOM_VALIDATION_EXCEPTION",
        "fault stripe_permission_missing",
        "ended completed",
        "ended compensated",
        "ended refused",
    ] {
        assert!(counts.contains_key(what), "never seen: {what}");
    }
}

/// Ordered pairs: one fault forward, another during recovery or compensation.
#[test]
fn every_pair_of_faults() {
    let parts = fault_cases::for_pairs();
    let mut jobs = Vec::new();
    for (n, first) in parts.iter().enumerate() {
        for (m, second) in parts.iter().enumerate() {
            // The course and the number of workers alternate, so that each pair runs once and each
            // half meets all of them.
            let course = Course::ALL[(n + m) % 3];
            jobs.push((
                1 + (n + m / 3) % 2,
                course,
                vec![first.clone(), second.clone()],
            ));
        }
    }
    // All of them take minutes; every sixth, with a different residue for each first half, is
    // enough between two releases.
    let all = jobs.len();
    if std::env::var("DEWY_ALL").is_err() {
        jobs = jobs
            .into_iter()
            .enumerate()
            .filter(|(n, _)| n % 12 == 0)
            .map(|(_, job)| job)
            .collect();
    }
    println!(
        "{} of {all} pairs (DEWY_ALL=1 runs all of them)",
        jobs.len()
    );
    let seen = RareEventCounts::default();
    let failures = spread(&jobs, |(workers, course, wrong)| {
        run(11, *workers, *course, wrong, &seen)
    });
    report("pairs of faults", &jobs, &failures, &seen);
}

/// Ordered pairs of which at least one is a rule, a key or an empty field of a real org and account.
#[test]
fn pairs_with_an_unkindness() {
    let (faults, unkind) = (fault_cases::for_pairs(), realistic_orgs::of_a_stay());
    let parts = [unkind.clone(), faults].concat();
    let mut jobs = Vec::new();
    for (n, first) in parts.iter().enumerate() {
        for (m, second) in parts.iter().enumerate() {
            if n.min(m) < unkind.len() {
                let pair = vec![first.clone(), second.clone()];
                jobs.push((1 + (n + m / 3) % 2, Course::ALL[(n + m) % 3], pair));
            }
        }
    }
    let all = jobs.len();
    // The part is a prime, so that each half of a pair meets others from row to row.
    if std::env::var("DEWY_ALL").is_err() {
        let sampled = jobs.into_iter().enumerate();
        let sampled = sampled.filter(|(n, _)| n % UNKIND_PART == 0);
        jobs = sampled.map(|(_, job)| job).collect();
    }
    println!(
        "{} of {all} pairs (DEWY_ALL=1 runs all of them)",
        jobs.len()
    );
    let seen = RareEventCounts::default();
    let failures = spread(&jobs, |(workers, course, wrong)| {
        run(17, *workers, *course, wrong, &seen)
    });
    report("pairs with an unkindness", &jobs, &failures, &seen);
}

/// The default run takes one of this many pairs that include an org restriction.
const UNKIND_PART: usize = 31;
