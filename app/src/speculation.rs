//! Pages that a browser may render before they are opened, once the pointer rests on their link
//! (Speculation Rules).
//!
//! ```text
//! <script type="speculationrules"> ──► GET, Sec-Purpose: prefetch;prerender ─┬─ a page below ─► rendered from what is known
//!                                                                           └─ any other ───► 503, and loaded when it is opened
//! ```
//! Nobody may ever see such a page: it writes nothing, takes no message out of the session, and
//! calls no outside system. So these are the pages that only read our own store; and none of them
//! shows money, which must be true when it is read.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName};
use leptos::{nonce::use_nonce, prelude::*};

use crate::http_request::{is_staff_page, with_request};

/// Pages for guests; all others read their bookings or requests from Salesforce.
const FOR_GUESTS: [&str; 1] = ["/guest/account"];
const FOR_STAFF: [&str; 3] = ["/staff/account", "/staff/audit", "/staff/keys"];
/// Header of a request that nobody has made yet.
const PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");

/// Whether a browser makes this request on its own, in case the page is opened.
#[must_use]
pub fn is_speculative(headers: &HeaderMap) -> bool {
    let purposes = headers.get_all(PURPOSE).iter();
    purposes
        .filter_map(|purpose| purpose.to_str().ok())
        .any(|purpose| purpose.contains("prefetch"))
}

/// Whether a page may be rendered before it is opened.
#[must_use]
pub fn may_be_prerendered(path: &str) -> bool {
    FOR_GUESTS.contains(&path) || FOR_STAFF.contains(&path)
}

/// Whether this page is being rendered before it is opened.
pub fn is_speculative_page() -> bool {
    with_request(|parts| is_speculative(&parts.headers)).unwrap_or_default()
}

/// The rules, for the head of a page.
pub fn rules() -> AnyView {
    static STAFF: LazyLock<String> = LazyLock::new(|| json(&FOR_STAFF));
    static GUESTS: LazyLock<String> = LazyLock::new(|| json(&FOR_GUESTS));
    let rules: &'static str = if is_staff_page() { &STAFF } else { &GUESTS };
    // The content security policy allows it by its nonce
    view! { <script type="speculationrules" nonce=use_nonce() inner_html=rules></script> }
        .into_any()
}

fn json(pages: &[&str]) -> String {
    serde_json::json!({
        "prerender": [{ "where": { "href_matches": pages }, "eagerness": "moderate" }]
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_purpose_of_prefetching_is_speculative() {
        let of = |value: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            if let Some(value) = value {
                headers.insert(PURPOSE, value.parse().unwrap());
            }
            is_speculative(&headers)
        };
        assert!(of(Some("prefetch")) && of(Some("prefetch;prerender")));
        assert!(!of(None) && !of(Some("")));
    }

    #[test]
    fn pages_with_money_or_outside_calls_are_not_prerendered() {
        for page in [
            "/",
            "/rooms",
            "/guest",
            "/guest/folio",
            "/guest/bookings",
            "/guest/account/x",
            "/staff",
            "/staff/tokens",
            "/staff/payments",
            "/guest/events",
        ] {
            assert!(!may_be_prerendered(page), "{page}");
        }
        let rules = json(&FOR_STAFF);
        assert!(FOR_STAFF.iter().all(|page| rules.contains(page)), "{rules}");
    }
}
