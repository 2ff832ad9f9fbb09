//! Live execution for open pages: server-sent events, one view as JSON per change.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Path, Request, State},
    response::{IntoResponse, Response, sse::Event},
    routing::get,
};
use dewy_domain::{
    caller::{Caller, Persona},
    execution_view::ExecutionView,
    ports::{Attention, ExecutionFeed, combine_change_numbers},
};
use futures::{Stream, future::BoxFuture, stream};
use http::StatusCode;

use super::{
    WebParts,
    event_stream::{EventStream, POLL_INTERVAL, event_response, request_context},
};
use crate::{auth::RequestAuthenticator, traced_ports::Traced};

type ExecutionStream = EventStream<Arc<dyn ExecutionFeed>>;

/// Streams of both personas.
pub fn router(parts: &WebParts) -> Router {
    let stream = |path: &str, persona| {
        let source = Arc::clone(&parts.execution_feed);
        Router::new()
            .route(path, get(events))
            .with_state(EventStream::new(parts, persona, source))
    };
    let numbers = |path: &str, persona, number: Number| {
        let attention = Arc::clone(&parts.attention);
        let source = Numbers { number, attention };
        Router::new()
            .route(path, get(numbers))
            .with_state(EventStream::new(parts, persona, source))
    };
    let (execution_feed, board) = (Arc::clone(&parts.execution_feed), Arc::clone(&parts.board));
    let lists: Number = Arc::new(move |caller, after, at_most| {
        let execution_feed = Arc::clone(&execution_feed);
        Box::pin(async move { execution_feed.lists_changed(&caller, after, at_most).await })
    });
    let own = Arc::clone(&board);
    let guest: Number = Arc::new(move |caller, after, at_most| {
        let board = Arc::clone(&own);
        Box::pin(async move { board.guest_changed(&caller, after, at_most).await })
    });
    let board: Number = Arc::new(move |caller, after, at_most| {
        let board = Arc::clone(&board);
        Box::pin(async move { board.snapshot_changed(&caller, after, at_most).await })
    });
    Router::new()
        .merge(stream("/guest/execution/{id}/events", Persona::Guest))
        .merge(stream("/staff/executions/{id}/events", Persona::Staff))
        // Every stream, even on pages without their own, carries the attention count
        .merge(numbers(
            "/staff/attention/events",
            Persona::Staff,
            Arc::new(|_, _, at_most| Box::pin(nothing(at_most))),
        ))
        .merge(numbers("/guest/events", Persona::Guest, guest))
        .merge(numbers("/staff/events", Persona::Staff, lists))
        .merge(numbers("/staff/board/events", Persona::Staff, board))
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

/// Waits for a change number; returns early when it changes.
type Number = Arc<dyn Fn(Caller, i64, Duration) -> BoxFuture<'static, i64> + Send + Sync>;

/// Numbers that lists and boards subscribe to.
#[derive(Clone)]
struct Numbers {
    number: Number,
    attention: Arc<dyn Attention>,
}

/// Number that never changes.
async fn nothing(at_most: Duration) -> i64 {
    tokio::time::sleep(at_most).await;
    0
}

/// Current number, then a new one after every change.
async fn numbers(State(numbers): State<EventStream<Numbers>>, request: Request) -> Response {
    let authenticator = match numbers.open(request_context(&request)).await {
        Ok((authenticator, _)) => authenticator,
        Err(status) => return status.into_response(),
    };
    event_response(stream::unfold(
        (None, numbers, authenticator),
        |(last, numbers, authenticator)| async move {
            loop {
                let caller = numbers.caller(&authenticator).await?;
                let Numbers { number, attention } = &numbers.source;
                let now = async {
                    match last {
                        None => {
                            let none = Duration::ZERO;
                            tokio::join!(
                                number(caller.clone(), -1, none),
                                attention.changed(&caller, -1, none)
                            )
                        }
                        Some((own, waits)) => tokio::select! {
                            own = number(caller.clone(), own, POLL_INTERVAL) => (own, waits),
                            waits = attention.changed(&caller, waits, POLL_INTERVAL) => (own, waits),
                        },
                    }
                };
                let now = numbers.wait(now).await?;
                if last != Some(now) {
                    let number = combine_change_numbers(now.0, now.1).to_string();
                    return Some((
                        Ok(Event::default().id(&number).data(&number)),
                        (Some(now), numbers, authenticator),
                    ));
                }
            }
        },
    ))
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
