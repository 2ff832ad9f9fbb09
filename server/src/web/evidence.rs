//! Evidence of an execution as a file, for the front desk to hand out.
//!
//! ```text
//! GET /staff/executions/{id}/evidence.json ─► caller ─► `get_execution` (permission, audit) ─► evidence
//! GET /staff/executions/{id}/evidence.html ─►   …                                            ─► document.rs
//! ```

mod document;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request, State},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use dewy_domain::{
    caller::Persona,
    ports::{Authenticator, Dispatcher, ExecutionFeed},
    tool_answer::FinalAnswer,
    tool_catalog::GetExecution,
};
use http::{StatusCode, header};
use serde_json::json;

use super::{WebParts, request_context::RequestContext};
use crate::auth::SignInState;

#[derive(Clone, Debug)]
struct Files {
    sign_in_state: SignInState,
    dispatcher: Arc<dyn Dispatcher>,
    execution_feed: Arc<dyn ExecutionFeed>,
}

/// Routes of both forms of the file.
pub fn router(parts: &WebParts) -> Router {
    let files = Files {
        sign_in_state: parts.sign_in_state.clone(),
        dispatcher: Arc::clone(&parts.boundary) as _,
        execution_feed: Arc::clone(&parts.execution_feed),
    };
    Router::new()
        .route("/staff/executions/{id}/evidence.html", get(file))
        .route("/staff/executions/{id}/evidence.json", get(file))
        .with_state(files)
}

async fn file(State(files): State<Files>, Path(id): Path<String>, request: Request) -> Response {
    let is_page = request.uri().path().ends_with(".html");
    let Some(context) = RequestContext::of(request.extensions(), request.headers()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let user = context
        .authenticator(&files.sign_in_state)
        .signed_in()
        .await;
    let Some(user) = user.filter(|user| user.caller.persona == Persona::Staff) else {
        return Redirect::to("/staff/sign-in").into_response();
    };
    let call = GetExecution::call_with(json!({ "execution_id": id }));
    let answer = files.dispatcher.dispatch(&user.caller, call).await;
    let evidence = match answer.settled() {
        Some(FinalAnswer::Done { .. }) => files.execution_feed.evidence(&user.caller, &id).await,
        _ => None,
    };
    let Some(evidence) = evidence else {
        let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
        return (
            StatusCode::NOT_FOUND,
            [kind],
            "There is no evidence of that for you.\n",
        )
            .into_response();
    };
    let Ok(text) = serde_json::to_string_pretty(&evidence) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let (kind, end, text) = match is_page {
        true => (
            "text/html; charset=utf-8",
            "html",
            document::page(&evidence, &text),
        ),
        false => ("application/json", "json", text),
    };
    let name = format!(
        "attachment; filename=\"{}-evidence.{end}\"",
        evidence.execution_id
    );
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        // Saved, never shown at our address: the page brings its own style
        (header::CONTENT_DISPOSITION, name),
    ];
    (headers, text).into_response()
}
