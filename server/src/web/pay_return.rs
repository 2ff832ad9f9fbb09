//! Return from the bank (3-D Secure). The payment data in the URL is not trusted; the execution
//! asks Stripe.

use std::time::Duration;

use axum::{
    Router,
    extract::{Query, State},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use dewy_domain::payment_intent_id::PaymentIntentId;
use dewy_saga::{ExecutionId, Journal, State as Phase, StoreError, journal::ExecutionFilter};
use serde::Deserialize;

use super::WebParts;

/// Query parameters; Stripe appends the payment.
#[derive(Debug, Deserialize)]
struct ReturnQuery {
    execution: Option<String>,
    payment_intent: Option<String>,
}

/// Minimum time between two wake-ups: anyone can reload this URL, and each wake-up costs a Stripe
/// call and a journal row.
const MIN_WAKE_INTERVAL: Duration = Duration::from_secs(5);

/// `GET /guest/pay/return?execution=exe_…`. Needs no session: it reveals nothing, only ends the
/// wait, and redirects to a page that checks who is signed in.
pub fn router(parts: &WebParts) -> Router {
    Router::new()
        .route("/guest/pay/return", get(handle_return))
        .with_state(parts.clone())
}

async fn handle_return(State(parts): State<WebParts>, Query(came): Query<ReturnQuery>) -> Response {
    let id = match find(&parts, &came).await {
        Ok(Some(id)) => id,
        Ok(None) => return Redirect::to("/guest").into_response(),
        Err(error) => {
            tracing::error!(%error, "the execution of a payment could not be found");
            return Redirect::to("/guest").into_response();
        }
    };
    tracing::Span::current().record("execution", tracing::field::display(id));
    if let Err(error) = wake(&parts, id).await {
        tracing::warn!(%error, "an execution could not be woken; it will poll");
    }
    // Tells the page that the bank's result is pending, so that it doesn't send the guest to the
    // bank again.
    Redirect::to(&format!("/guest/execution/{id}?back=1")).into_response()
}

/// Wakes only an execution that waits for the bank; a repeated or late request has no effect.
async fn wake(parts: &WebParts, id: ExecutionId) -> Result<(), StoreError> {
    let heads = parts.store.heads(&[id]).await?;
    if heads.iter().any(|head| head.state == Phase::Waiting) {
        parts.store.wake(id, MIN_WAKE_INTERVAL).await?;
    }
    Ok(())
}

async fn find(parts: &WebParts, came: &ReturnQuery) -> Result<Option<ExecutionId>, StoreError> {
    if let Some(id) = came.execution.as_deref().and_then(|id| id.parse().ok()) {
        return Ok(Some(id));
    }
    let named = came.payment_intent.as_deref();
    let Some(payment) = named.and_then(|id| id.parse::<PaymentIntentId>().ok()) else {
        return Ok(None);
    };
    let labels = vec![("payment_intent_id".to_owned(), payment.into())];
    let found = parts
        .store
        .list(&ExecutionFilter {
            labels,
            limit: 10,
            ..ExecutionFilter::default()
        })
        .await?;
    // The oldest execution is the payment; later ones are corrections.
    Ok(found.last().map(|record| record.id))
}
