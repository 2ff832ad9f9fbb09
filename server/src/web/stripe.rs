//! Stripe's events. They only shorten the wait: whatever one tells is asked of Stripe again by the execution it is about, and
//! without any event the same is found by polling and by the sweep.
//!
//! ```text
//! signature over the raw body (400) ─► one of ours? no ─► 200
//!                                       └─ yes ─► signal to its execution, key = the event's id ─► 200
//!                                                 (one that is paying, or is completed, has nothing to hear)
//! ```
//!
//! An event that is sent twice is one signal, and it is closed in the transaction of what it brought about. Their order does
//! not matter: none is believed about the state of anything.

use std::sync::Arc;

use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::post,
};
use dewy_connectors::stripe::webhook::{self, Event};
use dewy_domain::ports::Clock;
use dewy_saga::{Ask, ExecutionId, Journal, Signal, State as Phase, StoreError, journal::Filter};
use dewy_store::Store;
use http::{StatusCode, header};

use super::{BODY_WITHIN, WebParts};
use crate::hooks::Secrets;

/// The path, as Stripe is told.
pub const PATH: &str = "/webhooks/stripe";
/// Kinds that may mean something to an execution.
pub const KINDS: [&str; 12] = [
    "payment_intent.succeeded",
    "payment_intent.payment_failed",
    "payment_intent.requires_action",
    "payment_intent.processing",
    "payment_intent.canceled",
    "charge.refunded",
    "charge.refund.updated",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.closed",
];
/// Stripe's own events are a few kilobytes.
const BODY_LIMIT: usize = 256 * 1024;
/// A payment has its check-out and at most a few compensations.
const OF_A_PAYMENT: usize = 10;

#[derive(Clone, Debug)]
struct Hook {
    store: Store,
    clock: Arc<dyn Clock>,
    secrets: Secrets,
}

/// The route. It has neither session nor origin check: the signature says who speaks.
pub fn router(parts: &WebParts) -> Router {
    let hook =
        Hook { store: parts.store.clone(), clock: Arc::clone(&parts.clock), secrets: parts.webhook_secrets.clone() };
    Router::new().route(PATH, post(receive)).with_state(hook)
}

async fn receive(State(hook): State<Hook>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let signature = parts.headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let Some(signature) = signature.map(ToOwned::to_owned) else {
        return answer("unsigned", StatusCode::BAD_REQUEST);
    };
    let body = match tokio::time::timeout(BODY_WITHIN, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return answer("too large", StatusCode::PAYLOAD_TOO_LARGE),
        Err(_) => return answer("too slow", StatusCode::REQUEST_TIMEOUT),
    };
    let secret = match hook.secrets.current().await {
        Ok(Some(secret)) => secret,
        Ok(None) => return later("no secret is known yet"),
        Err(error) => return failed(&error),
    };
    let event = match webhook::receive(&secret, &signature, &body, hook.clock.now()) {
        Ok(event) => event,
        Err(error) => {
            tracing::warn!(%error, "an event was not believed");
            return answer("not believed", StatusCode::BAD_REQUEST);
        }
    };
    match hook.tell(&event).await {
        Ok(outcome) => answer(outcome, StatusCode::OK),
        Err(error) => failed(&error),
    }
}

fn failed(error: &StoreError) -> Response {
    tracing::error!(%error, "an event could not be kept; Stripe sends it again");
    later("the store failed")
}

fn later(outcome: &'static str) -> Response {
    let mut response = answer(outcome, StatusCode::SERVICE_UNAVAILABLE);
    response.headers_mut().insert(header::RETRY_AFTER, http::HeaderValue::from_static("5"));
    response
}

fn answer(outcome: &'static str, status: StatusCode) -> Response {
    metrics::counter!("dewy_webhooks_total", "outcome" => outcome).increment(1);
    (status, format!("{outcome}\n")).into_response()
}

impl Hook {
    /// Tells the executions that the event is about; what became of it, in a word.
    async fn tell(&self, event: &Event) -> Result<&'static str, StoreError> {
        if !KINDS.contains(&event.kind.as_str()) {
            return Ok("nothing to us");
        }
        let mut told = false;
        for id in self.executions(event).await? {
            told |= self.signal(id, event).await?;
        }
        if !told {
            tracing::info!(event = event.id, kind = event.kind, "an event is about no execution of ours");
            return Ok("of no execution");
        }
        Ok("told")
    }

    async fn executions(&self, event: &Event) -> Result<Vec<ExecutionId>, StoreError> {
        if let Some(id) = event.execution_id.as_deref().and_then(|id| id.parse().ok()) {
            return Ok(vec![id]);
        }
        let Some(payment) = &event.payment_intent else { return Ok(Vec::new()) };
        let labels = vec![("payment_intent_id".to_owned(), payment.clone())];
        let found = self.store.list(&Filter { labels, limit: OF_A_PAYMENT, ..Filter::default() }).await?;
        Ok(found.into_iter().map(|record| record.id).collect())
    }

    /// Tells one execution; false when there is none of that name.
    async fn signal(&self, id: ExecutionId, event: &Event) -> Result<bool, StoreError> {
        tracing::Span::current().record("execution", tracing::field::display(id));
        let Some(record) = self.store.load(id).await? else { return Ok(false) };
        match record.state {
            // By far the most: the payment of a check-out that is done. There is nothing left to look for.
            Phase::Completed => Ok(true),
            // It has just asked Stripe, or is about to; a signal would only have it look once more after its end.
            Phase::Queued | Phase::Running if event.kind.starts_with("payment_intent.") => Ok(true),
            _ => {
                let Event { id: key, kind, .. } = event.clone();
                let signal = Signal { key, ask: Ask::Look, by: "webhook".to_owned(), why: kind };
                self.store.signal(id, &signal, self.clock.now()).await
            }
        }
    }
}
