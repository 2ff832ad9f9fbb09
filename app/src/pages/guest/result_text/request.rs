//! Results of a request.

use dewy_domain::tool_output::CaseResult;

use super::{OutcomeText, link, message};
use crate::pages::prelude::*;

pub fn outcome_text(view: &ExecutionView) -> OutcomeText {
    match view.state {
        ExecutionState::Completed => {
            let case: Option<CaseResult> = view.body().result();
            let number = case.map(|case| t!("outcome-request-number", number = case.case_number));
            OutcomeText {
                title: t!("outcome-request").to_owned(),
                sentences: number.into_iter().collect(),
                links: vec![link("/guest/requests", t!("see-requests"))],
                ..OutcomeText::default()
            }
        }
        ExecutionState::NeedsAttention => OutcomeText {
            title: t!("outcome-desk").to_owned(),
            sentences: vec![message(view, ErrorCode::NeedsAttention)],
            links: vec![link("/guest/requests", t!("see-requests"))],
            ..OutcomeText::default()
        },
        _ => OutcomeText {
            title: t!("outcome-request-failed").to_owned(),
            sentences: vec![message(view, ErrorCode::UpstreamUnavailable)],
            links: vec![link("/guest/requests#ask", t!("outcome-ask-again"))],
            ..OutcomeText::default()
        },
    }
}
