//! Stays to choose from.

use leptos::prelude::*;

/// Links, each with a title and what tells it from the others.
pub fn choices(items: impl IntoIterator<Item = (String, String, String)>) -> AnyView {
    let items = items.into_iter().map(|(href, title, more)| {
        view! { <li><a href=href><strong>{title}</strong> <span>{more}</span></a></li> }
    });
    view! { <ul class="choices">{items.collect_view()}</ul> }.into_any()
}
