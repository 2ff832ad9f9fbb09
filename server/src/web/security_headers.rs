//! Security headers of every response.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, header};

/// Content security policy of a page: its own scripts by nonce and what they load; nothing inline
/// without the nonce, no framing, no other host.
///
/// A pay page also allows Stripe's hosts: those that Stripe's security guide lists for Stripe.js
/// and no others.
pub fn page_policy(nonce: &str, pays: bool) -> String {
    // Browsers that support 'strict-dynamic' use the nonce alone; others need the hosts by name
    let scripts = if pays {
        " https://js.stripe.com https://*.js.stripe.com"
    } else {
        ""
    };
    let connects = if pays { " https://api.stripe.com" } else { "" };
    let frames = if pays {
        " frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;"
    } else {
        ""
    };
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'{scripts}; \
         style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'{connects}; media-src 'self';{frames} \
         manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// Content security policy of responses that aren't pages: nothing may be loaded.
const NO_PAGE: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sets headers that the route didn't set. Behind https, browsers must send no cookie in clear.
pub async fn set_security_headers(
    State(https): State<bool>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if https && let header::Entry::Occupied(mut cookies) = headers.entry(header::SET_COOKIE) {
        for cookie in cookies.iter_mut() {
            let secure = [cookie.as_bytes(), b"; Secure"].concat();
            if let Ok(secure) = HeaderValue::from_bytes(&secure) {
                *cookie = secure;
            }
        }
    }
    let defaults: [(HeaderName, &str); 6] = [
        (header::CONTENT_SECURITY_POLICY, NO_PAGE),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        // Pages and answers are about one person; cacheable responses say so themselves.
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in defaults {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pay_pages_allow_another_host() {
        let plain = page_policy("n0nce", false);
        assert!(
            !plain.contains("https:") && !plain.contains("frame-src"),
            "{plain}"
        );
        let pays = page_policy("n0nce", true);
        let of = |name: &str| {
            pays.split("; ")
                .find(|part| part.starts_with(name))
                .unwrap()
                .to_owned()
        };
        assert!(
            of("script-src")
                .ends_with("'wasm-unsafe-eval' https://js.stripe.com https://*.js.stripe.com")
        );
        assert_eq!(
            of("connect-src"),
            "connect-src 'self' https://api.stripe.com"
        );
        assert_eq!(
            of("frame-src"),
            "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com"
        );
        for same in [
            "default-src",
            "style-src",
            "img-src",
            "form-action",
            "base-uri",
            "frame-ancestors",
        ] {
            assert!(plain.split("; ").any(|part| part == of(same)), "{same}");
        }
    }
}
