//! Lists as CSV files: exactly what the page's filter shows, up to the limit of one answer.
//!
//! ```text
//! GET /staff/cases.csv?queue=… ─► caller ─► the page's source (tool or payment reconciliation) ─► table.rs
//! ```

mod cases;
mod lists;
mod payments;
mod table;

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    extract::{Query, Request, State},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use dewy_domain::{
    caller::Persona,
    error_code::ErrorCode,
    ports::{Authenticator, Clock, Dispatcher, PaymentReconciliation, SignedIn},
    tool_answer::{FinalAnswer, message_for},
    tool_catalog::{ListCompensations, SearchExecutions, SearchGuests},
    tool_input::ToolInput,
    tool_output::ListResult,
};
use http::{StatusCode, header};
use serde::Deserialize as _;
use serde_json::{Map, Value};

use self::{
    lists::{COMPENSATIONS, EXECUTIONS, GUESTS, LISTS, List},
    table::{Column, table},
};
use super::{WebParts, request_context::RequestContext};
use crate::auth::SignInState;

/// Maximum number of search results in one answer.
const MAX_ROWS_PER_ANSWER: u32 = 200;

/// Query parameters, trimmed, without empty ones.
type ListQuery = BTreeMap<String, String>;

#[derive(Clone, Debug)]
struct Files {
    sign_in_state: SignInState,
    dispatcher: Arc<dyn Dispatcher>,
    reconciliation: Arc<dyn PaymentReconciliation>,
    clock: Arc<dyn Clock>,
    time_zone: jiff::tz::TimeZone,
    list: List,
}

/// Reason why there is no file.
#[derive(Clone, Debug)]
struct Refused {
    status: u16,
    message: String,
}

/// Routes such as `GET /staff/executions.csv`.
pub fn router(parts: &WebParts) -> Router {
    LISTS
        .into_iter()
        .fold(Router::new(), |router, (path, list)| {
            let files = Files {
                sign_in_state: parts.sign_in_state.clone(),
                dispatcher: Arc::clone(&parts.boundary) as _,
                reconciliation: Arc::clone(&parts.reconciliation),
                clock: Arc::clone(&parts.clock),
                time_zone: parts.calendar.time_zone.clone(),
                list,
            };
            router.merge(Router::new().route(path, get(file)).with_state(files))
        })
}

async fn file(
    State(files): State<Files>,
    Query(query): Query<ListQuery>,
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
        return Redirect::to("/staff/sign-in").into_response();
    };
    let given = query
        .into_iter()
        .map(|(name, value)| (name, value.trim().to_owned()));
    let asked: ListQuery = given.filter(|(_, value)| !value.is_empty()).collect();
    let read = match files.list {
        List::Executions => {
            files
                .search::<SearchExecutions, _>(&user, &asked, EXECUTIONS)
                .await
        }
        List::Compensations => {
            files
                .search::<ListCompensations, _>(&user, &asked, COMPENSATIONS)
                .await
        }
        List::Guests => files.search::<SearchGuests, _>(&user, &asked, GUESTS).await,
        List::Cases => cases::read(&files, &user, &asked).await,
        List::Payments => payments::read(&files, &user, &asked).await,
    };
    match read {
        Ok(table) => {
            let name = request
                .uri()
                .path()
                .rsplit('/')
                .next()
                .unwrap_or("list.csv");
            let headers = [
                (
                    header::CONTENT_TYPE,
                    "text/csv; charset=utf-8; header=present".to_owned(),
                ),
                (
                    header::CONTENT_DISPOSITION,
                    format!("attachment; filename=\"{name}\""),
                ),
            ];
            (headers, table).into_response()
        }
        Err(refused) => {
            let status =
                StatusCode::from_u16(refused.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (
                status,
                [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
                refused.message + "\n",
            )
                .into_response()
        }
    }
}

impl Files {
    /// Table of a tool's result; the tool's input uses the names of the query parameters.
    async fn search<T: ToolInput<Output = ListResult<R>>, R>(
        &self,
        user: &SignedIn,
        asked: &ListQuery,
        columns: &[Column<R>],
    ) -> Result<String, Refused> {
        let input: Map<String, Value> = asked
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into()))
            .collect();
        let found = self.call::<T>(user, Value::Object(input)).await?;
        Ok(table(columns, &found.rows, found.cut))
    }

    async fn call<T: ToolInput>(
        &self,
        user: &SignedIn,
        mut input: Value,
    ) -> Result<T::Output, Refused> {
        input["limit"] = Value::from(MAX_ROWS_PER_ANSWER);
        let call = T::call_with(input);
        let answer = self.dispatcher.dispatch(&user.caller, call).await;
        if let Some(FinalAnswer::Done { data, .. }) = answer.settled() {
            return T::Output::deserialize(data).map_err(|_| ErrorCode::Internal.into());
        }
        let message = answer.error().map_or("Something went wrong.", |code| {
            message_for(code, Persona::Staff)
        });
        Err(Refused {
            status: answer.status(),
            message: message.to_owned(),
        })
    }
}

impl From<ErrorCode> for Refused {
    fn from(code: ErrorCode) -> Self {
        Self {
            status: code.status(),
            message: message_for(code, Persona::Staff).to_owned(),
        }
    }
}
