//! Invariants of TESTING.md, checked against the sandbox's ledger and the store's journal.

mod answers;
mod bookings;
mod calls;
mod cases;
mod charges;
mod check_ins;
mod check_outs;
mod expected;
pub mod installations;
mod payments;
mod texts;

use std::collections::BTreeMap;

use dewy_saga::{End, Event, Row, SignalAction, State, journal::Record};
use dewy_store::VerifyReport;
use serde_json::Value;

pub use crate::tools::{
    BOOK, CASES, CHARGE, CHECK_IN, CHECK_OUT, COMPENSATE, DEFECT, MANAGE, REQUEST, RESOLVE, ROOM,
    TEXT,
};

use self::installations::Owners;
use crate::{
    front_desk_client::{Answer, Expectations},
    ledger::Ledger,
    pending_text::looked_for,
    planted::Planted,
    proxy::Text,
    rest::AtRest,
};

const REASONS: [&str; 11] = [
    "REVERT_FAILED",
    "FOREIGN_EDIT",
    "REFUND_REFUSED",
    "REFUND_FAILED_LATER",
    "UNKNOWN_OUTCOME",
    "OPEN_BALANCE",
    "ORPHAN_OVER_LIMIT",
    "RECORD_UNREADABLE",
    "STUCK",
    "LATE_PAYMENT",
    "PAYMENT_DISPUTED",
];

/// Data to check.
#[derive(Debug)]
pub struct Scene<'a> {
    /// Records of the outside systems.
    pub ledger: &'a Ledger,
    /// Content of the store.
    pub found: &'a AtRest,
    /// Verification of each store's hash chains.
    pub verified: &'a [VerifyReport],
    /// Answers that callers received.
    pub answers: &'a [Answer],
    /// Injected payments.
    pub planted: &'a [Planted],
    /// Expected state of things that only one caller worked on, by its last answer.
    pub expected: Expectations,
    /// Texts that the network delivered more often than the hotel sent them.
    pub extra_texts: Vec<Text>,
    /// Whether a clock was wrong for a while, so that times in the journal may be.
    pub clocks_jumped: bool,
    /// Owner of each execution, where several installations run.
    pub owners: Owners,
}

impl Scene<'_> {
    /// Executions of one tool.
    fn of(&self, saga: &'static str) -> impl Iterator<Item = &Record> {
        self.found.records.iter().filter(move |r| r.saga == saga)
    }

    /// Executions by id.
    fn known(&self) -> BTreeMap<String, &Record> {
        self.found
            .records
            .iter()
            .map(|r| (r.id.to_string(), r))
            .collect()
    }
}

/// All violations.
pub fn violations(scene: &Scene<'_>) -> Vec<String> {
    let broken = scene.verified.iter().flat_map(|report| &report.faults);
    let mut wrong: Vec<String> = broken
        .map(|f| format!("I5: {:?}: {}", f.execution, f.what))
        .collect();
    for record in &scene.found.records {
        rests(record, scene, &mut wrong);
        stays_settled(record, &mut wrong);
    }
    check_outs::judge(scene, &mut wrong);
    check_ins::judge(scene, &mut wrong);
    charges::judge(scene, &mut wrong);
    payments::judge(scene, &mut wrong);
    texts::judge(scene, &mut wrong);
    calls::judge(scene, &mut wrong);
    answers::judge(scene, &mut wrong);
    bookings::judge(scene, &mut wrong);
    cases::judge(scene, &mut wrong);
    expected::judge(scene, &mut wrong);
    installations::judge(scene, &mut wrong);
    wrong
}

/// I7, and the part of I1 that an execution in need of a person says why.
fn rests(record: &Record, scene: &Scene<'_>, wrong: &mut Vec<String>) {
    if record.state == State::NeedsAttention {
        let reason = reason(record);
        if !reason.is_some_and(|r| REASONS.contains(&r)) {
            wrong.push(format!(
                "I1: {}: reason {reason:?} is not on the list",
                name(record)
            ));
        }
    } else if !record.state.has_ended() && !looked_for(record, scene.found.at) {
        let last = record.rows.last().map(|r| &r.event);
        wrong.push(format!(
            "I7: {} does not rest; last row: {last:?}",
            name(record)
        ));
    }
    if !record.signals.is_empty() {
        wrong.push(format!(
            "I7: {} was told and has not answered: {:?}",
            name(record),
            record.signals
        ));
    }
}

/// A completed execution is never compensated, and only a person reopens one that a person has
/// settled.
fn stays_settled(record: &Record, wrong: &mut Vec<String>) {
    let mut closed = None;
    let mut rows = record.rows.iter().peekable();
    while let Some(row) = rows.next() {
        match &row.event {
            Event::Ended {
                end: End::Completed,
                ..
            } => closed = Some("it had been completed"),
            Event::Ended {
                reason: Some(reason),
                ..
            } if reason == "SOLVED_BY_HAND" => {
                closed = Some("a person had settled it");
            }
            Event::Heard {
                taken: true, by, ..
            } if by.starts_with("staff:") => closed = None,
            // Money that nobody can have known of is brought to a person, and not moved.
            Event::Reopened { decision, .. }
                if brought_to_a_person(&decision.fault.code, rows.peek().copied()) => {}
            Event::Reopened { decision, .. } => {
                if let Some(closed) = closed {
                    let (why, by) = (&decision.fault.code, &decision.trigger);
                    wrong.push(format!(
                        "I1: {} was reopened by {by} ({why}), and {closed}",
                        name(record)
                    ));
                }
            }
            _ => {}
        }
    }
}

/// Whether a reopening only informed a person: the next row needs one again.
fn brought_to_a_person(code: &str, next: Option<&Row>) -> bool {
    matches!(code, "late_payment" | "refund_failed_later")
        && next.is_some_and(|row| {
            matches!(
                &row.event,
                Event::Ended {
                    end: End::NeedsAttention,
                    ..
                }
            )
        })
}

/// Name for people who investigate.
fn name(record: &Record) -> String {
    format!("{} ({} {})", record.id, record.saga, record.state)
}

/// Input facts; none when it ended before it had read anything.
fn facts(record: &Record) -> Option<&Value> {
    record.rows.iter().rev().find_map(|row| match &row.event {
        Event::Read { facts } if facts.is_object() => Some(facts),
        _ => None,
    })
}

/// Reason for its end.
fn reason(record: &Record) -> Option<&str> {
    record.rows.iter().rev().find_map(|row| match &row.event {
        Event::Ended { reason, .. } => Some(reason.as_deref()),
        _ => None,
    })?
}

/// Settled by a person: what they did outside the hotel is unknown.
fn by_hand(record: &Record) -> bool {
    reason(record) == Some("SOLVED_BY_HAND")
}

/// A signal changed its course.
fn told_otherwise(record: &Record) -> bool {
    record
        .rows
        .iter()
        .any(|row| matches!(&row.event, Event::Heard { taken: true, ask, .. } if *ask != SignalAction::Recheck))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests;
