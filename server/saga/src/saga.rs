//! What a saga brings to the engine: its definition, its prerequisites, and an activity for each
//! step and direction.

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

/// The code of a fault that means: looked up, and it was not applied; what is sent next must be
/// built anew.
pub const NOT_APPLIED: &str = "not_applied";

/// The reason under which an execution ends that a person has settled by hand.
pub const SOLVED_BY_HAND: &str = "SOLVED_BY_HAND";

/// The code of a fault that means: the same bytes were sent again and refused, which says nothing
/// of the first sending. `details.refusal` is the fault as it was answered.
pub const REFUSED_ON_REPEAT: &str = "refused_on_repeat";

/// What an activity may look at. Only what is journaled counts, so that recovery sees the same.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The execution.
    pub id: ExecutionId,
    /// The caller's validated input.
    pub input: &'a Value,
    /// What happened so far.
    pub progress: &'a Progress,
    /// Now.
    pub now: Timestamp,
}

/// What the prerequisites say.
#[derive(Debug)]
pub enum Read {
    /// Go on.
    Ready {
        /// What the steps work from; journaled, so ids and states only.
        facts: Value,
        /// What must be held while this runs.
        claims: Vec<String>,
        /// What to find it by later.
        labels: Vec<(String, String)>,
    },
    /// Nothing is left to do: it is as the caller wants it.
    Finished {
        /// The tool's answer.
        answer: Value,
        /// What to find it by later.
        labels: Vec<(String, String)>,
    },
    /// It may not be done; nothing was done.
    Refused {
        /// The tool's answer.
        answer: Value,
    },
    /// The outside did not answer.
    TryLater {
        /// Why.
        fault: Fault,
    },
}

/// What an activity wants to do.
#[derive(Debug)]
pub enum Plan {
    /// Journal this and send it.
    Send(Request),
    /// First journal and send this, which makes a late effect of something sent earlier impossible;
    /// then plan again.
    Guard(Request),
    /// Nothing needs to be sent. A value with `"attention": "REASON"` ends the execution in need of
    /// a person.
    Skip(Value),
    /// It cannot be done.
    Refuse(Fault),
    /// It could not be found out what to do.
    TryLater(Fault),
}

/// What became of a request whose outcome was open.
#[derive(Debug)]
pub enum Resolved {
    /// This.
    Outcome(Outcome),
    /// Send the very same bytes again: the outside recognizes them.
    SendAgain,
    /// First send this, so that a straggler can do no harm; then ask again.
    Guard(Request),
}

/// What another look at the outside found, after the execution came to rest.
#[derive(Debug)]
pub enum Recheck {
    /// Nothing new.
    Quiet,
    /// Something of ours that has to be undone (or undone again).
    Found {
        /// Why it is reopened.
        decision: Decision,
        /// The effect.
        found: Option<Found>,
    },
    /// Something that only a person can judge: it becomes known, and nothing is done about it.
    Attention {
        /// Why it is reopened.
        decision: Decision,
        /// The effect.
        found: Found,
        /// Why it needs a person.
        reason: String,
    },
    /// The outside did not answer.
    TryLater,
}

/// One step in one direction.
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

    /// Finds out what became of a request: after an unknown outcome, after a crash, or while
    /// somebody outside has to act.
    async fn resolve(&self, cx: Context<'_>, request: &Request) -> Resolved {
        let _ = (cx, request);
        Resolved::SendAgain
    }

    /// Whether the refusal of a repeated sending is the first sending's own answer, given again.
    /// Anything else may have been refused before the outside recognized the repetition.
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
    /// Its steps.
    fn definition(&self) -> &'static Definition;

    /// Reads and validates everything, before anything is done.
    async fn read(&self, cx: Context<'_>) -> Read;

    /// A step's activity; `None` where a direction has nothing to do.
    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity>;

    /// The tool's answer when it comes to rest this way.
    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value;

    /// The tool's answer when another execution holds what this one needs.
    fn answer_held(&self, by: ExecutionId) -> Value;

    /// The tool's answer when the prerequisites could not be read.
    fn answer_unavailable(&self, fault: &Fault) -> Value;

    /// After the last step: why a person should look at it all the same, if so.
    fn afterthought(&self, cx: Context<'_>) -> Option<String> {
        let _ = cx;
        None
    }

    /// Rows beside the journal that go with what is about to be appended.
    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let _ = cx;
        Vec::new()
    }

    /// Labels that only later steps know.
    fn labels(&self, cx: Context<'_>) -> Vec<(String, String)> {
        let _ = cx;
        Vec::new()
    }

    /// Whether the outside has to be looked at again after coming to rest: only where something was
    /// believed not applied.
    fn wants_looks(&self, cx: Context<'_>) -> bool {
        let _ = cx;
        false
    }

    /// Looks at the outside once more.
    async fn look(&self, cx: Context<'_>) -> Recheck {
        let _ = cx;
        Recheck::Quiet
    }
}
