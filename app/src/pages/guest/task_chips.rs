//! Shortcuts to common tasks.

use crate::language::message_of;
use crate::pages::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    href: String,
    label: String,
    name: &'static str,
}

impl Chip {
    pub fn to(href: String, words: &str) -> Self {
        Self {
            href,
            label: words.to_owned(),
            name: "",
        }
    }

    /// Link to the request form, prefilled from a template.
    pub fn request(name: &'static str) -> Self {
        let words = message_of("ask", name).unwrap_or(t!("ask-something"));
        Self {
            href: format!("/guest/requests?ask={name}#ask"),
            label: words.to_owned(),
            name,
        }
    }
}

/// Row of chips; the current one is marked.
pub fn chips(chips: Vec<Chip>, chosen: Option<&str>) -> AnyView {
    let items = chips.into_iter().map(|chip| {
        let here = (chosen == Some(chip.name)).then_some("true");
        view! {
            <li>
                <a href=chip.href aria-current=here>{chip.label}</a>
            </li>
        }
    });
    view! { <ul class="chips">{items.collect_view()}</ul> }.into_any()
}
