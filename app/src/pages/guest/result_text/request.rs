//! Results of a request.

use dewy_domain::tool_output::CaseResult;

use super::{OutcomeText, link, message};
use crate::pages::prelude::*;

pub fn outcome_text(view: &ExecutionView) -> OutcomeText {
    match view.state {
        ExecutionState::Completed => {
            let case: Option<CaseResult> = view.body().result();
            let number = case.map(|case| t!("outcome-request-number", number = case.case_number));
            OutcomeText::new(
                t!("outcome-request"),
                number,
                [link("/guest/requests", t!("see-requests"))],
            )
        }
        ExecutionState::NeedsAttention => OutcomeText::new(
            t!("outcome-desk"),
            [message(view, ErrorCode::NeedsAttention)],
            [link("/guest/requests", t!("see-requests"))],
        ),
        _ => OutcomeText::new(
            t!("outcome-request-failed"),
            [message(view, ErrorCode::UpstreamUnavailable)],
            [link("/guest/requests#ask", t!("outcome-ask-again"))],
        ),
    }
}
