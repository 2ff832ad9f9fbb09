//! The invariants of TESTING.md, read from the sandbox's ledger beside the store's journal.

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
pub mod texts;

use std::collections::BTreeMap;

use dewy_saga::{Ask, End, Event, Row, State, journal::Record};
use dewy_store::VerifyReport;
use jiff::SignedDuration;
use serde_json::Value;

use self::installations::Owners;
use crate::{
    front_desk_client::{Answer, Expectations},
    ledger::Ledger,
    orphans::Planted,
    proxy::Text,
    rest::AtRest,
};

/// The tools' names.
pub const CHECK_IN: &str = "check_in_guest";
pub const CHECK_OUT: &str = "process_guest_checkout";
pub const CHARGE: &str = "post_charge";
pub const COMPENSATE: &str = "compensate_checkout_failure";
pub const RESOLVE: &str = "resolve_execution";
pub const TEXT: &str = "send_text";
pub const BOOK: &str = "create_booking";
pub const REQUEST: &str = "submit_guest_service_request";
pub const DEFECT: &str = "submit_maintenance_request";
pub const CASES: &str = "manage_cases";
pub const MANAGE: &str = "manage_bookings";
pub const ROOM: &str = "set_room_status";

/// By how much a clock of ours may have been wrong.
pub const CLOCK_JUMP: SignedDuration = SignedDuration::from_secs(300);

const REASONS: [&str; 10] = [
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
];

/// Everything there is to judge by.
#[derive(Debug)]
pub struct Scene<'a> {
    /// What the outside systems have.
    pub ledger: &'a Ledger,
    /// What the store has.
    pub found: &'a AtRest,
    /// What the hash chains of each store say.
    pub verified: &'a [VerifyReport],
    /// What callers were told.
    pub answers: &'a [Answer],
    /// What was planted.
    pub planted: &'a [Planted],
    /// What callers were told of things that they alone worked on.
    pub expected: Expectations,
    /// Texts that the network delivered once more than the hotel sent them.
    pub extra_texts: Vec<Text>,
    /// Whether a clock of ours was wrong for a while, and so may be the times in the journal.
    pub clocks_jumped: bool,
    /// Whose executions these are, where several installations run.
    pub owners: Owners,
}

impl Scene<'_> {
    /// The executions of one tool.
    fn of(&self, saga: &'static str) -> impl Iterator<Item = &Record> {
        self.found.records.iter().filter(move |r| r.saga == saga)
    }

    /// The executions by their names.
    fn known(&self) -> BTreeMap<String, &Record> {
        self.found
            .records
            .iter()
            .map(|r| (r.id.to_string(), r))
            .collect()
    }
}

/// Everything that is wrong.
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

/// I7, and of I1 that whoever needs a person says why.
fn rests(record: &Record, scene: &Scene<'_>, wrong: &mut Vec<String>) {
    if record.state == State::NeedsAttention {
        let reason = reason(record);
        if !reason.is_some_and(|r| REASONS.contains(&r)) {
            wrong.push(format!(
                "I1: {}: reason {reason:?} is not on the list",
                name(record)
            ));
        }
    } else if !record.state.at_rest() && !texts::looked_for(record, scene.found.at) {
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

/// What was completed is never undone, and what a person has settled is only opened by a person.
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

/// Whether a reopening only told a person of it: it needs one again in the very next row.
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

/// For people who look into it.
fn name(record: &Record) -> String {
    format!("{} ({} {})", record.id, record.saga, record.state)
}

/// What it worked from; none when it ended before it had read anything.
fn facts(record: &Record) -> Option<&Value> {
    record.rows.iter().rev().find_map(|row| match &row.event {
        Event::Read { facts } if facts.is_object() => Some(facts),
        _ => None,
    })
}

/// Why it ended as it did.
fn reason(record: &Record) -> Option<&str> {
    record.rows.iter().rev().find_map(|row| match &row.event {
        Event::Ended { reason, .. } => Some(reason.as_deref()),
        _ => None,
    })?
}

/// A person has settled it by hand: what they did outside the hotel nobody knows.
fn by_hand(record: &Record) -> bool {
    reason(record) == Some("SOLVED_BY_HAND")
}

/// Somebody told it to do something else than it would have done.
fn told_otherwise(record: &Record) -> bool {
    record
        .rows
        .iter()
        .any(|row| matches!(&row.event, Event::Heard { taken: true, ask, .. } if *ask != Ask::Look))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests;
