//! Signals from one execution to another: sends the signal durably, then follows the target. The
//! target decides.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{payment_intent_id::PaymentIntentId, vocabulary::FaultCode};
use dewy_saga::{
    Activity, Context, Event, ExecutionId, Fault, Journal, Outcome, OutcomeCheck, Plan, Request,
    Signal, SignalAction, State, StepId, journal::ExecutionRecord,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{engine_conversions, started_by::StartedBy};

/// How long the store may take to save a signal.
const DEADLINE: Duration = Duration::from_secs(5);

pub(crate) const ASK: StepId = StepId::new("ask");
pub(crate) const FOLLOW: StepId<FollowedExecution> = StepId::new("follow");

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FollowedExecution {
    pub id: ExecutionId,
    pub state: State,
    /// Why it needs attention, if so.
    pub reason: Option<String>,
    /// Whether it accepted the signal; `None` while the signal is unanswered.
    pub taken: Option<bool>,
    /// Its payment; `None` in journals of older releases.
    pub payment: Option<PaymentIntentId>,
}

/// Target and request, from the journal alone; `None` when no signal is needed.
pub(crate) type SignalTarget = fn(&Context<'_>) -> Option<(ExecutionId, SignalAction)>;

/// Sends the signal. Its key is the requesting execution's id, so sending it twice has no further
/// effect.
pub(crate) struct SendSignal {
    pub journal: Arc<dyn Journal>,
    pub signal_target: SignalTarget,
}

/// Journaled form of a signal to send.
#[derive(Serialize, Deserialize)]
struct SignalRequest {
    target: ExecutionId,
    #[serde(rename = "ask")]
    action: SignalAction,
    by: String,
}

/// Journaled form of an execution to follow; every [`SignalRequest`] is one.
#[derive(Deserialize)]
struct Target {
    target: ExecutionId,
}

#[derive(Default, Deserialize)]
struct StatedReason {
    reason: String,
}

/// Requester, as the dispatcher wrote it into the input.
pub(crate) fn requester(cx: &Context<'_>) -> String {
    match StartedBy::of(cx).key {
        "" => "hotel".to_owned(),
        key => key.to_owned(),
    }
}

#[async_trait]
impl Activity for SendSignal {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some((target, action)) = (self.signal_target)(&cx) else {
            return Some(Plan::Skip(json!({ "note": "nobody has to be asked" })));
        };
        let payload = engine_conversions::value(&SignalRequest {
            target,
            action,
            by: requester(&cx),
        });
        let deadline_ms = u64::try_from(DEADLINE.as_millis()).unwrap_or(u64::MAX);
        Some(Plan::Send(Request {
            key: Some(cx.id.to_string()),
            deadline_ms,
            payload,
        }))
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome {
        let Some(SignalRequest { target, action, by }) = engine_conversions::read(&request.payload)
        else {
            let words = "whom to ask cannot be read";
            return Outcome::Refused(Fault::new(FaultCode::UnreadableJournal, words));
        };
        let signal = Signal {
            key: cx.id.to_string(),
            action,
            by,
            why: engine_conversions::read::<StatedReason>(cx.input)
                .unwrap_or_default()
                .reason,
        };
        let sent = self.journal.signal(target, &signal, cx.now).await;
        engine_conversions::stored(sent).and_then(|there_is| match there_is {
            true => Outcome::Done(json!({ "id": target })),
            false => Outcome::Refused(Fault::new(
                FaultCode::NoSuchExecution,
                "there is nobody to ask",
            )),
        })
    }
}

/// Follows the target until it has ended, has answered, and owes no recheck.
pub(crate) struct AwaitTarget {
    pub journal: Arc<dyn Journal>,
    pub signal_target: SignalTarget,
}

impl AwaitTarget {
    async fn poll(&self, cx: &Context<'_>, request: &Request) -> Outcome<FollowedExecution> {
        let Some(Target { target }) = engine_conversions::read(&request.payload) else {
            let words = "whom to follow cannot be read";
            return Outcome::Refused(Fault::new(FaultCode::UnreadableJournal, words));
        };
        match self.journal.load(target).await {
            Ok(Some(record)) if has_answered(&record, cx.id) => {
                Outcome::Done(came_to(&record, cx.id))
            }
            Ok(Some(record)) => Outcome::Waiting(json!({ "id": target, "state": record.state })),
            Ok(None) => Outcome::Refused(Fault::new(
                FaultCode::NoSuchExecution,
                "there is nobody to follow",
            )),
            Err(error) => Outcome::TryLater(Fault::new(FaultCode::StoreFailed, error.to_string())),
        }
    }
}

#[async_trait]
impl Activity for AwaitTarget {
    type Output = FollowedExecution;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some((target, _)) = (self.signal_target)(&cx) else {
            return Some(Plan::Skip(json!({ "note": "nobody has to be followed" })));
        };
        let deadline_ms = u64::try_from(DEADLINE.as_millis()).unwrap_or(u64::MAX);
        Some(Plan::Send(Request {
            key: None,
            deadline_ms,
            payload: json!({ "target": target }),
        }))
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<FollowedExecution> {
        self.poll(&cx, request).await
    }

    async fn determine_outcome(
        &self,
        cx: Context<'_>,
        request: &Request,
    ) -> OutcomeCheck<FollowedExecution> {
        self.poll(&cx, request).await.into()
    }
}

/// Whether the target has ended and has done what `by` asked for: a recheck it still owes may find
/// something.
fn has_answered(record: &ExecutionRecord, by: ExecutionId) -> bool {
    let owes_recheck = record
        .progress()
        .is_ok_and(|progress| progress.recheck_pending);
    record.state.has_ended() && answer_to(record, by).is_some() && !owes_recheck
}

/// Whether the signal of `by` was accepted; `None` while it is unanswered.
fn answer_to(record: &ExecutionRecord, by: ExecutionId) -> Option<bool> {
    let by = by.to_string();
    record.rows.iter().find_map(|row| match &row.event {
        Event::SignalHandled { key, accepted, .. } if *key == by => Some(*accepted),
        _ => None,
    })
}

fn came_to(record: &ExecutionRecord, by: ExecutionId) -> FollowedExecution {
    let reason = record.rows.iter().rev().find_map(|row| match &row.event {
        Event::Ended { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    let payment = record.label("payment_intent_id");
    FollowedExecution {
        id: record.id,
        state: record.state,
        reason: reason.flatten(),
        taken: answer_to(record, by),
        payment: payment.and_then(|id| id.parse().ok()),
    }
}
