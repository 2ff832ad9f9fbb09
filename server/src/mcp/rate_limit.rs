//! How often one principal may call: an agent that runs in circles must not keep the desk from
//! everybody else.

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

/// More than this many principals at once are looked through for those that are quiet.
const MANY: usize = 10_000;

/// So many calls in so long a time.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// How many.
    pub calls: u32,
    /// In how long.
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
    /// When the window began, and how many calls it has seen.
    seen: Arc<Mutex<BTreeMap<String, (Timestamp, u32)>>>,
}

impl RateLimit {
    /// Nobody has called yet.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, limit: Limit) -> Self {
        Self {
            clock,
            limit,
            seen: Arc::default(),
        }
    }

    /// Counts a call; how long to wait when it is one too many.
    pub(crate) fn count(&self, who: String) -> Option<SignedDuration> {
        let now = self.clock.now();
        let over = |began: Timestamp| now.duration_since(began) >= self.limit.window;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() > MANY {
            seen.retain(|_, (began, _)| !over(*began));
        }
        let (began, calls) = seen.entry(who).or_insert((now, 0));
        if over(*began) {
            (*began, *calls) = (now, 0);
        }
        *calls = calls.saturating_add(1);
        (*calls > self.limit.calls).then(|| self.limit.window - now.duration_since(*began))
    }
}

/// Lets a principal's calls through at that pace; behind the check for the token, which says who it
/// is.
pub async fn keep_pace(State(pace): State<RateLimit>, request: Request, next: Next) -> Response {
    let who = request.extensions().get::<Caller>().map(Caller::key);
    let Some(wait) = who.and_then(|who| pace.count(who)) else {
        return next.run(request).await;
    };
    let seconds = wait.as_secs().max(1);
    metrics::counter!("dewy_mcp_paced_total").increment(1);
    let error =
        json!({ "code": -32000, "message": format!("too many calls; try again in {seconds} s") });
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": error });
    let headers = [
        (header::RETRY_AFTER, seconds.to_string()),
        (header::CONTENT_TYPE, "application/json".to_owned()),
    ];
    (StatusCode::TOO_MANY_REQUESTS, headers, body.to_string()).into_response()
}
