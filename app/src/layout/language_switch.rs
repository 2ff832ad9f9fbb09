//! Switch of the guests' language, in the footer of their pages.

use axum::http::request::Parts;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    language::{Language, language, t},
    theme::Look,
};

/// One button for each language, in its own words. It works without scripts and returns to the
/// page.
#[component]
pub fn LanguageSwitch() -> impl IntoView {
    let here = use_context::<Parts>().map(|parts| {
        parts
            .uri
            .path_and_query()
            .map_or_else(|| parts.uri.path().to_owned(), ToString::to_string)
    });
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
    view! {
        <form class="switch" method="post" action=Look::PATH>
            <fieldset>
                <legend>{t!("switch-language")}</legend>
                <input type="hidden" name="back" value=here.unwrap_or_default() />
                {buttons}
            </fieldset>
        </form>
    }
}
