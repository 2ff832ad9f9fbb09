//! The decision saga: sends a person's decision to an execution as a durable signal, and follows
//! the execution until it has ended again.
//!
//! ```text
//! read    the execution ── allowed? for this person? ──► facts
//! ask     + a signal; the execution itself decides the consequence
//! follow  until it has ended
//! ```

mod presentation;
mod rules;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_saga::{
    Activity, Ask, Context, Definition, Direction, End, ExecutionId, Fault, Journal, Kind,
    Patience, Read, Saga, Step,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    bridge,
    presentation::Presentation,
    settings::Settings,
    signal_execution::{Follow, Say},
    tool_answer,
};

pub(crate) use presentation::Labels;
pub(crate) use rules::acts;

/// Definition of the decision saga.
pub static RESOLVE: Definition = Definition {
    name: "resolve_execution",
    version: 1,
    title: "Resolve an execution",
    steps: &[
        Step {
            name: "ask",
            title: "Tell the execution",
            undo_title: None,
            kind: Kind::Retriable,
            money: false,
            patience: Patience::UntilKnown,
            why_no_undo: "what was asked for is remembered; the execution answers it",
        },
        Step {
            name: "follow",
            title: "Wait until it rests",
            undo_title: None,
            kind: Kind::Retriable,
            money: false,
            patience: Patience::UntilKnown,
            why_no_undo: "it only reads",
        },
    ],
    looks: &[],
};

/// Facts of a decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Target execution.
    pub target: ExecutionId,
    /// Requested action.
    pub ask: Ask,
}

fn whom(cx: &Context<'_>) -> Option<(ExecutionId, Ask)> {
    let facts: Facts = cx.progress.facts.as_ref().and_then(bridge::read)?;
    Some((facts.target, facts.ask))
}

/// The decision saga with the journal. It needs the definitions of the others to determine what is
/// allowed.
pub struct Resolve {
    journal: Arc<dyn Journal>,
    settings: Settings,
    definitions: Vec<&'static Definition>,
    presentation: fn(&str) -> &'static dyn Presentation,
    ask: Say,
    follow: Follow,
}

impl Resolve {
    /// Creates the saga.
    pub(crate) fn new(
        journal: Arc<dyn Journal>,
        settings: Settings,
        definitions: Vec<&'static Definition>,
        presentation: fn(&str) -> &'static dyn Presentation,
    ) -> Self {
        Self {
            ask: Say {
                journal: Arc::clone(&journal),
                whom,
            },
            follow: Follow {
                journal: Arc::clone(&journal),
                whom,
            },
            journal,
            settings,
            definitions,
            presentation,
        }
    }
}

#[async_trait]
impl Saga for Resolve {
    fn definition(&self) -> &'static Definition {
        &RESOLVE
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("ask", Direction::Forward) => Some(&self.ask),
            ("follow", Direction::Forward) => Some(&self.follow),
            _ => None,
        }
    }

    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        presentation::answer(cx, end, reason)
    }

    fn answer_held(&self, by: ExecutionId) -> Value {
        tool_answer::held(by)
    }

    fn answer_unavailable(&self, fault: &Fault) -> Value {
        tool_answer::unavailable(fault)
    }
}
