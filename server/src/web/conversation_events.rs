//! Live conversation: server-sent events with text as it arrives.
//!
//! Each event carries the state of the conversation and the text that follows the previous event; a
//! new round starts over. Complete messages are in the page, which is reloaded when the number
//! differs. A dropped connection loses nothing: the next one starts with the full text.

use std::{convert::Infallible, sync::Arc};

use axum::{
    Router,
    extract::{Path, Request, State},
    response::{IntoResponse, Response, sse::Event},
    routing::get,
};
use dewy_domain::{caller::Persona, concierge::Live, ports::Concierge};
use futures::{Stream, stream};
use http::StatusCode;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{
    WebParts,
    execution_events::{POLL_INTERVAL, asker, follower, still, streamed},
};
use crate::auth::{RequestAuthenticator, SignInState};

#[derive(Clone)]
struct Follow {
    door: SignInState,
    concierge: Arc<dyn Concierge>,
    stopping: CancellationToken,
    persona: Persona,
}

/// Streams of both personas.
pub fn router(parts: &WebParts) -> Router {
    let stream = |path: &str, persona| {
        let follow = Follow {
            door: parts.door.clone(),
            concierge: Arc::clone(&parts.concierge),
            stopping: parts.stopping.clone(),
            persona,
        };
        Router::new().route(path, get(events)).with_state(follow)
    };
    Router::new()
        .merge(stream("/guest/concierge/{id}/events", Persona::Guest))
        .merge(stream("/staff/concierge/{id}/events", Persona::Staff))
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
    if follow
        .concierge
        .changed(&caller, &id, &Live::unseen(), POLL_INTERVAL)
        .await
        .is_none()
    {
        return StatusCode::NOT_FOUND.into_response();
    }
    streamed(changes(follow, authenticator, id))
}

fn changes(
    follow: Follow,
    authenticator: RequestAuthenticator,
    id: String,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(
        (None::<Live>, follow, authenticator, id),
        |(last, follow, authenticator, id)| async move {
            loop {
                let caller = still(&authenticator, follow.persona).await?;
                let seen = last.clone().unwrap_or_else(Live::unseen);
                let live = tokio::select! {
                    biased;
                    () = follow.stopping.cancelled() => return None,
                    live = follow.concierge.changed(&caller, &id, &seen, POLL_INTERVAL) => live?,
                };
                if live.differs(&seen) {
                    let event = Event::default().data(new_text(&seen, &live).to_string());
                    return Some((Ok(event), (Some(live), follow, authenticator, id)));
                }
            }
        },
    )
}

/// Text after the end of the last event, in UTF-16 units as a browser counts.
fn new_text(last: &Live, live: &Live) -> serde_json::Value {
    let more = (last.round == live.round && last.seq != i64::MIN)
        .then(|| live.text.strip_prefix(last.text.as_str()));
    let (begins, text) = match more.flatten() {
        Some(more) => (false, more),
        None => (true, live.text.as_str()),
    };
    json!({ "seq": live.seq.to_string(), "busy": live.busy, "begins": begins, "text": text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_on_where_they_ended() {
        let live = |round: u64, text: &str| Live {
            seq: 1,
            busy: true,
            round,
            text: text.to_owned(),
            ..Live::default()
        };
        let of = |last: &Live, live: &Live| {
            let told = new_text(last, live);
            (
                told["begins"].as_bool().unwrap(),
                told["text"].as_str().unwrap().to_owned(),
            )
        };
        let nothing = Live::unseen();
        assert_eq!(
            of(&nothing, &live(1, "You owe")),
            (true, "You owe".to_owned()),
            "a new connection has them all"
        );
        assert_eq!(
            of(&live(1, "You owe"), &live(1, "You owe $2")),
            (false, " $2".to_owned())
        );
        assert_eq!(
            of(&live(1, "You owe"), &live(2, "You owe")),
            (true, "You owe".to_owned()),
            "another try"
        );
        assert_eq!(
            of(&live(1, "You owe"), &live(1, "")),
            (true, String::new()),
            "it is stored now"
        );
    }
}
