//! Refuses speculative page loads (prefetch and prerender), except for pages that may be
//! prerendered.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_app::{is_speculative, may_be_prerendered};
use http::StatusCode;

/// Refuses before anything is read for the request; the browser then loads the page when it is
/// opened.
pub async fn refuse_speculation(request: Request, next: Next) -> Response {
    if is_speculative(request.headers()) && !may_be_prerendered(request.uri().path()) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    next.run(request).await
}
