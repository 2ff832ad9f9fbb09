//! Results of a request.

use dewy_domain::{error_code::ErrorCode, view::ExecutionView};

use super::{Told, data, message, way};
use crate::language::t;

pub fn told(view: &ExecutionView) -> Told {
    match view.state.as_str() {
        "completed" => {
            let number = data(view, "case_number")
                .map(|number| t!("outcome-request-number", number = number));
            Told {
                title: t!("outcome-request").to_owned(),
                sentences: number.into_iter().collect(),
                ways: vec![way("/guest/requests", t!("see-requests"))],
                ..Told::default()
            }
        }
        "needs_attention" => Told {
            title: t!("outcome-desk").to_owned(),
            sentences: vec![message(view, ErrorCode::NeedsAttention)],
            ways: vec![way("/guest/requests", t!("see-requests"))],
            ..Told::default()
        },
        _ => Told {
            title: t!("outcome-request-failed").to_owned(),
            sentences: vec![message(view, ErrorCode::UpstreamUnavailable)],
            ways: vec![way("/guest/requests#ask", t!("outcome-ask-again"))],
            ..Told::default()
        },
    }
}
