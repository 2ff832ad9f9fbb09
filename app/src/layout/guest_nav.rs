//! Navigation for guests: a line on wide screens, a bottom bar on a phone.

use leptos::prelude::*;

use crate::{
    components::Icon,
    http_request::with_path,
    language::{t, text},
};

/// Path, message of its label, icon, and further paths that belong to it.
const LINKS: [(&str, &str, &str, &[&str]); 5] = [
    (
        "/guest",
        "nav-stay",
        "bed",
        &[
            "/guest/check-in",
            "/guest/check-out",
            "/guest/folio",
            "/guest/receipt",
        ],
    ),
    ("/guest/bookings", "nav-bookings", "days", &["/guest/book"]),
    ("/guest/requests", "nav-requests", "bell", &[]),
    ("/guest/story", "nav-story", "pages", &["/guest/execution"]),
    (CONCIERGE, "concierge", "talk", &[]),
];

/// The place that opens beside the page, with a script.
const CONCIERGE: &str = "/guest/concierge";

#[component]
pub fn GuestNav() -> impl IntoView {
    let path = with_path(str::to_owned).unwrap_or_default();
    let items = LINKS.map(|(href, word, sign, more)| {
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
        let class = (href == CONCIERGE).then_some("talk-open");
        view! {
            <li>
                <a class=class href=href aria-current=here>
                    <Icon state=sign />
                    <span>{text(word)}</span>
                </a>
            </li>
        }
    });
    view! {
        <nav class="places" aria-label=t!("nav-label")>
            <ul>{items.into_iter().collect_view()}</ul>
        </nav>
    }
}
