//! Forms without a required field, or with a value of another type: a client error that names the
//! field, not a server error.

use axum::{
    body::{HttpBody, to_bytes},
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{Method, StatusCode};

use super::refusal_language;

/// What a server function answers when it can't read its arguments.
const UNREADABLE: &str = "Args|";
/// Such an answer is one short line.
const MAX_ANSWER: u64 = 4 * 1024;

/// Answers an unreadable form with status 400.
pub async fn refuse_malformed_form(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let language = refusal_language::language(&request);
    let response = next.run(request).await;
    let length = response.body().size_hint().exact();
    if length.is_none_or(|length| length == 0 || length > MAX_ANSWER) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return parts.status.into_response();
    };
    let reason = std::str::from_utf8(&bytes).ok();
    match reason.and_then(|reason| reason.strip_prefix(UNREADABLE)) {
        Some(reason) => {
            let words = language.text("refused-incomplete");
            // The field is named between backticks, or between quotes
            let field = reason.split(['`', '"']).nth(1);
            let field = field.map(|field| format!(" ({field})")).unwrap_or_default();
            (StatusCode::BAD_REQUEST, format!("{words}{field}\n")).into_response()
        }
        None => (parts, bytes).into_response(),
    }
}
