//! Origin check (CSRF): requests that change something must come from the server's own pages.

use axum::{
    body::{Body, to_bytes},
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, Method, StatusCode, header};
use serde_json::json;
use url::{Host, Url};

use super::{BODY_TIMEOUT, refusal_language, reject_unstorable_text};

/// Error description for programs at an unknown address.
const NO_ROUTE: &str =
    "Nothing is at this address. Tools: /api/openapi.json; MCP: /mcp/guest and /mcp/staff.";
/// Error description for programs that send something to a page.
const NO_PROGRAM: &str =
    "A page is here, for GET only. Tools: /api/openapi.json; MCP: /mcp/guest and /mcp/staff.";
/// No form is longer.
const BODY_LIMIT: usize = 64 * 1024;

/// The server's own origin.
#[derive(Clone, Debug)]
pub struct OwnOrigin {
    public: Option<url::Origin>,
}

impl OwnOrigin {
    /// Creates it from the public address.
    #[must_use]
    pub fn new(public_url: &str) -> Self {
        Self {
            public: Url::parse(public_url).ok().map(|url| url.origin()),
        }
    }

    /// Whether the request comes from the server's own pages. Browsers send at least one of the two
    /// headers with every such request, and no page can forge them; a request without either is
    /// rejected.
    #[must_use]
    pub fn is_own(&self, headers: &HeaderMap) -> bool {
        let text =
            |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let Some(origin) = text(header::ORIGIN) else {
            return text(header::HeaderName::from_static("sec-fetch-site")) == Some("same-origin");
        };
        let Ok(origin) = Url::parse(origin) else {
            return false;
        };
        if self
            .public
            .as_ref()
            .is_some_and(|public| *public == origin.origin())
        {
            return true;
        }
        // On a local machine the same server has several names: localhost, 127.0.0.1.
        let loopback = match origin.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        };
        let host = text(header::HOST)
            .and_then(|host| Url::parse(&format!("{}://{host}", origin.scheme())).ok());
        loopback && host.is_some_and(|host| host.origin() == origin.origin())
    }
}

/// Rejects other origins, and bodies larger than any form.
pub async fn own_origin(State(own): State<OwnOrigin>, request: Request, next: Next) -> Response {
    if let Some(answer) = program_answer(&request) {
        return answer;
    }
    if reads(&request) {
        return next.run(request).await;
    }
    let language = refusal_language::language(&request);
    if !own.is_own(request.headers()) {
        tracing::warn!("a form from another origin was refused");
        return (StatusCode::FORBIDDEN, language.text("refused-origin")).into_response();
    }
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(bytes)) => {
            match reject_unstorable_text::in_pairs(&bytes).filter(|_| is_form(&parts.headers)) {
                Some(field) => reject_unstorable_text::refusal(&field, language),
                None => {
                    next.run(Request::from_parts(parts, Body::from(bytes)))
                        .await
                }
            }
        }
        Ok(Err(_)) => {
            (StatusCode::PAYLOAD_TOO_LARGE, language.text("refused-long")).into_response()
        }
        Err(_) => (StatusCode::REQUEST_TIMEOUT, language.text("refused-late")).into_response(),
    }
}

/// Answer to a program that looks for a server at a path of its own, or sends something to a page: that
/// is no form.
fn program_answer(request: &Request) -> Option<Response> {
    let path = request.extensions().get::<MatchedPath>();
    let reads = reads(request);
    let (status, error, description) = match path.map(MatchedPath::as_str) {
        None if reads && wants_json(request) => (StatusCode::NOT_FOUND, "not_found", NO_ROUTE),
        _ if reads || from_page(request.headers()) => return None,
        None => (StatusCode::NOT_FOUND, "not_found", NO_ROUTE),
        Some(path) if path.starts_with("/form/") => return None,
        Some(_) => {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            (status, "method_not_allowed", NO_PROGRAM)
        }
    };
    let body = json!({ "error": error, "error_description": description });
    Some((status, axum::Json(body)).into_response())
}

fn reads(request: &Request) -> bool {
    matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    )
}

/// Whether it reads metadata of a server, or accepts JSON but no page.
fn wants_json(request: &Request) -> bool {
    let accept = request.headers().get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    let accept = accept.unwrap_or_default();
    request.uri().path().starts_with("/.well-known/")
        || accept.contains("json") && !accept.contains("text/html")
}

/// Whether a browser's page sent the request: programs send neither header.
fn from_page(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site")
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    kind.trim()
        .to_ascii_lowercase()
        .starts_with("application/x-www-form-urlencoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(public: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers
            .iter()
            .map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap()))
            .collect();
        OwnOrigin::new(public).is_own(&headers)
    }

    #[test]
    fn only_same_origin_requests_may_write() {
        let public = "https://hotel.example";
        assert!(own(public, &[("origin", "https://hotel.example")]));
        assert!(own(public, &[("origin", "https://hotel.example:443")]));
        assert!(own(public, &[("sec-fetch-site", "same-origin")]));
        assert!(!own(public, &[]));
        assert!(!own(public, &[("sec-fetch-site", "same-site")]));
        assert!(!own(public, &[("origin", "http://hotel.example")]));
        assert!(!own(
            public,
            &[
                ("origin", "https://evil.example"),
                ("sec-fetch-site", "same-origin")
            ]
        ));
        assert!(!own(public, &[("origin", "null")]));
        // Another name that resolves to this server (DNS rebinding) sends a Host that matches its
        // Origin, but it isn't a name of this machine.
        assert!(!own(
            public,
            &[
                ("origin", "http://evil.example:3000"),
                ("host", "evil.example:3000")
            ]
        ));
        let local = "http://127.0.0.1:3000";
        assert!(own(
            local,
            &[
                ("origin", "http://localhost:3000"),
                ("host", "localhost:3000")
            ]
        ));
        assert!(!own(
            local,
            &[
                ("origin", "http://localhost:4000"),
                ("host", "localhost:3000")
            ]
        ));
    }
}
