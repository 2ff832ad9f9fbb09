//! Short ways to what guests often want.

use leptos::prelude::*;

use super::request_template::RequestTemplate;

/// A link with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    href: String,
    words: String,
    name: &'static str,
}

impl Chip {
    /// To a page.
    pub fn to(href: String, words: &str) -> Self {
        Self {
            href,
            words: words.to_owned(),
            name: "",
        }
    }

    /// To the form of requests, filled in for one of the common wishes.
    pub fn ask(name: &'static str) -> Self {
        let words = RequestTemplate::named(name).map_or("Ask for something", |wish| wish.title);
        Self {
            href: format!("/guest/requests?ask={name}#ask"),
            words: words.to_owned(),
            name,
        }
    }
}

/// A row of them; the one that is chosen says so.
pub fn chips(chips: Vec<Chip>, chosen: Option<&str>) -> AnyView {
    let items = chips.into_iter().map(|chip| {
        let here = (chosen == Some(chip.name)).then_some("true");
        view! {
            <li>
                <a href=chip.href aria-current=here>{chip.words}</a>
            </li>
        }
    });
    view! { <ul class="chips">{items.collect_view()}</ul> }.into_any()
}
