//! Faults of the matrix as single cases: crashes of the worker (C), the outside systems (A), store,
//! lease and time (S, L).

use dewy_sandbox::salesforce::{Condition, DuplicateRule, Flow, FlowTiming, ValidationRule};
use dewy_test_kit::memory;
use serde_json::Map;

use super::simulated_hotel::STRIPE_KEY;
use crate::prelude::*;

#[derive(Clone, Debug)]
pub enum Case {
    /// No fault.
    Calm,
    /// C1–C5: the worker crashes at a point of a step, after passing it `skip` times.
    Crash(CrashPoint, &'static str, Direction, u32),
    /// A1–A11: a call to an outside system fails.
    Outside(Fault),
    /// S1, S2, S4: the store's nth append fails.
    Store(memory::Op, u64, memory::Fault),
    /// L1, A9: the store takes longer than a lease, so that the worker is a zombie afterward.
    Stall,
    /// W4: a flow of the org changes a field of an object when a record gets this value.
    Flow(
        FlowTiming,
        &'static str,
        Option<(&'static str, &'static str)>,
        (&'static str, &'static str),
    ),
    /// W3: a validation rule of the org rejects every save of an object, or those that set this
    /// value.
    Rule(&'static str, Option<(&'static str, &'static str)>),
    /// W3: a duplicate rule of the org blocks every new contact whose last name resembles another.
    Duplicates,
    /// W14: the key is revoked, or lacks a permission.
    Key(KeySettings),
    /// W2: a field is empty in all records of an object.
    Blank(&'static str, &'static str),
    /// W2: Stripe omits a field from its responses.
    Omit(&'static str),
    /// A12: another user edits a row this long after the start.
    Edit(&'static str, Duration),
}

/// Reason for the saga to compensate, so that compensations are reached at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// No compensation.
    Forward,
    /// The composite always fails: nothing has to be reverted.
    NothingApplied,
    /// The composite is applied, and Salesforce goes down: everything has to be reverted.
    Applied,
}

impl Course {
    pub const ALL: [Self; 3] = [Self::Forward, Self::NothingApplied, Self::Applied];

    pub fn faults(self) -> Vec<Fault> {
        let salesforce = |operation: &str, kind| salesforce(operation, kind);
        match self {
            Self::Forward => vec![],
            Self::NothingApplied => {
                vec![salesforce("composite", FaultKind::TimeoutBeforeEffect).count(0)]
            }
            Self::Applied => vec![
                salesforce("composite", FaultKind::TimeoutAfterEffect),
                salesforce("query", FaultKind::TimeoutBeforeEffect)
                    .skip(1)
                    .count(6),
            ],
        }
    }
}

/// Time after which all injected faults are lifted.
pub const REPAIRED_AFTER: Duration = Duration::from_secs(150);

fn fault(system: System, operation: &str, kind: FaultKind) -> Fault {
    Fault::new(system, operation, kind)
}

/// C1–C5 at every step and direction of a check-out.
pub fn crashes() -> Vec<Case> {
    crashes_at(&[
        ("customer", Direction::Forward),
        ("pay", Direction::Forward),
        ("move", Direction::Forward),
        ("pay", Direction::Back),
        ("move", Direction::Back),
    ])
}

/// C1–C5 at these steps, the first and the second time each is passed.
pub fn crashes_at(steps: &[(&'static str, Direction)]) -> Vec<Case> {
    let mut cases = Vec::new();
    for point in CrashPoint::ALL {
        for &(step, direction) in steps {
            for skip in [0, 1] {
                cases.push(Case::Crash(point, step, direction, skip));
            }
        }
    }
    cases
}

/// A1–A11 at every operation of a check-out or its compensation.
pub fn outside_faults() -> Vec<Case> {
    outside_at(&[
        (System::Salesforce, "token"),
        (System::Salesforce, "query"),
        (System::Salesforce, "composite"),
        (System::Salesforce, "update"),
        (System::Salesforce, "upsert"),
        (System::Stripe, "customers"),
        (System::Stripe, "customer_search"),
        (System::Stripe, "payment_intent_create"),
        (System::Stripe, "payment_intent_list"),
        (System::Stripe, "refund_create"),
        (System::Stripe, "refund_retrieve"),
    ])
}

/// W8: a repeated request: at once, with either response; within the same second; minutes later.
pub fn replayed_deliveries() -> [Fault; 4] {
    let again = |kind| fault(System::Salesforce, "*", kind);
    [
        again(FaultKind::DeliveredTwice),
        again(FaultKind::DeliveredTwice).second_answer(),
        again(FaultKind::ReplayedLater).ms(300),
        again(FaultKind::ReplayedLater).ms(200_000),
    ]
}

/// A1–A11 and W8 at these operations.
pub fn outside_at(operations: &[(System, &str)]) -> Vec<Case> {
    use FaultKind as K;
    let mut cases = Vec::new();
    for &(system, operation) in operations {
        for again in replayed_deliveries() {
            for (count, skip) in [(1, 0), (1, 1), (0, 0)] {
                let (system, operation) = (system, operation.to_owned());
                cases.push(Case::Outside(
                    Fault {
                        system,
                        operation,
                        ..again.clone()
                    }
                    .count(count)
                    .skip(skip),
                ));
            }
        }
        let once = |k: &K| !matches!(k, K::Status | K::DeliveredTwice | K::ReplayedLater);
        for kind in K::ALL.into_iter().filter(|k| k.fits(system) && once(k)) {
            for (count, skip) in [(1, 0), (1, 1), (2, 0), (0, 0)] {
                let slow = if kind == K::Slow { 12_000 } else { 30_000 };
                let ms = if kind == K::LateEffect { 60_000 } else { slow };
                cases.push(Case::Outside(
                    fault(system, operation, kind)
                        .count(count)
                        .skip(skip)
                        .ms(ms),
                ));
            }
        }
        let statuses: &[u16] = if system == System::Stripe {
            &[400, 402, 409, 429, 500, 503]
        } else {
            &[400, 404, 500, 502, 503]
        };
        for status in statuses {
            for count in [1, 2, 0] {
                cases.push(Case::Outside(
                    fault(system, operation, K::Status)
                        .status(*status)
                        .count(count),
                ));
            }
        }
        // Both are answers that ask for a pause; a proxy may ask for any.
        let busy = if system == System::Stripe { 429 } else { 503 };
        for count in [1, 0] {
            let fault_spec = fault(system, operation, K::Status).status(busy);
            cases.push(Case::Outside(fault_spec.count(count).retry_after(3_600)));
        }
    }
    cases
}

/// S1, S2 and S4 at each of the first appends, and a stalling store (L1).
pub fn store() -> Vec<Case> {
    let mut cases = vec![Case::Stall];
    for nth in 1..=12 {
        for fault in [
            memory::Fault::Busy,
            memory::Fault::LostApplied,
            memory::Fault::LostNotApplied,
            memory::Fault::Full,
        ] {
            cases.push(Case::Store(memory::Op::Append, nth, fault));
        }
    }
    for fault in [
        memory::Fault::Busy,
        memory::Fault::LostApplied,
        memory::Fault::LostNotApplied,
    ] {
        cases.push(Case::Store(memory::Op::Begin, 1, fault));
        cases.push(Case::Store(memory::Op::Take, 2, fault));
        for nth in 1..=3 {
            cases.push(Case::Store(memory::Op::Renew, nth, fault));
        }
    }
    cases
}

/// A12 between the read and the write, between write and revert, and after it.
pub fn edits() -> Vec<Case> {
    let mut cases = Vec::new();
    for object in ["Booking__c", "Hotel_Room__c", "Opportunity"] {
        for seconds in [1, 7, 14, 40, 100] {
            cases.push(Case::Edit(object, Duration::from_secs(seconds)));
        }
    }
    cases
}

/// W4: flows that change an unimportant field at every save, and flows that change what a check-out
/// has just written.
pub fn flows() -> Vec<Case> {
    let mut cases = Vec::new();
    for timing in [
        FlowTiming::BeforeSave,
        FlowTiming::AfterSave,
        FlowTiming::Asynchronous,
    ] {
        cases.push(Case::Flow(
            timing,
            "Booking__c",
            None,
            ("Special_Requests__c", "seen by a flow"),
        ));
        cases.push(Case::Flow(
            timing,
            "Opportunity",
            None,
            ("Arrival_Date__c", "2026-01-01"),
        ));
        cases.push(Case::Flow(
            timing,
            "Hotel_Room__c",
            Some(("Status__c", "Cleaning")),
            ("Status__c", "Maintenance"),
        ));
        cases.push(Case::Flow(
            timing,
            "Opportunity",
            Some(("StageName", "Closed Won")),
            ("CloseDate", "2026-01-01"),
        ));
        cases.push(Case::Flow(
            timing,
            "Booking__c",
            Some(("Status__c", "Checked Out")),
            ("Status__c", "No Show"),
        ));
    }
    cases
}

pub fn all() -> Vec<Case> {
    [
        vec![Case::Calm],
        crashes(),
        outside_faults(),
        store(),
        edits(),
        flows(),
    ]
    .concat()
}

/// Cases used in pairs: one of each kind, at each relevant place.
pub fn for_pairs() -> Vec<Case> {
    let kept = outside_faults().into_iter().filter(|case| match case {
        Case::Outside(f) => {
            let places = [
                "query",
                "composite",
                "update",
                "upsert",
                "payment_intent_create",
                "refund_create",
            ];
            places.contains(&f.operation.as_str()) && f.count == 1 && f.skip == 0
                || (f.kind == FaultKind::Status
                    && f.count == 0
                    && matches!(f.status, Some(500))
                    && f.system == System::Stripe)
        }
        _ => false,
    });
    let crashes = crashes()
        .into_iter()
        .filter(|c| matches!(c, Case::Crash(_, _, _, 0)));
    let store = store().into_iter().filter(|c| {
        matches!(
            c,
            Case::Stall | Case::Store(memory::Op::Append, 2..=8, memory::Fault::LostApplied)
        )
    });
    kept.chain(crashes).chain(store).collect()
}

/// World with these faults on this course.
pub fn hotel_with_faults(
    seed: u64,
    workers: usize,
    course: Course,
    cases: &[Case],
) -> SimulatedHotel {
    let hotel = SimulatedHotel::new(Setup {
        seed,
        workers,
        ..Setup::default()
    });
    // A case's faults come before those of the course: the first match wins.
    activate(&hotel, cases);
    for fault in course.faults() {
        hotel.fault(fault);
    }
    hotel
}

/// Whether a request arrives more than once.
fn arrives_again(case: &Case) -> bool {
    let again = [FaultKind::DeliveredTwice, FaultKind::ReplayedLater];
    matches!(case, Case::Outside(fault) if again.contains(&fault.kind))
}

pub fn activate(hotel: &SimulatedHotel, cases: &[Case]) {
    if cases.iter().any(arrives_again) {
        hotel.sandbox.stamp_all();
    }
    let mut omitted = Vec::new();
    for case in cases {
        match case {
            Case::Crash(point, step, direction, skip) => hotel.probe.add(Crash {
                point: *point,
                step,
                direction: *direction,
                skip: Mutex::new(*skip),
                times: Mutex::new(1),
            }),
            Case::Outside(fault) => hotel.fault(fault.clone()),
            Case::Store(op, nth, fault) => hotel.journal.hooks(|h| h.fail(*op, *nth, *fault)),
            Case::Stall => hotel.journal.hooks(|h| h.delay = Duration::from_secs(4)),
            Case::Flow(timing, object, when, (field, value)) => {
                let mut org = hotel.sandbox.org_settings();
                org.flows.push(Flow {
                    object: (*object).to_owned(),
                    timing: *timing,
                    when: Condition(
                        when.iter()
                            .map(|(name, value)| ((*name).to_owned(), json!(value)))
                            .collect(),
                    ),
                    target: None,
                    fields: [((*field).to_owned(), json!(value))].into_iter().collect(),
                    count: None,
                });
                hotel.sandbox.set_org_settings(org);
            }
            Case::Rule(object, when) => {
                let mut org = hotel.sandbox.org_settings();
                org.validation_rules.push(ValidationRule {
                    object: (*object).to_owned(),
                    when: Condition(
                        when.iter()
                            .map(|(name, value)| ((*name).to_owned(), json!(value)))
                            .collect(),
                    ),
                    message: "The night audit runs.".to_owned(),
                    field: None,
                    count: None,
                });
                hotel.sandbox.set_org_settings(org);
            }
            Case::Duplicates => {
                let mut org = hotel.sandbox.org_settings();
                let matching = vec![vec!["LastName".to_owned()]];
                let blocks = DuplicateRule {
                    alert: false,
                    matching,
                    ..DuplicateRule::standard_contact()
                };
                org.duplicate_rules.push(blocks);
                hotel.sandbox.set_org_settings(org);
            }
            Case::Key(settings) => hotel.account.set_stripe_key(STRIPE_KEY, settings),
            Case::Blank(object, field) => {
                hotel
                    .sandbox
                    .blank(object, None, Some(&[(*field).to_owned()]))
                    .unwrap();
            }
            Case::Omit(field) => {
                omitted.push((*field).to_owned());
                hotel.account.omit_from_stripe(&omitted);
            }
            Case::Calm | Case::Edit(..) => {}
        }
    }
}

/// Makes the edits of the cases, and lifts the faults when it is time.
pub async fn edit_records(hotel: &SimulatedHotel, cases: &[Case]) {
    let mut edits: Vec<_> = cases
        .iter()
        .filter_map(|c| {
            if let Case::Edit(o, after) = c {
                Some((*after, *o))
            } else {
                None
            }
        })
        .collect();
    edits.sort();
    let mut gone = Duration::ZERO;
    for (after, object) in edits {
        tokio::time::sleep(after.saturating_sub(gone)).await;
        gone = after;
        edit(hotel, object);
    }
    tokio::time::sleep(REPAIRED_AFTER.saturating_sub(gone)).await;
    hotel.sandbox.clear_faults();
    hotel
        .account
        .set_stripe_key(STRIPE_KEY, &KeySettings::default());
    hotel.account.omit_from_stripe(&[]);
    let org = hotel.sandbox.org_settings();
    let duplicate_rules = OrgSettings::default().duplicate_rules;
    hotel.sandbox.set_org_settings(OrgSettings {
        validation_rules: Vec::new(),
        duplicate_rules,
        ..org
    });
    hotel.journal.hooks(|h| h.delay = Duration::ZERO);
}

/// Another user writes a row of Beth's stay: an edit typical of a front desk, not one that the
/// hotel would make.
pub fn edit(hotel: &SimulatedHotel, object: &str) {
    let booking = hotel.booking("BK-0042");
    let (id, field, value): (&Value, &str, Value) = match object {
        "Booking__c" => (
            &booking["Id"],
            "Special_Requests__c",
            json!("late check-out, please"),
        ),
        "Hotel_Room__c" => (&booking["Room__c"], "Status__c", json!("Maintenance")),
        _ => (
            &booking["Opportunity__c"],
            "StageName",
            json!("Negotiation/Review"),
        ),
    };
    let fields: Map<String, Value> = [(field.to_owned(), value)].into_iter().collect();
    hotel
        .sandbox
        .edit(object, id.as_str().unwrap(), &fields)
        .unwrap();
}
