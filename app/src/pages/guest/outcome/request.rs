//! Results of a request.

use dewy_domain::{error_code::ErrorCode, view::ExecutionView};

use super::{OutcomeText, data, message, way};
use crate::language::t;

pub fn outcome_text(view: &ExecutionView) -> OutcomeText {
    match view.state.as_str() {
        "completed" => {
            let number = data(view, "case_number")
                .map(|number| t!("outcome-request-number", number = number));
            OutcomeText {
                title: t!("outcome-request").to_owned(),
                sentences: number.into_iter().collect(),
                ways: vec![way("/guest/requests", t!("see-requests"))],
                ..OutcomeText::default()
            }
        }
        "needs_attention" => OutcomeText {
            title: t!("outcome-desk").to_owned(),
            sentences: vec![message(view, ErrorCode::NeedsAttention)],
            ways: vec![way("/guest/requests", t!("see-requests"))],
            ..OutcomeText::default()
        },
        _ => OutcomeText {
            title: t!("outcome-request-failed").to_owned(),
            sentences: vec![message(view, ErrorCode::UpstreamUnavailable)],
            ways: vec![way("/guest/requests#ask", t!("outcome-ask-again"))],
            ..OutcomeText::default()
        },
    }
}
