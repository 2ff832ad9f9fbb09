//! Change numbers of lists, boards, guests, and attention items, as server-sent events.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response, sse::Event},
    routing::get,
};
use dewy_domain::{
    caller::{Caller, Persona},
    ports::{Attention, combine_change_numbers},
};
use futures::{future::BoxFuture, stream};

use super::{
    WebParts,
    event_stream::{EventStream, POLL_INTERVAL, event_response, request_context},
};

/// Streams of both personas.
pub fn router(parts: &WebParts) -> Router {
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
