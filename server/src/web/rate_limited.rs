//! Status 429 and `Retry-After` for rate-limited forms.

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_domain::ports::SignInError;
use http::{HeaderValue, StatusCode, header};

use crate::rate_limit_mark::RateLimitMark;

const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Replaces the form's response with a page when the request was rate limited.
pub async fn rate_limited(mut request: Request, next: Next) -> Response {
    let away = RateLimitMark::default();
    request.extensions_mut().insert(away.clone());
    let back = if request.uri().path().ends_with("password") {
        "/staff/sign-in"
    } else {
        "/guest/sign-in"
    };
    let response = next.run(request).await;
    let Some(wait) = away.wait() else {
        return response;
    };
    let words = SignInError::TooMany { wait };
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Too many tries</title><link rel=\"stylesheet\" href=\"{}\"></head>\
         <body><main><h1>Too many tries</h1><p>{words}</p><p><a href=\"{back}\">Back to the sign-in</a></p></main></body></html>",
        dewy_app::STYLE_PATH.as_str()
    );
    // Keeps the session cookie but drops the form's redirect.
    let (mut parts, _) = response.into_parts();
    for name in [header::LOCATION, header::CONTENT_LENGTH] {
        parts.headers.remove(name);
    }
    parts.status = StatusCode::TOO_MANY_REQUESTS;
    parts
        .headers
        .insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs()));
    parts.headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    parts.headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    (parts, Body::from(page)).into_response()
}
