//! Status of texts, as Twilio reports it.
//!
//! ```text
//! signature over the address and the form (403) ─► the status is kept by message: repeated and late reports change nothing ─► 200
//! ```

use std::sync::Arc;

use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::post,
};
use dewy_connectors::twilio::callback::{self, CallbackError};
use http::StatusCode;

use super::{BODY_TIMEOUT, WebParts};
use crate::{
    ports::text_delivery::TextDelivery,
    systems::status_callback::{StatusCallback, TWILIO_PATH},
};

/// A report has a dozen short parameters.
const BODY_LIMIT: usize = 16 * 1024;

#[derive(Clone, Debug)]
struct Hook {
    callback: StatusCallback,
    texts: Arc<TextDelivery>,
}

/// Route of the reports; there is none where Twilio can't report. It has neither a session nor an
/// origin check: the signature authenticates the sender.
pub fn router(parts: &WebParts) -> Router {
    let Some(callback) = parts.status_callback.clone() else {
        return Router::new();
    };
    let hook = Hook {
        callback,
        texts: Arc::clone(&parts.text_delivery),
    };
    Router::new()
        .route(TWILIO_PATH, post(receive))
        .with_state(hook)
}

async fn receive(State(hook): State<Hook>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let signature = parts.headers.get("x-twilio-signature");
    let Some(signature) = signature.and_then(|value| value.to_str().ok()) else {
        return answer("unsigned", StatusCode::FORBIDDEN);
    };
    let body = match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return answer("too large", StatusCode::PAYLOAD_TOO_LARGE),
        Err(_) => return answer("too slow", StatusCode::REQUEST_TIMEOUT),
    };
    let StatusCallback { url, token } = &hook.callback;
    let report = match callback::receive(token, signature, url, &body) {
        Ok(report) => report,
        Err(error @ CallbackError::NoMatch) => {
            tracing::warn!(%error, "the report of a text failed verification; is TWILIO_AUTH_TOKEN the account's, and PUBLIC_URL the address that Twilio sees?");
            return answer("not believed", StatusCode::FORBIDDEN);
        }
        Err(CallbackError::NotAStatus) => return answer("not relevant", StatusCode::OK),
    };
    match hook.texts.note(&report).await {
        Ok(true) => answer("noted", StatusCode::OK),
        Ok(false) => answer("nothing new", StatusCode::OK),
        Err(error) => {
            tracing::error!(%error, "the status of a text could not be stored");
            answer("the store failed", StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

fn answer(outcome: &'static str, status: StatusCode) -> Response {
    metrics::counter!("dewy_text_reports_total", "outcome" => outcome).increment(1);
    (status, format!("{outcome}\n")).into_response()
}
