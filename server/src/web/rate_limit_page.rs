//! Status 429 and `Retry-After` for rate-limited forms.

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_app::STYLE_PATH;
use dewy_languages::Language;
use http::{HeaderValue, StatusCode, header};

use super::refusal_language;
use crate::tool_calls::rate_limit_mark::RateLimitMark;

const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Replaces the form's response with a page when the request was rate limited.
pub async fn show_rate_limit_page(mut request: Request, next: Next) -> Response {
    let away = RateLimitMark::default();
    request.extensions_mut().insert(away.clone());
    let (back, language) = if request.uri().path().ends_with("password") {
        ("/staff/sign-in", Language::english())
    } else {
        ("/guest/sign-in", refusal_language::language(&request))
    };
    let response = next.run(request).await;
    let Some(wait) = away.wait() else {
        return response;
    };
    let minutes = wait.as_secs().div_ceil(60);
    let words = language.format("sign-in-too-many", &[("minutes", minutes.into())]);
    let title = language.text("too-many-title");
    let page = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><link rel=\"stylesheet\" href=\"{}\"></head>\
         <body><main><h1>{title}</h1><p>{words}</p><p><a href=\"{back}\">{}</a></p></main></body></html>",
        language.tag(),
        STYLE_PATH.as_str(),
        language.text("too-many-back"),
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
