//! Switch of the guests' language, in the footer of their pages.

use leptos::prelude::*;

use crate::{
    language::{Language, language},
    preferences::preference_form,
};

/// One button for each language, in its own words.
#[component]
pub fn LanguageSwitch() -> impl IntoView {
    let current = language();
    let buttons = Language::all()
        .map(|one| {
            let pressed = if one == current { "true" } else { "false" };
            view! {
                <button class="quiet" name="language" value=one.tag() lang=one.tag() aria-pressed=pressed>
                    {one.text("language-name")}
                </button>
            }
        })
        .collect_view();
    preference_form("switch-language", buttons)
}
