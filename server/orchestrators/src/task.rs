//! A saga of the desk: what its tool decides and writes is its own; how it ends is told alike by
//! all of them.

use async_trait::async_trait;
use dewy_domain::{answer::Settled, error_code::ErrorCode};
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Kind, Patience, Progress,
    Read, Saga, State, Step,
    journal::{Projection, Record},
};
use serde_json::{Value, json};

use crate::{bridge, presentation::Presentation, settings::Settings, tool_answer};

/// The code of a fault that means: somebody else has the room by now.
pub(crate) const ROOM_TAKEN: &str = "room_taken";

/// What a tool of the desk brings.
#[async_trait]
pub(crate) trait Job: Send + Sync {
    /// Its steps.
    fn definition(&self) -> &'static Definition;

    /// Reads and validates everything.
    async fn read(&self, cx: Context<'_>) -> Read;

    /// A step's activity.
    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity>;

    /// The answer when it is done, and whether something was made.
    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)>;

    /// Rows beside the journal.
    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let _ = cx;
        Vec::new()
    }

    /// Labels that only later steps know.
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

/// Why it was not done: by the decision to turn back, or by the step that failed.
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

/// A step that has no way back.
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

/// How such a saga's executions are told.
pub(crate) struct Labels {
    /// When it is done, from its answer's data.
    pub done: fn(&Value) -> String,
    /// While it is going on.
    pub doing: &'static str,
    /// When it was not done.
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
            State::Compensating => {
                "Somebody else was quicker; what we had written is taken back.".to_owned()
            }
            _ if progress.facts.is_some() => self.doing.to_owned(),
            _ => "Looking up what is needed.".to_owned(),
        }
    }
}

/// One of an answer's fields as text.
pub(crate) fn text<'a>(data: &'a Value, name: &str) -> &'a str {
    data[name].as_str().unwrap_or_default()
}
