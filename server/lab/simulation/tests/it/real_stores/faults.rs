//! The single faults of the real stores.

use crate::{
    fault_cases::{self, Case, Course},
    prelude::*,
    saga_faults::SagaRequest,
};

/// Whether a scene follows a stay for longer than it is waited for here.
fn takes_a_stay(saga_request: SagaRequest) -> bool {
    let one_call = matches!(
        saga_request,
        SagaRequest::HoldCheckIn | SagaRequest::HoldRelease | SagaRequest::HoldCheckOut
    );
    saga_request.holds() && !one_call
}

/// One fault of each kind at its most critical point: crashes at every step in both directions, and
/// outside-system faults.
pub fn single_faults() -> Vec<(Option<SagaRequest>, Course, Case)> {
    let mut faults = Vec::new();
    for point in CrashPoint::ALL {
        for (step, direction) in [
            ("pay", Direction::Forward),
            ("move", Direction::Forward),
            ("pay", Direction::Back),
            ("move", Direction::Back),
        ] {
            let course = if direction == Direction::Forward {
                Course::Forward
            } else {
                Course::Applied
            };
            faults.push((CHECK_OUT, course, Case::Crash(point, step, direction, 0)));
        }
    }
    let outside = [
        (
            System::Stripe,
            "payment_intent_create",
            FaultKind::TimeoutAfterEffect,
        ),
        (
            System::Stripe,
            "payment_intent_create",
            FaultKind::TimeoutBeforeEffect,
        ),
        (
            System::Stripe,
            "payment_intent_create",
            FaultKind::LockTimeout,
        ),
        (
            System::Stripe,
            "payment_intent_create",
            FaultKind::GarbageBody,
        ),
        (
            System::Salesforce,
            "composite",
            FaultKind::TimeoutAfterEffect,
        ),
        (System::Salesforce, "composite", FaultKind::LateEffect),
        (System::Salesforce, "composite", FaultKind::UnableToLockRow),
        (System::Salesforce, "query", FaultKind::ExpiredSession),
        (System::Salesforce, "update", FaultKind::ResetAfterEffect),
        (System::Stripe, "refund_create", FaultKind::ResetAfterEffect),
        (System::Stripe, "refund_create", FaultKind::LockTimeout),
    ];
    for (system, operation, kind) in outside {
        let course = if matches!(operation, "update" | "refund_create") {
            Course::NothingApplied
        } else {
            Course::Forward
        };
        faults.push((
            CHECK_OUT,
            course,
            Case::Outside(Fault::new(system, operation, kind).ms(1_500)),
        ));
    }
    for (course, operation) in [
        (Course::Forward, "composite"),
        (Course::Applied, "composite"),
        (Course::NothingApplied, "upsert"),
    ] {
        for fault in again(System::Salesforce, operation) {
            faults.push((CHECK_OUT, course, Case::Outside(fault)));
        }
    }
    for (course, operation) in [
        (Course::Forward, "payment_intent_create"),
        (Course::Applied, "refund_create"),
    ] {
        for fault in again(System::Stripe, operation) {
            faults.push((CHECK_OUT, course, Case::Outside(fault)));
        }
    }
    // Every saga of one write, with its answer lost and with its write delivered again.
    let alone = |saga_request: &SagaRequest| {
        saga_request.writes_once() && *saga_request != SagaRequest::Undo
    };
    for saga_request in SagaRequest::ALL.into_iter().filter(alone) {
        let operation = if saga_request == SagaRequest::Contact {
            "create"
        } else {
            "composite"
        };
        let lost = salesforce(operation, FaultKind::TimeoutAfterEffect).ms(1_500);
        for fault in again(System::Salesforce, operation)
            .into_iter()
            .chain([lost])
        {
            faults.push((Some(saga_request), Course::Forward, Case::Outside(fault)));
        }
    }
    // What several executions are about: the sweep, a decision of staff, a retry, a text.
    for saga_request in SagaRequest::ALL
        .into_iter()
        .filter(|saga_request| !saga_request.writes_once() && !takes_a_stay(*saga_request))
    {
        // The desk asks for the very same as the sweep: its crashes are those.
        for (step, direction) in saga_request
            .steps()
            .iter()
            .filter(|_| saga_request != SagaRequest::Staff)
        {
            // A text that was perhaps sent and cannot be found is sent again after ten minutes,
            // which nobody waits for here.
            let takes_minutes =
                |point: &CrashPoint| *step == "send" && *point == CrashPoint::AfterIntent;
            let points = CrashPoint::ALL
                .into_iter()
                .filter(|point| !takes_minutes(point));
            faults.extend(points.map(|point| {
                (
                    Some(saga_request),
                    saga_request.course(),
                    Case::Crash(point, step, *direction, 0),
                )
            }));
        }
        for (system, operation) in saga_request.operations() {
            let twice = Fault::new(*system, operation, FaultKind::DeliveredTwice);
            let lost = Fault::new(*system, operation, FaultKind::TimeoutAfterEffect).ms(1_500);
            faults.extend([twice, lost].map(|fault| {
                (
                    Some(saga_request),
                    saga_request.course(),
                    Case::Outside(fault),
                )
            }));
        }
    }
    faults
}

/// No scene of its own: Beth checks out.
pub const CHECK_OUT: Option<SagaRequest> = None;

/// W8, in real time.
fn again(system: System, operation: &str) -> Vec<Fault> {
    let here = |fault: Fault| Fault {
        system,
        operation: operation.to_owned(),
        ..fault
    };
    let soon = |fault: Fault| {
        if fault.ms.is_some_and(|ms| ms > 2_000) {
            fault.ms(2_500)
        } else {
            fault
        }
    };
    fault_cases::replayed_deliveries()
        .into_iter()
        .map(here)
        .map(soon)
        .collect()
}
