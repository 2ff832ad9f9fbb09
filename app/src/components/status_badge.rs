//! State with icon, label and color.

use leptos::prelude::*;

use super::icon::Icon;

/// Status pill of executions and steps.
#[component]
pub fn StatusBadge(
    /// Name of the state; the style sheet defines its color.
    #[prop(into)]
    state: String,
    #[prop(into)] word: String,
) -> impl IntoView {
    view! {
        <span class="pill" data-state=state.clone()>
            <Icon state=state.clone() />
            <span>{word}</span>
        </span>
    }
}
