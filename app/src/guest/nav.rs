//! Navigation for guests: a line on wide screens, a bottom bar on a phone.

use axum::http::request::Parts;
use leptos::prelude::*;

use crate::components::Icon;

/// Path, label, icon, and further paths that belong to it.
const PLACES: [(&str, &str, &str, &[&str]); 5] = [
    (
        "/guest",
        "Stay",
        "bed",
        &[
            "/guest/check-in",
            "/guest/check-out",
            "/guest/folio",
            "/guest/receipt",
        ],
    ),
    ("/guest/bookings", "Bookings", "days", &["/guest/book"]),
    ("/guest/requests", "Requests", "bell", &[]),
    ("/guest/story", "Story", "pages", &["/guest/execution"]),
    ("/guest/account", "Account", "person", &[]),
];

/// Navigation bar.
#[component]
pub fn GuestNav() -> impl IntoView {
    let path = use_context::<Parts>()
        .map(|parts| parts.uri.path().to_owned())
        .unwrap_or_default();
    let items = PLACES.map(|(href, word, sign, more)| {
        let within = |page: &str| {
            path == page
                || path
                    .strip_prefix(page)
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        let here = match () {
            () if path == href => Some("page"),
            () if (href != "/guest" && within(href)) || more.iter().any(|page| within(page)) => {
                Some("true")
            }
            () => None,
        };
        view! {
            <li>
                <a href=href aria-current=here>
                    <Icon state=sign />
                    <span>{word}</span>
                </a>
            </li>
        }
    });
    view! {
        <nav class="places" aria-label="Your stay">
            <ul>{items.into_iter().collect_view()}</ul>
        </nav>
    }
}
