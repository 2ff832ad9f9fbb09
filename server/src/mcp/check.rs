//! What has to be right before a message is worth reading: its kind, its size, that it arrives, and that it is one JSON object.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, Method, StatusCode, header};
use serde_json::{json, value::RawValue};

use super::BODY_LIMIT;

/// A body that trickles in must not hold a connection for ever.
const BODY_WITHIN: Duration = Duration::from_secs(20);

/// Answers in JSON-RPC's own words where rmcp would answer in plain text.
pub async fn check(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    if !content_type.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, -32600, "send Content-Type: application/json");
    }
    let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > BODY_LIMIT) {
        return too_large();
    }
    let bytes = match tokio::time::timeout(BODY_WITHIN, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(bytes)) => bytes,
        // The one fault `to_bytes` adds is the limit; a body that broke off has nobody left to answer.
        Ok(Err(_)) => return too_large(),
        Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, -32600, "the body did not arrive in time"),
    };
    // Its form only: what is in it is read once, by rmcp.
    match serde_json::from_slice::<&RawValue>(&bytes) {
        Ok(message) if message.get().starts_with('{') => {}
        Ok(_) => {
            return refuse(
                StatusCode::BAD_REQUEST,
                -32600,
                "send one JSON-RPC message as an object; batches are not supported",
            );
        }
        Err(_) => return refuse(StatusCode::BAD_REQUEST, -32700, "the body is not JSON"),
    }
    // `*/*` accepts both forms we answer in; rmcp wants to see them by name.
    if parts.headers.get(header::ACCEPT).is_none_or(|accept| accept.to_str().is_ok_and(|a| a.contains("*/*"))) {
        parts.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    }
    next.run(Request::from_parts(parts, Body::from(bytes))).await
}

fn too_large() -> Response {
    refuse(StatusCode::PAYLOAD_TOO_LARGE, -32600, "the body is larger than 256 KiB")
}

fn refuse(status: StatusCode, code: i64, message: &str) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
