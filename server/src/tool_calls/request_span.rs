//! Request id, in the log and in the response.

use std::sync::Arc;

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use dewy_domain::ports::{Clock, Entropy};
use http::{Extensions, HeaderName, HeaderValue};
use tracing::Instrument;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Span of the request, for work that runs in another task.
#[derive(Clone, Debug)]
pub struct RequestSpan(tracing::Span);

impl RequestSpan {
    /// Span of the request with these extensions; no span outside a request.
    pub fn of(extensions: &Extensions) -> tracing::Span {
        let span = extensions.get::<Self>();
        span.map_or_else(tracing::Span::none, |span| span.0.clone())
    }
}

/// Id of the request, for audit records.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// Opens the request's span. Logs the route, not the path with its values, and never a query or a
/// body.
pub async fn request_id(
    State((clock, entropy)): State<(Arc<dyn Clock>, Arc<dyn Entropy>)>,
    mut request: Request,
    next: Next,
) -> Response {
    let began = clock.now();
    let id = entropy.uuid_v7(began).simple().to_string();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("-", MatchedPath::as_str)
        .to_owned();
    let method = request.method().clone();
    let span = tracing::info_span!(
        "request",
        request_id = id,
        execution = tracing::field::Empty
    );
    let ended = span.clone();
    request.extensions_mut().insert(RequestSpan(span.clone()));
    request.extensions_mut().insert(RequestId(id.clone()));
    let mut response = next.run(request).instrument(span).await;
    let took_ms = clock.now().duration_since(began).as_millis();
    let status = response.status().as_u16();
    ended.in_scope(|| {
        if status >= 500 {
            tracing::warn!(%method, route, status, took_ms, "request completed");
        } else {
            tracing::debug!(%method, route, status, took_ms, "request completed");
        }
    });
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    response
}
