//! A guest's stays, bill, requests, activity, and sessions, as a file for them. Conversations with the
//! concierge are not in it.
//!
//! ```text
//! GET /guest/account/data.json ─► guest ─► their tools that read (permission, audit) ─► JSON
//! ```

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use dewy_domain::{
    caller::{Caller, Persona},
    ports::{Authenticator, Clock, Dispatcher, ExecutionFeed},
    tool::ToolCall,
    tool_answer::FinalAnswer,
    tool_catalog::{GetFolio, SearchBookings, SearchCasesOnBehalfOfGuest},
};
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::{WebParts, request_context::RequestContext};
use crate::auth::SignInState;

/// Most that a list holds.
const MAX_ROWS: usize = 200;

#[derive(Clone, Debug)]
struct Files {
    sign_in_state: SignInState,
    dispatcher: Arc<dyn Dispatcher>,
    execution_feed: Arc<dyn ExecutionFeed>,
    clock: Arc<dyn Clock>,
}

/// `GET /guest/account/data.json`.
pub fn router(parts: &WebParts) -> Router {
    let files = Files {
        sign_in_state: parts.sign_in_state.clone(),
        dispatcher: Arc::clone(&parts.boundary) as _,
        execution_feed: Arc::clone(&parts.execution_feed),
        clock: Arc::clone(&parts.clock),
    };
    Router::new()
        .route("/guest/account/data.json", get(file))
        .with_state(files)
}

async fn file(State(files): State<Files>, request: Request) -> Response {
    let Some(context) = RequestContext::of(request.extensions(), request.headers()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let authenticator = context.authenticator(&files.sign_in_state);
    let user = authenticator.signed_in().await;
    let Some(user) = user.filter(|user| user.caller.persona == Persona::Guest) else {
        return Redirect::to("/guest/sign-in?next=%2Fguest%2Faccount").into_response();
    };
    let caller = &user.caller;
    let list = json!({ "limit": MAX_ROWS });
    let cases = json!({ "limit": MAX_ROWS, "status_filter": "All" });
    let (bookings, requests, folio, activities, phone, sessions) = futures::join!(
        files.read(caller, SearchBookings::call_with(list)),
        files.read(caller, SearchCasesOnBehalfOfGuest::call_with(cases)),
        files.read(caller, GetFolio::call_with(json!({}))),
        files.execution_feed.activities(caller, MAX_ROWS),
        authenticator.own_phone(true),
        authenticator.sessions(),
    );
    let parts = [&bookings, &requests, &folio];
    if parts.iter().any(|part| part.is_none()) {
        // A file that lacks half of it would look whole
        return Redirect::to("/guest/account?data=later").into_response();
    }
    let sessions = sessions.into_iter().map(|session| {
        json!({ "browser": session.browser, "since": session.since, "last_used": session.last_used })
    });
    let data = json!({
        "made_at": files.clock.now(),
        "email": caller.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "phone": phone,
        "bookings": bookings,
        "requests": requests,
        "folio": folio,
        "activities": activities,
        "sessions": sessions.collect::<Vec<_>>(),
    });
    let Ok(text) = serde_json::to_string_pretty(&data) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"my-data.json\"",
        ),
    ];
    (headers, text).into_response()
}

impl Files {
    /// What the tool answers, also that there is nothing; `None` where it can't be read at present.
    async fn read(&self, caller: &Caller, call: ToolCall) -> Option<Value> {
        match self.dispatcher.dispatch(caller, call).await.settled()? {
            FinalAnswer::Done { data, .. } => Some(data.clone()),
            FinalAnswer::Failed { code, .. } if code.status() < 500 && code.status() != 429 => {
                Some(json!({ "error": code }))
            }
            _ => None,
        }
    }
}
