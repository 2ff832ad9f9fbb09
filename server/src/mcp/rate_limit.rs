//! Rate limit per principal: an agent in a loop must not block everybody else.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_domain::{caller::Caller, ports::Clock};
use http::{StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

/// Number of principals above which idle ones are removed.
const MAX_CLIENTS: usize = 10_000;

/// Maximum number of calls in a time window.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Number of calls.
    pub calls: u32,
    /// Length of the window.
    pub window: SignedDuration,
}

impl Default for Limit {
    fn default() -> Self {
        Self {
            calls: 600,
            window: SignedDuration::from_mins(1),
        }
    }
}

/// Counts calls by principal, in this process.
#[derive(Clone, Debug)]
pub struct RateLimit {
    clock: Arc<dyn Clock>,
    limit: Limit,
    /// Start of the window and number of calls in it.
    usage: Arc<Mutex<BTreeMap<String, (Timestamp, u32)>>>,
}

impl RateLimit {
    /// Creates a limiter with no calls counted.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, limit: Limit) -> Self {
        Self {
            clock,
            limit,
            usage: Arc::default(),
        }
    }

    /// Counts a call; returns the time to wait if it exceeds the limit.
    pub(crate) fn count(&self, user: String) -> Option<SignedDuration> {
        let now = self.clock.now();
        let over = |began: Timestamp| now.duration_since(began) >= self.limit.window;
        let mut seen = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() > MAX_CLIENTS {
            seen.retain(|_, (began, _)| !over(*began));
        }
        let (began, calls) = seen.entry(user).or_insert((now, 0));
        if over(*began) {
            (*began, *calls) = (now, 0);
        }
        *calls = calls.saturating_add(1);
        (*calls > self.limit.calls).then(|| self.limit.window - now.duration_since(*began))
    }
}

/// Applies the rate limit. Runs after the token check, which identifies the principal.
pub async fn enforce_rate_limit(
    State(pace): State<RateLimit>,
    request: Request,
    next: Next,
) -> Response {
    let user = request.extensions().get::<Caller>().map(Caller::key);
    let Some(wait) = user.and_then(|user| pace.count(user)) else {
        return next.run(request).await;
    };
    let seconds = wait.as_secs().max(1);
    metrics::counter!("dewy_mcp_rate_limited_total").increment(1);
    let error =
        json!({ "code": -32000, "message": format!("too many calls; try again in {seconds} s") });
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": error });
    let headers = [
        (header::RETRY_AFTER, seconds.to_string()),
        (header::CONTENT_TYPE, "application/json".to_owned()),
    ];
    (StatusCode::TOO_MANY_REQUESTS, headers, body.to_string()).into_response()
}
