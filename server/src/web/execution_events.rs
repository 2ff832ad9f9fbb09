//! An execution for open pages: server-sent events, one view as JSON per change.

use std::{convert::Infallible, sync::Arc};

use axum::{
    Router,
    extract::{Path, Request, State},
    response::{IntoResponse, Response, sse::Event},
    routing::get,
};
use dewy_domain::{
    caller::{Caller, Persona},
    execution_view::ExecutionView,
    ports::ExecutionFeed,
};
use futures::{Stream, stream};
use http::StatusCode;

use super::{
    WebParts,
    event_stream::{EventStream, POLL_INTERVAL, event_response, request_context},
};
use crate::{auth::RequestAuthenticator, tool_calls::traced_ports::Traced};

type ExecutionStream = EventStream<Arc<dyn ExecutionFeed>>;

/// Streams of both personas.
pub fn router(parts: &WebParts) -> Router {
    let stream = |path: &str, persona| {
        let source = Arc::clone(&parts.execution_feed);
        Router::new()
            .route(path, get(events))
            .with_state(EventStream::new(parts, persona, source))
    };
    Router::new()
        .merge(stream("/guest/execution/{id}/events", Persona::Guest))
        .merge(stream("/staff/executions/{id}/events", Persona::Staff))
}

async fn events(
    State(execution): State<ExecutionStream>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let (authenticator, caller) = match execution.open(request_context(&request)).await {
        Ok(found) => found,
        Err(status) => return status.into_response(),
    };
    let execution_feed = Traced::of(request.extensions(), Arc::clone(&execution.source));
    let Some(first) = execution_feed.execution(&caller, &id).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    event_response(views(execution, authenticator, caller, id, first))
}

/// Current view, then one after each change; ends when the execution is at rest, may no longer be
/// seen, or the server stops.
fn views(
    execution: ExecutionStream,
    authenticator: RequestAuthenticator,
    caller: Caller,
    id: String,
    first: ExecutionView,
) -> impl Stream<Item = Result<Event, Infallible>> {
    enum StreamPosition {
        First(Box<ExecutionView>),
        After(i64),
        End,
    }
    stream::unfold(
        (
            StreamPosition::First(Box::new(first)),
            execution,
            authenticator,
            caller,
            id,
        ),
        |(at, execution, authenticator, caller, id)| async move {
            let view = match at {
                StreamPosition::End => return None,
                StreamPosition::First(view) => *view,
                StreamPosition::After(seq) => loop {
                    let change = execution.source.changed(&caller, &id, seq, POLL_INTERVAL);
                    let view = execution.wait(change).await??;
                    // Signed out elsewhere: the stream ends.
                    if !authenticator.is_still_valid().await {
                        return None;
                    }
                    if view.seq > seq || view.at_rest {
                        break view;
                    }
                },
            };
            let event = Event::default()
                .id(view.seq.to_string())
                .json_data(&view)
                .unwrap_or_default();
            let next = if view.at_rest {
                StreamPosition::End
            } else {
                StreamPosition::After(view.seq)
            };
            Some((Ok(event), (next, execution, authenticator, caller, id)))
        },
    )
}
