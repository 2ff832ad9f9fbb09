//! Adapter for front desk sagas: each defines its own decisions and writes; their outcomes are
//! presented alike.

use async_trait::async_trait;
use dewy_domain::{answer::Settled, error_code::ErrorCode};
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Kind, Patience, Progress,
    Read, Saga, State, Step,
    journal::{Projection, Record},
};
use serde_json::{Value, json};

use crate::{bridge, presentation::Presentation, settings::Settings, tool_answer};

/// Fault code: the room was taken meanwhile.
pub(crate) const ROOM_TAKEN: &str = "room_taken";

/// The tool-specific part of a saga.
#[async_trait]
pub(crate) trait Job: Send + Sync {
    /// Definition.
    fn definition(&self) -> &'static Definition;

    /// Reads and validates all prerequisites.
    async fn read(&self, cx: Context<'_>) -> Read;

    /// A step's activity.
    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity>;

    /// Result on success, and whether something was created.
    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)>;

    /// Projections to write.
    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let _ = cx;
        Vec::new()
    }

    /// Labels known only after later steps.
    fn labels(&self, cx: Context<'_>) -> Vec<(String, String)> {
        let _ = cx;
        Vec::new()
    }
}

/// A [`Job`] as a saga.
pub(crate) struct Task<J>(pub J);

#[async_trait]
impl<J: Job> Saga for Task<J> {
    fn definition(&self) -> &'static Definition {
        self.0.definition()
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        self.0.read(cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        self.0.activity(step, way)
    }

    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        let settled = match (end, self.0.done(cx)) {
            (End::Completed, Some((data, created))) => Settled::Done { data, created },
            (End::NeedsAttention | End::SettledByHand, _) => Settled::Failed {
                code: tool_answer::with_staff(end),
                details: json!({ "reason": reason }),
            },
            _ => refused(self.0.definition(), cx),
        };
        bridge::value(&settled)
    }

    fn answer_held(&self, by: ExecutionId) -> Value {
        tool_answer::held(by)
    }

    fn answer_unavailable(&self, fault: &Fault) -> Value {
        tool_answer::unavailable(fault)
    }

    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        self.0.projections(cx)
    }

    fn labels(&self, cx: Context<'_>) -> Vec<(String, String)> {
        self.0.labels(cx)
    }
}

/// Why it was not done: the cause of the compensation, or the step that failed.
fn refused(definition: &Definition, cx: Context<'_>) -> Settled {
    let progress = cx.progress;
    let failed = || {
        definition
            .steps
            .iter()
            .rev()
            .find_map(|s| progress.side(s.name, Direction::Forward)?.fault.as_ref())
    };
    let fault = progress
        .decision
        .as_ref()
        .map(|decision| &decision.fault)
        .or_else(failed);
    match fault.map(|f| (f.code.as_str(), f)) {
        Some((ROOM_TAKEN, fault)) => Settled::Failed {
            code: ErrorCode::RoomAlreadyBooked,
            details: fault.details.clone(),
        },
        Some(("DUPLICATES_DETECTED", fault)) => Settled::Failed {
            code: ErrorCode::DuplicateGuest,
            details: fault.details.clone(),
        },
        Some(("foreign_edit" | "booking_gone", fault)) => Settled::Failed {
            code: ErrorCode::InvalidTransition,
            details: json!({ "cause": fault.code, "difference": fault.details["difference"] }),
        },
        other => {
            tool_answer::not_done(&cx, other.map(|(_, fault)| fault), json!({ "done": false }))
        }
    }
}

/// A step without a compensation.
pub(crate) const fn step(
    name: &'static str,
    title: &'static str,
    kind: Kind,
    why_no_undo: &'static str,
) -> Step {
    Step {
        name,
        title,
        undo_title: None,
        kind,
        money: false,
        patience: Patience::UntilKnown,
        why_no_undo,
    }
}

/// Presentation of such a saga's executions.
pub(crate) struct Labels {
    /// Summary on success, from the answer's data.
    pub done: fn(&Value) -> String,
    /// Summary while it is running.
    pub doing: &'static str,
    /// Summary on failure.
    pub not_done: &'static str,
}

impl Presentation for Labels {
    fn summary(
        &self,
        record: &Record,
        progress: &Progress,
        body: Option<&Value>,
        _: &Settings,
    ) -> String {
        match record.state {
            State::Completed => {
                let data = record.answer.as_ref().map(|answer| &answer["data"]);
                data.map_or_else(String::new, |data| (self.done)(data))
            }
            State::Refused | State::Compensated => {
                let told = body.and_then(|b| b["error_message"].as_str());
                told.unwrap_or(self.not_done).to_owned()
            }
            State::Retrying | State::Waiting => {
                "The booking system is slow. We keep asking until we know; nothing is done twice."
                    .to_owned()
            }
            State::NeedsAttention => "The front desk is looking into this.".to_owned(),
            State::SettledByHand => "The front desk settled this by hand.".to_owned(),
            State::Compensating => "Someone else was faster; our changes were reverted.".to_owned(),
            _ if progress.facts.is_some() => self.doing.to_owned(),
            _ => "Looking up what is needed.".to_owned(),
        }
    }
}

/// A field of an answer, as text.
pub(crate) fn text<'a>(data: &'a Value, name: &str) -> &'a str {
    data[name].as_str().unwrap_or_default()
}
