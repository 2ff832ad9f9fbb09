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
use dewy_domain::{caller::Persona, concierge::LiveState, ports::Concierge};
use futures::{Stream, stream};
use http::StatusCode;
use serde_json::json;

use super::{
    WebParts,
    event_stream::{EventStream, POLL_INTERVAL, event_response, request_context},
};
use crate::auth::RequestAuthenticator;

type ConversationStream = EventStream<Arc<dyn Concierge>>;

/// Streams of both personas.
pub fn router(parts: &WebParts) -> Router {
    let stream = |path: &str, persona| {
        let source = Arc::clone(&parts.concierge);
        Router::new()
            .route(path, get(events))
            .with_state(EventStream::new(parts, persona, source))
    };
    Router::new()
        .merge(stream("/guest/concierge/{id}/events", Persona::Guest))
        .merge(stream("/staff/concierge/{id}/events", Persona::Staff))
}

async fn events(
    State(conversation): State<ConversationStream>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let (authenticator, caller) = match conversation.open(request_context(&request)).await {
        Ok(found) => found,
        Err(status) => return status.into_response(),
    };
    if conversation
        .source
        .changed(&caller, &id, &LiveState::unseen(), POLL_INTERVAL)
        .await
        .is_none()
    {
        return StatusCode::NOT_FOUND.into_response();
    }
    event_response(changes(conversation, authenticator, id))
}

fn changes(
    conversation: ConversationStream,
    authenticator: RequestAuthenticator,
    id: String,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(
        (None::<LiveState>, conversation, authenticator, id),
        |(last, conversation, authenticator, id)| async move {
            loop {
                let caller = conversation.caller(&authenticator).await?;
                let seen = last.clone().unwrap_or_else(LiveState::unseen);
                let change = conversation
                    .source
                    .changed(&caller, &id, &seen, POLL_INTERVAL);
                let live = conversation.wait(change).await??;
                if live.differs(&seen) {
                    let event = Event::default().data(new_text(&seen, &live).to_string());
                    return Some((Ok(event), (Some(live), conversation, authenticator, id)));
                }
            }
        },
    )
}

/// Text after the end of the last event, in UTF-16 units as a browser counts.
fn new_text(last: &LiveState, live: &LiveState) -> serde_json::Value {
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
    fn streamed_text_continues_at_its_position() {
        let live = |round: u64, text: &str| LiveState {
            seq: 1,
            busy: true,
            round,
            text: text.to_owned(),
            ..LiveState::default()
        };
        let of = |last: &LiveState, live: &LiveState| {
            let event = new_text(last, live);
            (
                event["begins"].as_bool().unwrap(),
                event["text"].as_str().unwrap().to_owned(),
            )
        };
        let nothing = LiveState::unseen();
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
