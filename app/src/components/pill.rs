//! A state as sign, word and color.

use leptos::prelude::*;

use super::icon::Icon;

/// The status pill of executions and steps.
#[component]
pub fn Pill(
    /// The state's name; the style sheet knows its color.
    #[prop(into)]
    state: String,
    /// Its word.
    #[prop(into)]
    word: String,
) -> impl IntoView {
    view! {
        <span class="pill" data-state=state.clone()>
            <Icon state=state.clone() />
            <span>{word}</span>
        </span>
    }
}
