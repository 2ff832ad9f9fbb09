//! The interface of a saga: its definition, its prerequisites, and an activity for each step and
//! direction.

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;

use crate::{
    definition::Definition,
    event::{Decision, Direction, End, Fault, Found, Outcome, Request},
    id::ExecutionId,
    journal::Projection,
    progress::Progress,
};

/// Fault code: the request was looked up and was not applied; the next request must be built anew.
pub const NOT_APPLIED: &str = "not_applied";

/// Fault code: the outcome can't be told before the next second begins. The check is repeated then,
/// and counts toward no limit.
pub const SAME_SECOND: &str = "same_second";

/// Reason of an execution that a person resolved by hand.
pub const SOLVED_BY_HAND: &str = "SOLVED_BY_HAND";

/// Fault code: the same bytes were sent again and refused, which says nothing about the first
/// request. `details.refusal` is the fault as received.
pub const REFUSED_ON_REPEAT: &str = "refused_on_repeat";

/// Input of an activity. It may only depend on what is journaled, so that recovery sees the same.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Execution id.
    pub id: ExecutionId,
    /// The caller's validated input.
    pub input: &'a Value,
    /// Progress so far.
    pub progress: &'a Progress,
    /// Current time.
    pub now: Timestamp,
}

/// Result of reading the prerequisites.
#[derive(Debug)]
pub enum Read {
    /// The saga can start.
    Ready {
        /// Facts the steps work from; journaled, so ids and states only.
        facts: Value,
        /// Resources to claim for the duration of the execution.
        claims: Vec<String>,
        /// Labels to find it by.
        labels: Vec<(String, String)>,
    },
    /// Nothing to do: the requested state is already there.
    Finished {
        /// The tool's answer.
        answer: Value,
        /// Labels to find it by.
        labels: Vec<(String, String)>,
    },
    /// Not allowed; nothing was done.
    Refused {
        /// The tool's answer.
        answer: Value,
    },
    /// An outside system did not answer.
    TryLater {
        /// Cause.
        fault: Fault,
    },
}

/// What an activity plans to do.
#[derive(Debug)]
pub enum Plan {
    /// Journal this request and send it.
    Send(Request),
    /// First journal and send this request, which makes a late effect of an earlier one impossible;
    /// then plan again.
    Guard(Request),
    /// Nothing to send. A value with `"attention": "REASON"` ends the execution as needing
    /// attention.
    Skip(Value),
    /// It cannot be done.
    Refuse(Fault),
    /// The plan could not be determined.
    TryLater(Fault),
}

/// Resolution of a request whose outcome was open.
#[derive(Debug)]
pub enum Resolved {
    /// This outcome.
    Outcome(Outcome),
    /// Send the same bytes again: the outside system recognizes them.
    SendAgain,
    /// First send this guard, so that a late effect can do no harm; then check again.
    Guard(Request),
}

/// Result of a recheck after the execution ended.
#[derive(Debug)]
pub enum Recheck {
    /// Nothing new.
    Quiet,
    /// An effect of ours that must be compensated (again).
    Found {
        /// Why it is reopened.
        decision: Decision,
        /// Effect.
        found: Option<Found>,
    },
    /// Something only a person can judge: it is reported, and nothing else is done about it.
    Attention {
        /// Why it is reopened.
        decision: Decision,
        /// Effect.
        found: Found,
        /// Why it needs attention.
        reason: String,
    },
    /// The outside system did not answer.
    TryLater,
}

/// A step in one direction.
#[async_trait]
pub trait Activity: Send + Sync {
    /// The plan, when it follows from the journal alone: then its intent shares a commit with the
    /// outcome before it.
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let _ = cx;
        None
    }

    /// The plan, when something has to be read first.
    async fn prepare(&self, cx: Context<'_>) -> Plan {
        self.build(cx)
            .unwrap_or_else(|| Plan::Refuse(Fault::new("no_plan", "the step knows no plan")))
    }

    /// Sends the journaled bytes.
    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome;

    /// Determines the outcome of a request: after an unknown outcome, after a crash, or while
    /// someone outside must act.
    async fn resolve(&self, cx: Context<'_>, request: &Request) -> Resolved {
        let _ = (cx, request);
        Resolved::SendAgain
    }

    /// Whether the refusal of a repeated request is the first one's own answer, given again. Any
    /// other refusal may have come before the outside system recognized the repetition.
    fn speaks_of_all(&self, fault: &Fault) -> bool {
        let _ = fault;
        false
    }

    /// Sends a guard's journaled bytes.
    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.send(cx, request).await
    }
}

/// A saga.
#[async_trait]
pub trait Saga: Send + Sync {
    /// The saga's definition.
    fn definition(&self) -> &'static Definition;

    /// Reads and validates all prerequisites, before anything is done.
    async fn read(&self, cx: Context<'_>) -> Read;

    /// A step's activity; `None` for a direction without work.
    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity>;

    /// The tool's answer for this end.
    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value;

    /// The tool's answer when another execution holds a required resource.
    fn answer_held(&self, by: ExecutionId) -> Value;

    /// The tool's answer when the prerequisites could not be read.
    fn answer_unavailable(&self, fault: &Fault) -> Value;

    /// After the last step: the reason why a person should check it anyway, if any.
    fn afterthought(&self, cx: Context<'_>) -> Option<String> {
        let _ = cx;
        None
    }

    /// Projections to write with the next append.
    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let _ = cx;
        Vec::new()
    }

    /// Labels that only later steps know.
    fn labels(&self, cx: Context<'_>) -> Vec<(String, String)> {
        let _ = cx;
        Vec::new()
    }

    /// Whether rechecks are needed after the end: only where something was believed not applied.
    fn wants_looks(&self, cx: Context<'_>) -> bool {
        let _ = cx;
        false
    }

    /// Rechecks the outside systems.
    async fn look(&self, cx: Context<'_>) -> Recheck {
        let _ = cx;
        Recheck::Quiet
    }
}
