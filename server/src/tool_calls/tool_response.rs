//! HTTP response of a tool's answer: the shared body, a status, and `Retry-After`.

use axum::response::{IntoResponse, Response};
use dewy_domain::{
    caller::Persona,
    error_code::ErrorCode,
    error_details::ErrorDetails,
    tool_answer::{FinalAnswer, ToolAnswer, ToolError},
};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

/// Default retry delay in seconds.
const DEFAULT_RETRY_AFTER: u64 = 5;

pub fn answered(answer: &ToolAnswer, persona: Persona) -> Response {
    let status = StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut body = answer.body(persona);
    if let Some(code) = answer.error() {
        body["error_message"] = json!(code.for_program());
    }
    let body = body.to_string();
    let mut response = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if let Some(seconds) = retry_after(answer) {
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

fn retry_after(answer: &ToolAnswer) -> Option<u64> {
    match answer {
        ToolAnswer::Pending { poll_after_ms, .. } => Some(poll_after_ms.div_ceil(1000).max(1)),
        ToolAnswer::Settled {
            settled: FinalAnswer::Failed { code, details },
            ..
        } if code.retry_safe() && matches!(code.status(), 429 | 503) => Some(
            ErrorDetails::of(details)
                .retry_after_seconds
                .unwrap_or(DEFAULT_RETRY_AFTER),
        ),
        ToolAnswer::Settled { .. } => None,
    }
}
