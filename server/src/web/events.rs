//! An execution as it goes on, for pages that are open: server-sent events, one view as JSON per change.

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
    ports::{Doorman, Watch},
    view::ExecutionView,
};
use futures::{Stream, stream};
use http::{HeaderName, StatusCode, header};
use tokio_util::sync::CancellationToken;

use super::{WebParts, context::RequestContext};
use crate::{
    auth::{Door, DoormanOf},
    seen::Seen,
};

/// One look; then the caller's right to look is checked again.
const LOOK: Duration = Duration::from_secs(15);
/// Proxies cut what is silent for half a minute or more.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

#[derive(Clone)]
struct Follow {
    door: Door,
    watch: Arc<dyn Watch>,
    stopping: CancellationToken,
    persona: Persona,
}

/// Both personas' streams.
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
    let lists = Follow {
        door: parts.door.clone(),
        watch: Arc::clone(&parts.watch),
        stopping: parts.stopping.clone(),
        persona: Persona::Staff,
    };
    let lists = Router::new().route("/staff/events", get(list_events)).with_state(lists);
    Router::new()
        .merge(stream("/guest/execution/{id}/events", Persona::Guest))
        .merge(stream("/staff/executions/{id}/events", Persona::Staff))
        .merge(lists)
}

async fn events(State(follow): State<Follow>, Path(id): Path<String>, request: Request) -> Response {
    let Some(context) = RequestContext::of(request.extensions(), request.headers()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let doorman = context.doorman(&follow.door);
    let Some(who) = doorman.who().await.filter(|who| who.caller.persona == follow.persona) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let watch = Seen::of(request.extensions(), Arc::clone(&follow.watch));
    let Some(first) = watch.execution(&who.caller, &id).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    streamed(views(follow, doorman, who.caller, id, first))
}

fn streamed(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    let sse = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    ([(header::CACHE_CONTROL, "no-store"), (unbuffered, "no")], sse).into_response()
}

/// What the desk's lists listen to: a number, and another one whenever something changed.
async fn list_events(State(follow): State<Follow>, request: Request) -> Response {
    let Some(context) = RequestContext::of(request.extensions(), request.headers()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let doorman = context.doorman(&follow.door);
    let Some(who) = doorman.who().await.filter(|who| who.caller.persona == follow.persona) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let numbers = stream::unfold((None, follow, doorman), |(last, follow, doorman)| async move {
        loop {
            // Asked anew each time: the account may have been shut, or have another role.
            let who = if doorman.still_in().await { doorman.who().await } else { None };
            let caller = who?.caller;
            let (after, at_most) = last.map_or((-1, Duration::ZERO), |last| (last, LOOK));
            let number = tokio::select! {
                biased;
                () = follow.stopping.cancelled() => return None,
                number = follow.watch.lists_changed(&caller, after, at_most) => number,
            };
            if last != Some(number) {
                let event = Event::default().id(number.to_string()).data(number.to_string());
                return Some((Ok(event), (Some(number), follow, doorman)));
            }
        }
    });
    drop(who);
    streamed(numbers)
}

/// The view now, then after each change; the end when it is at rest, may no longer be seen, or we go down.
fn views(
    follow: Follow,
    doorman: DoormanOf,
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
        (At::First(Box::new(first)), follow, doorman, caller, id),
        |(at, follow, doorman, caller, id)| async move {
            let view = match at {
                At::End => return None,
                At::First(view) => *view,
                At::After(seq) => loop {
                    let looked = tokio::select! {
                        biased;
                        () = follow.stopping.cancelled() => return None,
                        view = follow.watch.changed(&caller, &id, seq, LOOK) => view?,
                    };
                    // Signed out elsewhere meanwhile: nothing more is told.
                    if !doorman.still_in().await {
                        return None;
                    }
                    if looked.seq > seq || looked.at_rest {
                        break looked;
                    }
                },
            };
            let event = Event::default().id(view.seq.to_string()).json_data(&view).unwrap_or_default();
            let next = if view.at_rest { At::End } else { At::After(view.seq) };
            Some((Ok(event), (next, follow, doorman, caller, id)))
        },
    )
}
