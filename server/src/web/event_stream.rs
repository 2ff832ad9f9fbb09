//! Server-sent event streams of signed-in people: access, end, and response.

use std::{convert::Infallible, time::Duration};

use axum::{
    extract::Request,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use dewy_domain::{
    caller::{Caller, Persona},
    ports::Authenticator,
};
use futures::Stream;
use http::{HeaderName, StatusCode, header};
use tokio_util::sync::CancellationToken;

use super::{WebParts, request_context::RequestContext};
use crate::auth::{RequestAuthenticator, SignInState};

/// Duration of one wait; afterward the caller's permission is checked again.
pub(super) const POLL_INTERVAL: Duration = Duration::from_secs(15);
/// Proxies close connections that are silent for half a minute or more.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Streams of one persona from one source.
#[derive(Clone)]
pub(super) struct EventStream<S> {
    pub source: S,
    sign_in: SignInState,
    stopping: CancellationToken,
    persona: Persona,
}

impl<S> EventStream<S> {
    pub fn new(parts: &WebParts, persona: Persona, source: S) -> Self {
        Self {
            source,
            sign_in: parts.sign_in_state.clone(),
            stopping: parts.stopping.clone(),
            persona,
        }
    }

    /// Signed-in caller of that persona.
    ///
    /// # Errors
    /// The response for anybody else.
    pub async fn open(
        &self,
        context: Option<RequestContext>,
    ) -> Result<(RequestAuthenticator, Caller), StatusCode> {
        let context = context.ok_or(StatusCode::INTERNAL_SERVER_ERROR)?;
        let authenticator = context.authenticator(&self.sign_in);
        let user = authenticator
            .signed_in()
            .await
            .filter(|user| user.caller.persona == self.persona)
            .ok_or(StatusCode::UNAUTHORIZED)?;
        Ok((authenticator, user.caller))
    }

    /// Caller, checked before each wait: after a sign-out elsewhere or a disabled account, the
    /// stream ends. The role may have changed.
    pub async fn caller(&self, authenticator: &RequestAuthenticator) -> Option<Caller> {
        if !authenticator.is_still_valid().await {
            return None;
        }
        let user = authenticator.signed_in().await?;
        (user.caller.persona == self.persona).then_some(user.caller)
    }

    /// Waits for the next change; `None` when the server stops.
    pub async fn wait<T>(&self, change: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.stopping.cancelled() => None,
            change = change => Some(change),
        }
    }
}

/// Context of the request, read before the first wait: a request cannot be shared across one.
pub(super) fn request_context(request: &Request) -> Option<RequestContext> {
    RequestContext::of(request.extensions(), request.headers())
}

/// Response with these events, which no proxy may store or buffer.
pub(super) fn event_response(
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
