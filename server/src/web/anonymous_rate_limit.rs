//! Rate limit for forms from anonymous sessions: counted in memory, before anything is stored for
//! them.
//!
//! ```text
//! POST ─► signed in? ─► continue;  our browser cookie? ─► count by browser ─► continue, or 429
//!                                       └─ none ─► count first forms by network ─► continue with a new cookie, or 429
//! ```
//! A browser sends one form without the cookie, ever. So nobody who was here before waits for others
//! on the same network, and a program that keeps no cookies has its network's allowance.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::Method;
use std::time::Duration;
use tower_sessions::Session;

use crate::{
    auth::{USER_KEY, browser_cookie::Browser},
    config::{client_address::ClientAddress, network::Network},
    tool_calls::{
        rate_limit::{Limit, RateLimit},
        rate_limit_mark::RateLimitMark,
    },
};

/// A person signs in with two or three forms.
const PER_BROWSER: Limit = Limit {
    calls: 100,
    window: Duration::from_secs(300),
};
/// A hotel's network has many guests behind one address.
const FIRST_FORMS_PER_NETWORK: Limit = Limit {
    calls: 300,
    window: Duration::from_secs(300),
};

/// Counters of all browsers and networks.
#[derive(Clone, Debug)]
pub struct AnonymousRateLimit {
    browsers: RateLimit,
    networks: RateLimit,
}

impl Default for AnonymousRateLimit {
    fn default() -> Self {
        Self {
            browsers: RateLimit::new(PER_BROWSER),
            networks: RateLimit::new(FIRST_FORMS_PER_NETWORK),
        }
    }
}

/// Applies the limit. Runs behind the session layer and the browser cookie, and inside the
/// rate-limit page.
pub async fn enforce_rate_limit(
    State(limit): State<AnonymousRateLimit>,
    request: Request,
    next: Next,
) -> Response {
    let session = request.extensions().get::<Session>().cloned();
    if request.method() != Method::POST || is_signed_in(session).await {
        return next.run(request).await;
    }
    let browser = request.extensions().get::<Browser>();
    let wait = match browser.and_then(Browser::sent_id) {
        Some(id) => limit.browsers.count(hex::encode(id.0)),
        None => {
            let network = Network::of(ClientAddress::of(request.extensions()));
            limit.networks.count(network.to_string())
        }
    };
    let Some(wait) = wait else {
        return next.run(request).await;
    };
    metrics::counter!("dewy_forms_rate_limited_total").increment(1);
    if let Some(away) = request.extensions().get::<RateLimitMark>() {
        away.record(wait);
    }
    Response::default()
}

async fn is_signed_in(session: Option<Session>) -> bool {
    match session {
        Some(session) => matches!(session.get_value(USER_KEY).await, Ok(Some(_))),
        None => false,
    }
}
