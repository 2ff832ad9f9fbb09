//! Not-found page.

use axum::http::StatusCode;
use dewy_domain::caller::Persona;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::layout::PageLayout;

/// Page for unknown paths.
#[component]
pub fn NotFound() -> impl IntoView {
    if let Some(answer) = use_context::<ResponseOptions>() {
        answer.set_status(StatusCode::NOT_FOUND);
    }
    words(Persona::Guest)
}

/// Its text; the same whether something doesn't exist or belongs to somebody else.
pub fn words(persona: Persona) -> AnyView {
    let home = match persona {
        Persona::Guest => ("/guest", "See your stay"),
        Persona::Staff => ("/staff/executions", "See the executions"),
    };
    let content = view! {
        <h1>"We could not find that page"</h1>
        <p class="lead">"The address may be mistyped, or what it showed is not yours to see."</p>
        <ul class="ways">
            <li>
                <a href=home.0>{home.1}</a>
            </li>
            <li>
                <a href="/">"Go to the start page"</a>
            </li>
        </ul>
    };
    PageLayout::new("Not found").plain(persona, content)
}
