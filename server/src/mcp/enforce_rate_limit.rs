//! Rate limit per bearer token: an agent in a loop must not block everybody else, nor its owner's
//! other programs.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use serde_json::Value;

use crate::{
    auth::credential,
    tool_calls::{json_rpc_error::json_rpc_error, rate_limit::RateLimit},
};

/// Applies the rate limit. Runs after the token check, which identifies the credential.
pub async fn enforce_rate_limit(
    State(limit): State<RateLimit>,
    request: Request,
    next: Next,
) -> Response {
    let credential = credential(&request);
    let Some(wait) = credential.and_then(|credential| limit.count(credential)) else {
        return next.run(request).await;
    };
    let seconds = wait.as_secs().max(1);
    metrics::counter!("dewy_mcp_rate_limited_total").increment(1);
    let words = format!("too many calls; try again in {seconds} s");
    let refusal = json_rpc_error(StatusCode::TOO_MANY_REQUESTS, &Value::Null, -32000, &words);
    ([(header::RETRY_AFTER, seconds.to_string())], refusal).into_response()
}
