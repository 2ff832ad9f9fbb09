//! Journal events: one immutable row for each thing that happened to an execution.

pub use dewy_outcome::{Fault, Outcome};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::signal::SignalAction;

/// Fault code: the request was looked up and was not applied; the next request must be built anew.
pub const NOT_APPLIED: &str = "not_applied";

/// Fault code: the outcome can't be told before the next second begins. The check is repeated then,
/// and counts toward no limit.
pub const SAME_SECOND: &str = "same_second";

/// Fault code: the same bytes were sent again and refused, which says nothing about the first
/// request. `details.refusal` is the fault as received.
pub const REFUSED_ON_REPEAT: &str = "refused_on_repeat";

/// Reason of an execution that a person resolved by hand.
pub const RESOLVED_BY_HAND: &str = "SOLVED_BY_HAND";

/// Direction of a step: forward does the work; back compensates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Toward completion.
    Forward,
    /// Compensation.
    Back,
}

/// A request exactly as it will be sent, and sent again during recovery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Idempotency key by which the outside system recognizes a repetition, if it supports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How long the sender waits for the response, in milliseconds.
    pub deadline_ms: u64,
    /// Exact bytes and their destination; only the activity that wrote it reads it.
    pub payload: Value,
}

/// Why an execution started to compensate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The step that could not go forward, or the trigger's own name.
    pub because: String,
    /// Last fault of the outside system.
    pub fault: Fault,
    /// Who requested it: `saga`, `watch`, or the sender of the signal (`staff:…`, `sweep`).
    pub trigger: String,
}

/// How an execution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    Completed,
    /// Nothing was charged and nothing was changed.
    Refused,
    Compensated,
    /// A person must check it.
    NeedsAttention,
    /// A person resolved it outside this program.
    SettledByHand,
}

/// One row of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    Queued {
        /// Name of the definition.
        saga: String,
        /// Version of the definition; a running execution keeps the version it started with.
        version: u32,
    },
    /// The prerequisites call for another version than the one it was accepted with.
    VersionChosen {
        /// Version of the definition that it runs.
        version: u32,
    },
    /// The prerequisites were read and are met.
    Read {
        /// Facts the steps work from: ids, dates, statuses, amounts.
        facts: Value,
    },
    /// `request` is about to be sent.
    Intended {
        step: String,
        #[serde(rename = "way")]
        direction: Direction,
        /// Attempt number: 1 for the first request built for this step in this direction.
        attempt: u32,
        /// True for a guard: a fencing write that makes a late effect of the main request
        /// impossible.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        guard: bool,
        /// Exact bytes.
        request: Request,
    },
    /// The outcome of the latest intent's request is known.
    Settled {
        step: String,
        #[serde(rename = "way")]
        direction: Direction,
        /// True for the outcome of a guard.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        guard: bool,
        /// True if it was looked up instead of read from the request's own response.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        looked: bool,
        outcome: Outcome,
    },
    /// The step needs no request in this direction.
    Skipped {
        step: String,
        #[serde(rename = "way")]
        direction: Direction,
        /// Reason, for people: what was found, what differed.
        why: Value,
    },
    /// From here on the execution only compensates.
    Decided {
        /// Cause and requester.
        decision: Decision,
    },
    Ended {
        end: End,
        /// For `needs_attention`, one of the listed reasons.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The execution answered a signal. The next rows hold the consequences.
    #[serde(rename = "heard")]
    SignalHandled {
        /// Signal key; the person's own text is stored outside the journal.
        key: String,
        /// What was requested.
        #[serde(rename = "ask")]
        action: SignalAction,
        /// Sender.
        by: String,
        /// Whether the signal was accepted; false if the state did not allow it.
        #[serde(rename = "taken")]
        accepted: bool,
    },
    /// A person made the execution go forward; only possible from `needs_attention`.
    Resumed {
        /// Person.
        by: String,
    },
    /// A recheck for late effects ran after the end.
    Watched {
        /// Number of this recheck, starting at 1.
        look: u32,
    },
    /// The execution is no longer ended: an effect of ours turned up, a compensation failed later,
    /// or a person requested it.
    Reopened {
        /// Cause and requester.
        decision: Decision,
        /// What turned up: the step whose effect exists, and the effect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found: Option<FoundEffect>,
    },
}

/// An effect that turned up although we believed there was none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundEffect {
    /// Step that caused the effect.
    pub step: String,
    /// Value, as the step would have journaled it.
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Sequence number, from 1, without gaps.
    pub seq: i64,
    /// Time of the append, by the appender's clock.
    pub at: Timestamp,
    /// Worker that appended it.
    pub by: String,
    /// Fencing token under which it was appended.
    pub fence: i64,
    pub event: Event,
    /// Hash over this row and the previous digest.
    pub digest: String,
}
