//! Stripe webhook. Events only shorten the wait: the execution always asks Stripe for the facts,
//! and without events, polling and the sweep reach the same result.
//!
//! ```text
//! signature over the raw body (400) ─┬─► signal to the execution it is about, key = the event's id ─► 200
//!                                    │   (one that is paying, or is completed, needs no signal)
//!                                    ├─► a failed payout, a restricted account: a person is told, whoever's payments it holds
//!                                    └─► a refund, a dispute, a second payment: the payment is examined, and a person sees outside
//!                                        changes to its money if it is ours ─► 200, or 503 if it could not be examined
//! ```
//!
//! An event delivered twice is one signal, closed in the same transaction as its effects. The order
//! of events doesn't matter: none is trusted about the state of anything.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::post,
};
use dewy_connectors::stripe::webhook::{self, Event};
use dewy_domain::{
    payment::{FraudWarning, Payout},
    payment_intent_id::PaymentIntentId,
    ports::Clock,
};
use dewy_orchestrators::{Hotel, PaymentCheckError, REVIEW_PAYMENT};
use dewy_saga::{
    ExecutionId, Journal, Signal, SignalAction, State as Phase, StoreError,
    journal::ExecutionFilter,
};
use dewy_store::Store;
use http::{StatusCode, header};

use super::{BODY_TIMEOUT, WebParts};
use crate::systems::webhook_registration::{STRIPE_EVENT_TYPES, STRIPE_PATH, WebhookSecrets};

/// Stripe's events are a few kilobytes.
const BODY_LIMIT: usize = 256 * 1024;
/// A payment has its check-out, at most a few compensations, and executions about its findings.
const MAX_EXECUTIONS_PER_PAYMENT: usize = 20;
/// Label under which executions store their payment.
const PAYMENT: &str = "payment_intent_id";

/// Examines outside changes to payments.
#[async_trait]
pub trait PaymentMonitor: Send + Sync + std::fmt::Debug {
    /// Examines one payment and reports outside changes to its money to a person.
    ///
    /// # Errors
    /// When the payment could not be examined.
    async fn check_payment(
        &self,
        payment_intent: &PaymentIntentId,
    ) -> Result<(), PaymentCheckError>;

    /// Reports a card network's warning about one of our payments to a person.
    ///
    /// # Errors
    /// When the payment's owner could not be determined.
    async fn review_fraud_warning(
        &self,
        payment_intent: &PaymentIntentId,
        warning: FraudWarning,
    ) -> Result<bool, PaymentCheckError>;

    /// Reports a failed payout to a person.
    ///
    /// # Errors
    /// When it could not be stored.
    async fn review_payout(&self, payout: &Payout) -> Result<bool, PaymentCheckError>;

    /// Reads the account, and reports what Stripe restricts to a person.
    ///
    /// # Errors
    /// When the account could not be read.
    async fn check_account(&self) -> Result<bool, PaymentCheckError>;
}

#[async_trait]
impl PaymentMonitor for Hotel {
    async fn check_payment(
        &self,
        payment_intent: &PaymentIntentId,
    ) -> Result<(), PaymentCheckError> {
        Self::check_payment(self, payment_intent, "webhook")
            .await
            .map(drop)
    }

    async fn review_fraud_warning(
        &self,
        payment_intent: &PaymentIntentId,
        warning: FraudWarning,
    ) -> Result<bool, PaymentCheckError> {
        Self::review_fraud_warning(self, payment_intent, warning).await
    }

    async fn review_payout(&self, payout: &Payout) -> Result<bool, PaymentCheckError> {
        Self::review_payout(self, payout).await
    }

    async fn check_account(&self) -> Result<bool, PaymentCheckError> {
        Self::check_account(self).await
    }
}

#[derive(Clone, Debug)]
struct Hook {
    store: Store,
    clock: Arc<dyn Clock>,
    secrets: WebhookSecrets,
    money: Arc<dyn PaymentMonitor>,
}

/// Webhook route. It has neither a session nor an origin check: the signature authenticates the
/// sender.
pub fn router(parts: &WebParts) -> Router {
    let hook = Hook {
        store: parts.store.clone(),
        clock: Arc::clone(&parts.clock),
        secrets: parts.webhook_secrets.clone(),
        money: Arc::clone(&parts.payment_monitor),
    };
    Router::new()
        .route(STRIPE_PATH, post(receive))
        .with_state(hook)
}

async fn receive(State(hook): State<Hook>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let signature = parts
        .headers
        .get("stripe-signature")
        .and_then(|value| value.to_str().ok());
    let Some(signature) = signature.map(ToOwned::to_owned) else {
        return answer("unsigned", StatusCode::BAD_REQUEST);
    };
    let body = match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return answer("too large", StatusCode::PAYLOAD_TOO_LARGE),
        Err(_) => return answer("too slow", StatusCode::REQUEST_TIMEOUT),
    };
    let secret = match hook.secrets.current().await {
        Ok(Some(secret)) => secret,
        Ok(None) => return later("no secret is known yet"),
        Err(error) => return failed(&error),
    };
    let event = match webhook::receive(&secret, &signature, &body, hook.clock.wall()) {
        Ok(event) => event,
        Err(error) => {
            tracing::warn!(%error, "an event failed verification");
            return answer("not believed", StatusCode::BAD_REQUEST);
        }
    };
    match hook.handle(&event).await {
        Ok(outcome) => answer(outcome, StatusCode::OK),
        Err(PaymentCheckError::Store(error)) => failed(&error),
        Err(error) => {
            tracing::warn!(event = event.id, %error, "the payment could not be checked; Stripe will send the event again");
            later("not processed")
        }
    }
}

fn failed(error: &StoreError) -> Response {
    tracing::error!(%error, "an event could not be stored; Stripe will send it again");
    later("the store failed")
}

fn later(outcome: &'static str) -> Response {
    let mut response = answer(outcome, StatusCode::SERVICE_UNAVAILABLE);
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, http::HeaderValue::from_static("5"));
    response
}

fn answer(outcome: &'static str, status: StatusCode) -> Response {
    metrics::counter!("dewy_webhooks_total", "outcome" => outcome).increment(1);
    (status, format!("{outcome}\n")).into_response()
}

/// Result of delivering an event to one execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    NoExecution,
    /// Signaled, or no signal was needed.
    Signaled,
    /// The event is about another payment than the one the execution knows.
    OtherPayment,
}

impl Hook {
    /// Signals the executions that the event is about; returns the result as a label.
    async fn handle(&self, event: &Event) -> Result<&'static str, PaymentCheckError> {
        if !STRIPE_EVENT_TYPES.contains(&event.kind.as_str()) {
            return Ok("not relevant");
        }
        if let Some(reported) = self.review(event).await? {
            return Ok(if reported { "reported" } else { "nothing new" });
        }
        let (mut signaled, mut another) = (false, false);
        for id in self.executions(event).await? {
            let delivery = self.signal(id, event).await?;
            signaled |= delivery != Delivery::NoExecution;
            another |= delivery == Delivery::OtherPayment;
        }
        // A person should see outside changes to the money, whatever its execution does with them
        // and even before it has stored its payment: then only the payment knows whose it is.
        let changed = another || !event.kind.starts_with("payment_intent.");
        if let Some(payment) = event.payment_intent.as_ref().filter(|_| changed) {
            self.money.check_payment(payment).await?;
        }
        if !signaled {
            tracing::info!(
                event = event.id,
                kind = event.kind,
                "an event matches no execution"
            );
            return Ok("no matching execution");
        }
        Ok("signaled")
    }

    /// Reviews an event about the account, a payout or a fraud warning; returns whether it told a
    /// person something new, and `None` for an event of another kind.
    async fn review(&self, event: &Event) -> Result<Option<bool>, PaymentCheckError> {
        let told = match event.kind.as_str() {
            "account.updated" => self.money.check_account().await?,
            "payout.failed" => match &event.payout {
                Some(payout) => self.money.review_payout(payout).await?,
                None => false,
            },
            "radar.early_fraud_warning.created" => {
                match (&event.payment_intent, &event.fraud_warning) {
                    (Some(payment), Some(warning)) => {
                        self.money
                            .review_fraud_warning(payment, warning.clone())
                            .await?
                    }
                    _ => false,
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(told))
    }

    async fn executions(&self, event: &Event) -> Result<Vec<ExecutionId>, StoreError> {
        if let Some(id) = event.execution_id.as_deref().and_then(|id| id.parse().ok()) {
            return Ok(vec![id]);
        }
        let Some(payment) = &event.payment_intent else {
            return Ok(Vec::new());
        };
        let labels = vec![(PAYMENT.to_owned(), payment.to_string())];
        let found = self
            .store
            .list(&ExecutionFilter {
                labels,
                limit: MAX_EXECUTIONS_PER_PAYMENT,
                ..ExecutionFilter::default()
            })
            .await?;
        // Earlier findings about this payment need no signal.
        let found = found
            .into_iter()
            .filter(|record| record.saga != REVIEW_PAYMENT);
        Ok(found.map(|record| record.id).collect())
    }

    async fn signal(&self, id: ExecutionId, event: &Event) -> Result<Delivery, StoreError> {
        tracing::Span::current().record("execution", tracing::field::display(id));
        let Some(record) = self.store.load(id).await? else {
            return Ok(Delivery::NoExecution);
        };
        match record.state {
            // The most common case: the payment of a completed check-out. Nothing is left to
            // recheck.
            Phase::Completed => {
                let known = record
                    .labels
                    .iter()
                    .find(|(name, _)| name == PAYMENT)
                    .map(|(_, value)| value.as_str());
                let other = event.kind == "payment_intent.succeeded"
                    && known != event.payment_intent.as_ref().map(PaymentIntentId::as_str);
                Ok(if other {
                    Delivery::OtherPayment
                } else {
                    Delivery::Signaled
                })
            }
            // It has just asked Stripe, or is about to; a signal would only cause one more request
            // after its end.
            Phase::Queued | Phase::Running if event.kind.starts_with("payment_intent.") => {
                Ok(Delivery::Signaled)
            }
            _ => {
                let Event { id: key, kind, .. } = event.clone();
                let signal = Signal {
                    key,
                    action: SignalAction::Recheck,
                    by: "webhook".to_owned(),
                    why: kind,
                };
                let known = self.store.signal(id, &signal, self.clock.now()).await?;
                Ok(if known {
                    Delivery::Signaled
                } else {
                    Delivery::NoExecution
                })
            }
        }
    }
}
