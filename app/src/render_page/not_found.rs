//! Not-found page.

use axum::http::StatusCode;
use dewy_domain::caller::Persona;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{language::t, layout::PageLayout};

/// Page for unknown paths.
#[component]
pub fn NotFound() -> impl IntoView {
    if let Some(answer) = use_context::<ResponseOptions>() {
        answer.set_status(StatusCode::NOT_FOUND);
    }
    content(Persona::Guest)
}

/// Its text; the same whether something doesn't exist or belongs to another person.
pub fn content(persona: Persona) -> AnyView {
    let home = match persona {
        Persona::Guest => ("/guest", t!("not-found-home")),
        Persona::Staff => ("/staff/executions", "See the executions"),
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
    PageLayout::new(t!("not-found-title")).plain(persona, content)
}
