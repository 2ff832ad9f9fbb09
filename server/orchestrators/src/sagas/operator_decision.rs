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

use dewy_domain::tool_catalog::ResolveExecution;
use dewy_saga::{Context, Definition, ExecutionId, Saga, SignalAction};
use serde::{Deserialize, Serialize};

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    presentation::Presentation,
    signal_execution::{ASK, AwaitTarget, FOLLOW, SendSignal},
};

pub(crate) use presentation::Labels;
pub(crate) use rules::allowed_actions;

/// Name of the decision saga.
pub const RESOLVE_EXECUTION: &str = ResolveExecution::NAME;

/// The decision saga. It needs the definitions and the presentation of the others to determine what
/// is allowed.
pub(crate) fn saga(
    parts: &HotelDependencies,
    definitions: Vec<Definition>,
    presentation: fn(&str) -> &'static dyn Presentation,
) -> Saga {
    let journal = || Arc::clone(&parts.journal);
    Saga::new(RESOLVE_EXECUTION, 1, "Resolve an execution")
        .prepare(rules::Rules {
            parts: parts.clone(),
            definitions,
            presentation,
        })
        .retriable(
            ASK,
            "Signal the execution",
            SendSignal {
                journal: journal(),
                signal_target,
            },
        )
        .no_undo("the signal is stored durably; the execution answers it")
        .until_known()
        .retriable(
            FOLLOW,
            "Wait until it ends",
            AwaitTarget {
                journal: journal(),
                signal_target,
            },
        )
        .no_undo("it only reads")
        .until_known()
        .answer(presentation::answer)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub target: ExecutionId,
    /// Requested action.
    #[serde(rename = "ask")]
    pub action: SignalAction,
}

fn signal_target(cx: &Context<'_>) -> Option<(ExecutionId, SignalAction)> {
    let facts: Facts = cx.facts()?;
    Some((facts.target, facts.action))
}
