//! HTTP response of a tool's answer: the shared body, a status, and `Retry-After`.

use axum::response::{IntoResponse, Response};
use dewy_domain::{
    answer::{Settled, ToolAnswer, ToolError},
    caller::Persona,
    error_code::ErrorCode,
};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

/// Default retry delay in seconds.
const COME_BACK: u64 = 5;

/// Response for a tool's answer.
pub fn answered(answer: &ToolAnswer, persona: Persona) -> Response {
    let status = StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut body = answer.body(persona);
    if let Some(code) = answer.error() {
        body["error_message"] = json!(code.for_program());
    }
    let body = body.to_string();
    let mut response = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if let Some(seconds) = come_back(answer) {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Error response for a request that never reached a tool.
#[must_use]
pub fn refusal(code: ErrorCode, persona: Persona) -> Response {
    answered(&ToolError::new(code).into(), persona)
}

fn come_back(answer: &ToolAnswer) -> Option<u64> {
    match answer {
        ToolAnswer::Pending { poll_after_ms, .. } => Some(poll_after_ms.div_ceil(1000).max(1)),
        ToolAnswer::Settled {
            settled: Settled::Failed { code, details },
            ..
        } if matches!(code.status(), 429 | 503) => {
            Some(details["retry_after_seconds"].as_u64().unwrap_or(COME_BACK))
        }
        ToolAnswer::Settled { .. } => None,
    }
}
