//! Tools over plain HTTP: `POST /api/guest/{tool}` and `POST /api/staff/{tool}`, described at
//! `/api/openapi.json`.
//!
//! ```text
//! POST? (405) ─► bearer token (401) ─► rate limit (429) ─► type, size and time of the body (415, 413, 408) ─► JSON (400) ─► tool
//! ```
//!
//! Every response is JSON, including errors before a tool is reached. Cookies are ignored here.

mod json_body;
mod tool_call_request;

use std::sync::Arc;

use axum::{
    Extension, Router,
    body::Body,
    extract::{Request, State},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::any,
};
use dewy_domain::{
    caller::{Caller, Interface, Persona},
    error_code::ErrorCode,
    ports::Dispatcher,
    tool_answer::ToolError,
};
use http::{Method, header};

use super::openapi;
use crate::{
    auth::{Bearer, TokenCheck, credential, require_bearer},
    tool_calls::{
        rate_limit::RateLimit,
        tool_response::{answered, refusal},
        traced_ports::Traced,
    },
};

/// Dependencies of the routes.
#[derive(Clone, Debug)]
pub struct RestParts {
    /// Runs the tools.
    pub dispatcher: Arc<dyn Dispatcher>,
    pub tokens: Arc<dyn TokenCheck>,
    /// Rate limit per bearer token, shared with MCP.
    pub rate_limit: RateLimit,
    pub public_url: String,
}

/// Routes under `/api`.
pub fn router(parts: &RestParts) -> Router {
    Router::new()
        .merge(tools(Persona::Guest, parts))
        .merge(tools(Persona::Staff, parts))
        .merge(openapi::router(&parts.public_url))
        .route("/api", any(nothing_here))
        .route("/api/", any(nothing_here))
        .route("/api/{*rest}", any(nothing_here))
}

fn tools(persona: Persona, parts: &RestParts) -> Router {
    let path = format!("/api/{}/{{tool}}", persona.name());
    let bearer = Bearer {
        persona,
        interface: Interface::Rest,
        tokens: Arc::clone(&parts.tokens),
    };
    Router::new()
        .route(&path, any(run))
        .route(&format!("{path}/"), any(run))
        .with_state(Arc::clone(&parts.dispatcher))
        .layer(from_fn_with_state(
            parts.rate_limit.clone(),
            enforce_rate_limit,
        ))
        .layer(from_fn_with_state(bearer, require_bearer))
        .layer(from_fn(only_post))
        .layer(Extension(persona))
}

/// Runs before the token check: it is no secret that tools are called with POST.
async fn only_post(request: Request, next: Next) -> Response {
    if request.method() == Method::POST {
        return next.run(request).await;
    }
    (
        [(header::ALLOW, "POST")],
        refusal(ErrorCode::MethodNotAllowed, persona_of(&request)),
    )
        .into_response()
}

/// Shares its counter with MCP; the response format is REST's.
async fn enforce_rate_limit(
    State(limit): State<RateLimit>,
    request: Request,
    next: Next,
) -> Response {
    let credential = credential(&request);
    let Some(wait) = credential.and_then(|credential| limit.count(credential)) else {
        return next.run(request).await;
    };
    metrics::counter!("dewy_rest_rate_limited_total").increment(1);
    let seconds = wait.as_secs().max(1).to_string();
    (
        [(header::RETRY_AFTER, seconds)],
        refusal(ErrorCode::RateLimited, persona_of(&request)),
    )
        .into_response()
}

async fn run(State(dispatcher): State<Arc<dyn Dispatcher>>, request: Request) -> Response {
    let (parts, body): (_, Body) = request.into_parts();
    let Some(caller) = parts.extensions.get::<Caller>() else {
        // The token check runs first; if it ever doesn't, access is denied.
        return refusal(ErrorCode::NotSignedIn, Persona::Guest);
    };
    let bytes = json_body::read(&parts.headers, body)
        .await
        .map_err(ToolError::new);
    let path = parts.uri.path().trim_end_matches('/');
    let tool = path.rsplit('/').next().unwrap_or_default();
    let dispatcher = Traced::of(&parts.extensions, dispatcher);
    let call =
        bytes.and_then(|bytes| tool_call_request::tool_call(caller, tool, &parts.headers, &bytes));
    let answer = match call {
        Ok(call) => dispatcher.dispatch(caller, call).await,
        Err(error) => dispatcher.refused(caller, tool, error).await,
    };
    answered(&answer, caller.persona)
}

async fn nothing_here() -> Response {
    refusal(ErrorCode::UnknownTool, Persona::Guest)
}

fn persona_of(request: &Request) -> Persona {
    request
        .extensions()
        .get::<Persona>()
        .copied()
        .unwrap_or(Persona::Guest)
}
