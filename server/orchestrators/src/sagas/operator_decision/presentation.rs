//! Presentation of an operator's decision.

use dewy_domain::{
    answer_body::AnswerBody, error_code::ErrorCode, sentence::Sentence,
    tool_catalog::ResolveExecution, tool_output::ResolutionResult,
};
use dewy_saga::{Context, End, Progress, SignalAction, State};
use serde_json::{Value, json};

use super::Facts;
use crate::saga_parts::{
    engine_conversions,
    presentation::{Presentation, Presented},
    signal_execution::FOLLOW,
    tool_answer::{failed, succeeded},
};

pub(super) fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    match (end, cx.output(FOLLOW)) {
        (End::Completed, Some(followed)) if followed.taken == Some(true) => {
            succeeded(ResolutionResult {
                resolved_execution_id: followed.id.to_string(),
                resolution: engine_conversions::input::<ResolveExecution>(&cx)
                    .ok()
                    .map(|input| input.resolution),
                state: engine_conversions::execution_state(followed.state),
                reason: followed.reason.map(Into::into),
            })
        }
        // Someone else was faster, and the execution had already changed.
        (End::Completed, Some(followed)) => failed(
            ErrorCode::InvalidTransition,
            json!({ "execution_id": followed.id, "state": followed.state }),
        ),
        _ => failed(ErrorCode::NeedsAttention, json!({ "reason": reason })),
    }
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress, body) = (of.record, of.progress, of.body);
        let facts: Option<Facts> = progress.facts();
        let what = match facts.map(|f| f.action) {
            Some(SignalAction::RetryNow) => "Try again",
            Some(SignalAction::Compensate) => "Refund and revert",
            Some(SignalAction::FinishForward) => "Finish it",
            Some(SignalAction::MarkSolved) => "Mark as solved",
            Some(SignalAction::Recheck) | None => "A decision",
        };
        let followed = progress.output(FOLLOW);
        let state = followed.map(|followed| followed.state.name().replace('_', " "));
        match (record.state, state) {
            (State::Completed, Some(state)) => {
                format!("{what}: the execution is now {state}.").into()
            }
            (State::Refused, _) => {
                let failure = body.and_then(AnswerBody::failure);
                failure.unwrap_or_else(|| "Nothing was done.".into())
            }
            _ => format!("{what}: waiting until the execution has come to rest.").into(),
        }
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let facts: Option<Facts> = progress.facts();
        facts
            .map(|f| ("Execution".to_owned(), f.target.to_string()))
            .into_iter()
            .collect()
    }
}
