//! Results of a request.

use dewy_domain::{error_code::ErrorCode, view::ExecutionView};

use super::{Told, data, message, way};

pub fn told(view: &ExecutionView) -> Told {
    match view.state.as_str() {
        "completed" => {
            let number = data(view, "case_number")
                .map(|number| format!("It is number {number}; you see there where it stands."));
            Told {
                title: "Your request is with us".to_owned(),
                sentences: number.into_iter().collect(),
                ways: vec![way("/guest/requests", "See your requests")],
                ..Told::default()
            }
        }
        "needs_attention" => Told {
            title: "Our front desk is looking into it".to_owned(),
            sentences: vec![message(view, ErrorCode::NeedsAttention)],
            ways: vec![way("/guest/requests", "See your requests")],
            ..Told::default()
        },
        _ => Told {
            title: "Your request did not get through".to_owned(),
            sentences: vec![message(view, ErrorCode::UpstreamUnavailable)],
            ways: vec![way("/guest/requests#ask", "Ask again")],
            ..Told::default()
        },
    }
}
