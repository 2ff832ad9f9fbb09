//! Invariants of TESTING.md, checked against the outside systems' ledgers and the store's journal:
//! for simulated hotels and for real processes that are killed alike.
//!
//! ```text
//! ledger of the sandbox ─┐
//! content of the store ──┼─► Evidence ─► violations, each named by its invariant
//! answers to callers ────┘
//! ```

mod answers;
mod bookings;
mod cases;
mod charges;
mod check_ins;
mod check_outs;
mod folio_lines;
mod holds;
pub mod installations;
mod last_answers;
mod payments;
mod stripe_calls;
mod text_messages;
pub mod without_journal;

use std::collections::BTreeMap;

use dewy_saga::{Direction, End, Event, Row, SignalAction, State, journal::ExecutionRecord};
use jiff::SignedDuration;
use serde_json::Value;

use self::installations::Owners;
use crate::{
    caller_answer::{CallerAnswer, Expectations},
    injected_payments::InjectedPayment,
    outside_records::{OutsideRecords, text},
    pending_text::is_being_searched,
    store_content::StoreContent,
    tool_names::{
        BOOK, CASES, CHARGE, CHECK_IN, CHECK_OUT, COMPENSATE, DEFECT, GRANT, LATE_CHECKOUT, MANAGE,
        RENEW, REQUEST, RESOLVE, REVIEW, ROOM, TEXT, UNDO, WALK_IN,
    },
};

/// Why an execution may need a person.
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
    "HOLD_NOT_RELEASED",
];
/// Why it may need one where others work as well.
const OTHERS: [&str; 2] = ["COMPENSATED_BY_ANOTHER", "RECORD_INCOMPLETE"];
/// Why a review of what others did to a payment needs one.
const REVIEWS: [&str; 3] = ["PAYMENT_DISPUTED", "DISPUTE_LOST", "REFUNDED_ELSEWHERE"];

/// Data to check.
#[derive(Debug)]
pub struct Evidence<'a> {
    pub ledger: &'a OutsideRecords,
    pub found: &'a StoreContent,
    /// Answers that callers received.
    pub answers: &'a [CallerAnswer],
    /// Payments injected for the orphan check to find.
    pub planted: &'a [InjectedPayment],
    /// Expected state of things that only one caller worked on, by its last answer.
    pub expected: Expectations,
    /// Texts that the network delivered more often than the hotel sent them.
    pub extra_texts: Vec<(String, String)>,
    /// Maximum error of a process's clock, and so of times in the journal.
    pub clock_error: SignedDuration,
    /// Owner of each execution, where several installations run.
    pub owners: Owners,
    /// Executions in other stores, or whose records were removed on purpose.
    pub elsewhere: Vec<String>,
    /// Whether other programs and people edit the hotel's records, pay, and refund.
    pub others: bool,
}

impl<'a> Evidence<'a> {
    /// A hotel that nobody else touches, with clocks that are right.
    pub fn new(ledger: &'a OutsideRecords, found: &'a StoreContent) -> Self {
        Self {
            ledger,
            found,
            answers: &[],
            planted: &[],
            expected: Expectations::new(),
            extra_texts: Vec::new(),
            clock_error: SignedDuration::ZERO,
            owners: Owners::new(),
            elsewhere: Vec::new(),
            others: false,
        }
    }

    /// Whether others may have changed this record last: their edits are kept, and not judged.
    fn edited_elsewhere(&self, row: &Value) -> bool {
        let user = self.ledger.by_id("User", &row["LastModifiedById"]);
        let by = text(&user["Name"]);
        self.others && (by.starts_with("Front Desk") || by.starts_with("Automated"))
    }

    /// Executions of one tool.
    fn of(&self, saga: &'static str) -> impl Iterator<Item = &ExecutionRecord> {
        self.found.records.iter().filter(move |r| r.saga == saga)
    }

    /// Executions by id.
    fn known(&self) -> BTreeMap<String, &ExecutionRecord> {
        self.found
            .records
            .iter()
            .map(|r| (r.id.to_string(), r))
            .collect()
    }
}

pub fn violations(evidence: &Evidence<'_>) -> Vec<String> {
    let broken = evidence.found.chain_faults.iter();
    let mut wrong: Vec<String> = broken.map(|fault| format!("I5: {fault}")).collect();
    for record in &evidence.found.records {
        rests(record, evidence, &mut wrong);
        stays_settled(record, &mut wrong);
    }
    check_outs::check(evidence, &mut wrong);
    check_ins::judge(evidence, &mut wrong);
    charges::judge(evidence, &mut wrong);
    payments::judge(evidence, &mut wrong);
    text_messages::judge(evidence, &mut wrong);
    stripe_calls::judge(evidence, &mut wrong);
    answers::judge(evidence, &mut wrong);
    bookings::judge(evidence, &mut wrong);
    cases::judge(evidence, &mut wrong);
    last_answers::judge(evidence, &mut wrong);
    installations::judge(evidence, &mut wrong);
    folio_lines::judge(evidence, &mut wrong);
    holds::judge(evidence, &mut wrong);
    wrong.extend(without_journal::ledger_violations(evidence.ledger));
    wrong
}

/// I7, and the part of I1 that an execution in need of a person says why.
fn rests(record: &ExecutionRecord, evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    if record.state == State::NeedsAttention {
        let reason = reason(record);
        let listed = |r: &str| {
            REASONS.contains(&r)
                || (evidence.others && OTHERS.contains(&r))
                || (record.saga == REVIEW && REVIEWS.contains(&r))
        };
        if !reason.is_some_and(listed) {
            wrong.push(format!(
                "I1: {}: reason {reason:?} is not on the list",
                name(record)
            ));
        }
    } else if !record.state.has_ended()
        && !evidence
            .found
            .at
            .is_some_and(|at| is_being_searched(record, at))
    {
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
fn stays_settled(record: &ExecutionRecord, wrong: &mut Vec<String>) {
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
            Event::SignalHandled {
                accepted: true, by, ..
            } if by.starts_with("staff:") => closed = None,
            // Money that nobody can have known of is brought to a person, and not moved.
            Event::Reopened { decision, .. }
                if reopened_for_information(&decision.fault.code, rows.peek().copied()) => {}
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
fn reopened_for_information(code: &str, next: Option<&Row>) -> bool {
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
fn name(record: &ExecutionRecord) -> String {
    format!("{} ({} {})", record.id, record.saga, record.state)
}

/// Input facts; none when it ended before it had read anything.
fn facts(record: &ExecutionRecord) -> Option<&Value> {
    record.rows.iter().rev().find_map(|row| match &row.event {
        Event::Read { facts } if facts.is_object() => Some(facts),
        _ => None,
    })
}

fn reason(record: &ExecutionRecord) -> Option<&str> {
    record.rows.iter().rev().find_map(|row| match &row.event {
        Event::Ended { reason, .. } => Some(reason.as_deref()),
        _ => None,
    })?
}

/// Whether a step was sent, forward.
fn sent(record: &ExecutionRecord, name: &str) -> bool {
    record.rows.iter().any(|row| matches!(&row.event, Event::Intended { step, direction: Direction::Forward, .. } if step == name))
}

/// Settled by a person: what they did outside the hotel is unknown.
fn is_settled_by_hand(record: &ExecutionRecord) -> bool {
    reason(record) == Some("SOLVED_BY_HAND")
}

/// A signal changed its course.
fn has_redirecting_signal(record: &ExecutionRecord) -> bool {
    record
        .rows
        .iter()
        .any(|row| matches!(&row.event, Event::SignalHandled { accepted: true, action, .. } if *action != SignalAction::Recheck))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests;
