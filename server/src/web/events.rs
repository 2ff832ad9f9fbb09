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
use crate::auth::{Door, DoormanOf};

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
    Router::new()
        .merge(stream("/guest/execution/{id}/events", Persona::Guest))
        .merge(stream("/staff/executions/{id}/events", Persona::Staff))
}

async fn events(State(follow): State<Follow>, Path(id): Path<String>, request: Request) -> Response {
    let Some(context) = RequestContext::of(request.extensions(), request.headers()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let doorman = context.doorman(&follow.door);
    let Some(who) = doorman.who().await.filter(|who| who.caller.persona == follow.persona) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let Some(first) = follow.watch.execution(&who.caller, &id).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let sse = Sse::new(views(follow, doorman, who.caller, id, first)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    ([(header::CACHE_CONTROL, "no-store"), (unbuffered, "no")], sse).into_response()
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
