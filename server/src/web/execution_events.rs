//! Live execution for open pages: server-sent events, one view as JSON per change.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Path, Request, State},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
    routing::get,
};
use dewy_domain::{
    caller::{Caller, Persona},
    ports::{Attention, Authenticator, ExecutionFeed, both},
    view::ExecutionView,
};
use futures::{Stream, future::BoxFuture, stream};
use http::{HeaderName, StatusCode, header};
use tokio_util::sync::CancellationToken;

use super::{WebParts, request_context::RequestContext};
use crate::{
    auth::{RequestAuthenticator, SignInState},
    request_tracing::Traced,
};

/// Duration of one wait; afterward the caller's permission is checked again.
pub(super) const POLL_INTERVAL: Duration = Duration::from_secs(15);
/// Proxies close connections that are silent for half a minute or more.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

#[derive(Clone)]
struct Follow {
    door: SignInState,
    watch: Arc<dyn ExecutionFeed>,
    stopping: CancellationToken,
    persona: Persona,
}

/// Streams of both personas.
pub fn router(parts: &WebParts) -> Router {
    let stream = |path: &str, persona| {
        let follow = Follow {
            door: parts.door.clone(),
            watch: Arc::clone(&parts.watch),
            stopping: parts.stopping.clone(),
            persona,
        };
        Router::new().route(path, get(events)).with_state(follow)
    };
    let numbers = |path: &str, persona, number: Number| {
        let attention = Arc::clone(&parts.attention);
        let follow = Numbers {
            door: parts.door.clone(),
            stopping: parts.stopping.clone(),
            persona,
            number,
            attention,
        };
        Router::new().route(path, get(numbers)).with_state(follow)
    };
    let (watch, board) = (Arc::clone(&parts.watch), Arc::clone(&parts.board));
    let lists: Number = Arc::new(move |caller, after, at_most| {
        let watch = Arc::clone(&watch);
        Box::pin(async move { watch.lists_changed(&caller, after, at_most).await })
    });
    let own = Arc::clone(&board);
    let guest: Number = Arc::new(move |caller, after, at_most| {
        let board = Arc::clone(&own);
        Box::pin(async move { board.guest_changed(&caller, after, at_most).await })
    });
    let board: Number = Arc::new(move |caller, after, at_most| {
        let board = Arc::clone(&board);
        Box::pin(async move { board.glance_changed(&caller, after, at_most).await })
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
    State(follow): State<Follow>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let (authenticator, caller) =
        match follower(asker(&request), &follow.door, follow.persona).await {
            Ok(found) => found,
            Err(status) => return status.into_response(),
        };
    let watch = Traced::of(request.extensions(), Arc::clone(&follow.watch));
    let Some(first) = watch.execution(&caller, &id).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    streamed(views(follow, authenticator, caller, id, first))
}

/// Signed-in caller of that persona.
///
/// # Errors
/// The response for anybody else.
pub(super) async fn follower(
    context: Option<RequestContext>,
    door: &SignInState,
    persona: Persona,
) -> Result<(RequestAuthenticator, Caller), StatusCode> {
    let context = context.ok_or(StatusCode::INTERNAL_SERVER_ERROR)?;
    let authenticator = context.authenticator(door);
    let who = authenticator
        .who()
        .await
        .filter(|who| who.caller.persona == persona)
        .ok_or(StatusCode::UNAUTHORIZED)?;
    Ok((authenticator, who.caller))
}

/// Checked before each wait: after a sign-out elsewhere or a disabled account, the stream ends. The
/// role may have changed.
pub(super) async fn still(
    authenticator: &RequestAuthenticator,
    persona: Persona,
) -> Option<Caller> {
    let who = if authenticator.still_in().await {
        authenticator.who().await
    } else {
        None
    };
    who.map(|who| who.caller)
        .filter(|caller| caller.persona == persona)
}

/// Authenticator of the request.
pub(super) fn asker(request: &Request) -> Option<RequestContext> {
    RequestContext::of(request.extensions(), request.headers())
}

pub(super) fn streamed(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
) -> Response {
    let sse = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    (
        [(header::CACHE_CONTROL, "no-store"), (unbuffered, "no")],
        sse,
    )
        .into_response()
}

/// Number that changes whenever its subject does; returns early on a change.
type Number = Arc<dyn Fn(Caller, i64, Duration) -> BoxFuture<'static, i64> + Send + Sync>;

/// Numbers that lists and boards subscribe to.
#[derive(Clone)]
struct Numbers {
    door: SignInState,
    stopping: CancellationToken,
    persona: Persona,
    number: Number,
    attention: Arc<dyn Attention>,
}

/// Number that never changes.
async fn nothing(at_most: Duration) -> i64 {
    tokio::time::sleep(at_most).await;
    0
}

/// Current number, then a new one after every change.
async fn numbers(State(follow): State<Numbers>, request: Request) -> Response {
    let authenticator = match follower(asker(&request), &follow.door, follow.persona).await {
        Ok((authenticator, _)) => authenticator,
        Err(status) => return status.into_response(),
    };
    streamed(stream::unfold(
        (None, follow, authenticator),
        |(last, follow, authenticator)| async move {
            loop {
                let caller = still(&authenticator, follow.persona).await?;
                let number = |caller, after, at_most| (follow.number)(caller, after, at_most);
                let attention = &follow.attention;
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
                let now = tokio::select! {
                    biased;
                    () = follow.stopping.cancelled() => return None,
                    now = now => now,
                };
                if last != Some(now) {
                    let number = both(now.0, now.1).to_string();
                    return Some((
                        Ok(Event::default().id(&number).data(&number)),
                        (Some(now), follow, authenticator),
                    ));
                }
            }
        },
    ))
}

/// Current view, then one after each change; ends when the execution is at rest, may no longer be
/// seen, or the server stops.
fn views(
    follow: Follow,
    authenticator: RequestAuthenticator,
    caller: Caller,
    id: String,
    first: ExecutionView,
) -> impl Stream<Item = Result<Event, Infallible>> {
    enum At {
        First(Box<ExecutionView>),
        After(i64),
        End,
    }
    stream::unfold(
        (
            At::First(Box::new(first)),
            follow,
            authenticator,
            caller,
            id,
        ),
        |(at, follow, authenticator, caller, id)| async move {
            let view = match at {
                At::End => return None,
                At::First(view) => *view,
                At::After(seq) => loop {
                    let looked = tokio::select! {
                        biased;
                        () = follow.stopping.cancelled() => return None,
                        view = follow.watch.changed(&caller, &id, seq, POLL_INTERVAL) => view?,
                    };
                    // Signed out elsewhere: the stream ends.
                    if !authenticator.still_in().await {
                        return None;
                    }
                    if looked.seq > seq || looked.at_rest {
                        break looked;
                    }
                },
            };
            let event = Event::default()
                .id(view.seq.to_string())
                .json_data(&view)
                .unwrap_or_default();
            let next = if view.at_rest {
                At::End
            } else {
                At::After(view.seq)
            };
            Some((Ok(event), (next, follow, authenticator, caller, id)))
        },
    )
}
