//! What the journal holds: one row for each thing that happened to an execution, never changed
//! afterwards.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::signal::Ask;

/// Forward does the work; back reverses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Towards completion.
    Forward,
    /// Compensation.
    Back,
}

/// A request exactly as it will be sent, and sent again by whoever recovers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The key under which the outside system recognizes a repetition, if it has such keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How long the sender waits for the answer, in milliseconds.
    pub deadline_ms: u64,
    /// The exact bytes and where they go; only the activity that wrote it reads it.
    pub payload: Value,
}

/// Why something did not work: what the outside said, made stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Stable and short, for programs: `card_declined`, `timeout`.
    pub code: String,
    /// For engineers and staff; holds no personal data and no secret.
    pub message: String,
    /// Further facts: ids, decline codes.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
    /// What the outside asked us to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// True when the outside refused for good, in its own words: the very same request would be
    /// refused again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub permanent: bool,
}

impl Fault {
    /// A fault without details.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            details: Value::Null,
            retry_after_ms: None,
            permanent: false,
        }
    }

    /// The same fault with details.
    #[must_use]
    pub fn with(mut self, details: Value) -> Self {
        self.details = details;
        self
    }
}

/// What became of one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It took effect; `value` is what later steps need of the answer.
    Done {
        /// Ids and states, no names.
        value: Value,
    },
    /// It was refused for good; nothing took effect.
    Refused {
        /// Why.
        fault: Fault,
    },
    /// It definitely was not applied and may be sent again later.
    TryLater {
        /// Why.
        fault: Fault,
    },
    /// It may have taken effect, or may yet.
    Unknown {
        /// Why.
        fault: Fault,
    },
    /// Accepted, and now somebody else has to act (a bank, a guest).
    Waiting {
        /// What the waiting needs: ids, the URL to act at.
        value: Value,
    },
}

/// What made an execution turn back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The step that could not go forward, or the trigger's own name.
    pub because: String,
    /// What the outside last said.
    pub fault: Fault,
    /// Who asked: `saga`, `watch`, or whoever's signal it was (`staff:…`, `sweep`).
    pub trigger: String,
}

/// How an execution comes to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Everything was done.
    Completed,
    /// Nothing was charged and nothing was moved.
    Refused,
    /// What was done has been undone.
    Compensated,
    /// A person has to look at it.
    NeedsAttention,
    /// A person settled it outside this program.
    SettledByHand,
}

/// One row of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The execution exists.
    Queued {
        /// Name of the definition.
        saga: String,
        /// Its version; a running execution finishes on the version it began with.
        version: u32,
    },
    /// The prerequisites were read and found good.
    Read {
        /// What the steps work from: ids, dates, statuses, amounts.
        facts: Value,
    },
    /// `request` will now be sent.
    Intended {
        /// The step.
        step: String,
        /// In which direction.
        way: Direction,
        /// 1 for the first request built for this step in this direction.
        attempt: u32,
        /// True for a fencing write that makes a late effect of the main request impossible.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        guard: bool,
        /// The exact bytes.
        request: Request,
    },
    /// The request of the latest intent was answered, or what became of it was found out.
    Settled {
        /// The step.
        step: String,
        /// In which direction.
        way: Direction,
        /// True when the answer is that of a guard.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        guard: bool,
        /// True when it was found out by looking it up, not by the request's own answer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        looked: bool,
        /// What became of it.
        outcome: Outcome,
    },
    /// The step needs no request in this direction.
    Skipped {
        /// The step.
        step: String,
        /// In which direction.
        way: Direction,
        /// Why, for people: what was found, what differed.
        why: Value,
    },
    /// From here on nothing goes forward any more.
    Decided {
        /// Why and by whom.
        decision: Decision,
    },
    /// The execution came to rest.
    Ended {
        /// How.
        end: End,
        /// For `needs_attention` one of the listed reasons.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Something was said to the execution from outside it, and this is where it was answered. What
    /// follows is in the next rows.
    Heard {
        /// Which signal; the person's own words stay beside the journal.
        key: String,
        /// What was asked.
        ask: Ask,
        /// By whom.
        by: String,
        /// Whether anything follows from it; if not, the state did not allow it.
        taken: bool,
    },
    /// A person has it go forward after all; only from needing one.
    Resumed {
        /// Who.
        by: String,
    },
    /// At rest, the outside was looked at once more for late effects.
    Watched {
        /// Which look this was, from 1.
        look: u32,
    },
    /// At rest no longer: an effect of ours turned up, an undo came undone, or a person said so.
    Reopened {
        /// Why and by whom.
        decision: Decision,
        /// What turned up: the step whose effect exists after all, and what it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found: Option<Found>,
    },
}

/// An effect that turned up after we believed that there was none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The step whose effect it is.
    pub step: String,
    /// As the step would have journaled it.
    pub value: Value,
}

/// An event in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// From 1, without gaps.
    pub seq: i64,
    /// When it was appended, by the appender's clock.
    pub at: Timestamp,
    /// Who appended it: the worker.
    pub by: String,
    /// The fence under which it was appended.
    pub fence: i64,
    /// What happened.
    pub event: Event,
    /// Hash over this row and the digest before it.
    pub digest: String,
}
