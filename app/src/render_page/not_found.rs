//! Not-found page.

use dewy_domain::{caller::Persona, ports::SignedIn};
use leptos::prelude::*;

use super::{PageError, page};
use crate::{language::t, layout::PageLayout};

/// Page for unknown paths, for whoever the path is for.
#[component]
pub fn NotFound() -> impl IntoView {
    page(|_| async { Err(PageError::NotFound) })
}

/// Its text; the same whether something doesn't exist or belongs to another person.
pub fn content(persona: Persona, user: Option<&SignedIn>) -> AnyView {
    let home = match persona {
        Persona::Guest => ("/guest", t!("not-found-home")),
        Persona::Staff => ("/staff", "Go to today’s board"),
    };
    let content = view! {
        <h1>{t!("not-found-heading")}</h1>
        <p class="lead">{t!("not-found-lead")}</p>
        <ul class="ways">
            <li>
                <a href=home.0>{home.1}</a>
            </li>
            <li>
                <a href="/">{t!("go-to-start")}</a>
            </li>
        </ul>
    };
    let layout = PageLayout::new(t!("not-found-title"));
    let layout = match user {
        Some(user) => layout.who(user),
        None => layout,
    };
    layout.plain(persona, content)
}
