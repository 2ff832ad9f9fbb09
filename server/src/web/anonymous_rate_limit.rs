//! Rate limit for forms from anonymous sessions: counted by network in memory, before anything is
//! stored for them.
//!
//! ```text
//! POST ─► signed in? ─► continue;  anonymous ─► count by network ─► continue, or 429
//! ```

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use dewy_domain::ports::Clock;
use http::Method;
use jiff::SignedDuration;
use tower_sessions::Session;

use super::request_context::address;
use crate::{
    auth::{USER_KEY, network},
    mcp::{Limit, RateLimit},
    rate_limit_mark::RateLimitMark,
};

/// A hotel's network has many guests behind one address, and each signs in with two or three forms.
const PER_NETWORK: Limit = Limit {
    calls: 300,
    window: SignedDuration::from_mins(5),
};

/// Counters of all networks.
#[derive(Clone, Debug)]
pub struct AnonymousRateLimit(RateLimit);

impl AnonymousRateLimit {
    /// Creates it with no requests counted.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self(RateLimit::new(clock, PER_NETWORK))
    }
}

/// Applies the limit. Runs behind the session layer and inside the rate-limit page.
pub async fn enforce_rate_limit(
    State(strangers): State<AnonymousRateLimit>,
    request: Request,
    next: Next,
) -> Response {
    let session = request.extensions().get::<Session>().cloned();
    if request.method() != Method::POST || is_signed_in(session).await {
        return next.run(request).await;
    }
    let Some(wait) = strangers.0.count(network(address(&request))) else {
        return next.run(request).await;
    };
    metrics::counter!("dewy_forms_rate_limited_total").increment(1);
    if let Some(away) = request.extensions().get::<RateLimitMark>() {
        away.record(wait.try_into().unwrap_or_default());
    }
    Response::default()
}

async fn is_signed_in(session: Option<Session>) -> bool {
    match session {
        Some(session) => matches!(session.get_value(USER_KEY).await, Ok(Some(_))),
        None => false,
    }
}
