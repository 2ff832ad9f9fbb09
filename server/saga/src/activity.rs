//! The interface of a step's code, in one direction.

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;

use crate::{
    context::Context,
    event::{Fault, Outcome, Request},
};

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
pub enum OutcomeCheck<T = Value> {
    Outcome(Outcome<T>),
    /// Send the same bytes again: the outside system recognizes them.
    SendAgain,
    /// First send this guard, so that a late effect can do no harm; then check again.
    Guard(Request),
}

impl<T> From<Outcome<T>> for OutcomeCheck<T> {
    fn from(outcome: Outcome<T>) -> Self {
        Self::Outcome(outcome)
    }
}

/// A step in one direction.
#[async_trait]
pub trait Activity: Send + Sync {
    /// What is journaled when it is done.
    type Output: Serialize + Send;

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

    /// Sends the journaled bytes. An activity that never plans a request has nothing to send.
    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<Self::Output> {
        let _ = (cx, request);
        Outcome::Refused(Fault::new("nothing_to_send", "the step sends nothing"))
    }

    /// Determines the outcome of a request: after an unknown outcome, after a crash, or while
    /// someone outside must act.
    async fn determine_outcome(
        &self,
        cx: Context<'_>,
        request: &Request,
    ) -> OutcomeCheck<Self::Output> {
        let _ = (cx, request);
        OutcomeCheck::SendAgain
    }

    /// Whether the refusal of a repeated request replays the response to the first one. Any other
    /// refusal may have happened before the outside system recognized the repetition.
    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        let _ = fault;
        false
    }

    /// Sends a guard's journaled bytes.
    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.send(cx, request).await.journaled()
    }
}

/// An activity as the runner sees it: its output is the journaled value.
pub type JournaledActivity = dyn Activity<Output = Value>;

/// Makes a [`JournaledActivity`] of any activity.
pub(crate) struct Journaled<A>(pub A);

#[async_trait]
impl<A: Activity> Activity for Journaled<A> {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        self.0.build(cx)
    }

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        self.0.prepare(cx).await
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.0.send(cx, request).await.journaled()
    }

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck {
        match self.0.determine_outcome(cx, request).await {
            OutcomeCheck::Outcome(outcome) => outcome.journaled().into(),
            OutcomeCheck::SendAgain => OutcomeCheck::SendAgain,
            OutcomeCheck::Guard(guard) => OutcomeCheck::Guard(guard),
        }
    }

    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        self.0.is_replayed_refusal(fault)
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.0.send_guard(cx, request).await
    }
}
