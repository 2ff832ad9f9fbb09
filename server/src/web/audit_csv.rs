//! CSV download of the audit trail, with the filters of its page.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Query, Request, State},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use dewy_domain::{
    caller::Persona,
    ports::{AuditLogError, AuditReader, Authenticator, CallQuery},
};
use http::{StatusCode, header};

use super::{WebParts, request_context::RequestContext};
use crate::{auth::SignInState, ports::audit::csv};

/// Maximum number of rows; larger exports go day by day.
const MAX_ROWS: usize = 10_000;

#[derive(Clone, Debug)]
struct Files {
    sign_in_state: SignInState,
    audit_reader: Arc<dyn AuditReader>,
}

/// `GET /staff/audit.csv`.
pub fn router(parts: &WebParts) -> Router {
    let files = Files {
        sign_in_state: parts.sign_in_state.clone(),
        audit_reader: Arc::clone(&parts.audit_reader),
    };
    Router::new()
        .route("/staff/audit.csv", get(file))
        .with_state(files)
}

async fn file(
    State(files): State<Files>,
    Query(query): Query<CallQuery>,
    request: Request,
) -> Response {
    let Some(context) = RequestContext::of(request.extensions(), request.headers()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let user = context
        .authenticator(&files.sign_in_state)
        .signed_in()
        .await;
    let Some(user) = user.filter(|user| user.caller.persona == Persona::Staff) else {
        return Redirect::to("/staff/sign-in?next=%2Fstaff%2Faudit").into_response();
    };
    let refused = |status: StatusCode, error: &AuditLogError| {
        let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
        (status, [kind], format!("{error}\n")).into_response()
    };
    match files
        .audit_reader
        .calls(&user.caller, &query, MAX_ROWS)
        .await
    {
        Ok(list) => {
            let headers = [
                (
                    header::CONTENT_TYPE,
                    "text/csv; charset=utf-8; header=present",
                ),
                (
                    header::CONTENT_DISPOSITION,
                    "attachment; filename=\"audit.csv\"",
                ),
            ];
            (headers, csv(&list.calls, list.cut)).into_response()
        }
        Err(error @ AuditLogError::NotAllowed) => refused(StatusCode::FORBIDDEN, &error),
        Err(AuditLogError::Problems(problems)) => {
            let words: Vec<String> = problems
                .into_iter()
                .map(|problem| problem.message)
                .collect();
            (StatusCode::BAD_REQUEST, words.join("\n") + "\n").into_response()
        }
        Err(error @ AuditLogError::Unavailable) => refused(StatusCode::SERVICE_UNAVAILABLE, &error),
    }
}
