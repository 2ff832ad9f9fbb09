//! Appearance preferences: light or dark, roomy or dense. Kept in cookies, so the first paint is
//! right and no script is needed.

use axum::http::HeaderMap;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{
    cookie,
    form_submission::{FormResult, FormSubmission},
    http_request::with_request,
    language::{COOKIE, Language, text},
    page_context::here,
};

/// Preference with its cookie.
struct Choice {
    cookie: &'static str,
    /// Value and message of its label; the first one is the default.
    values: &'static [(&'static str, &'static str)],
}

const THEME: Choice = Choice {
    cookie: "dewy_theme",
    values: &[
        ("system", "theme-system"),
        ("light", "theme-light"),
        ("dark", "theme-dark"),
    ],
};
const DENSITY: Choice = Choice {
    cookie: "dewy_density",
    values: &[("dense", "density-dense"), ("roomy", "density-roomy")],
};

/// Single-key shortcuts, which some assistive tools trigger by accident.
const KEYS: Choice = Choice {
    cookie: "dewy_keys",
    values: &[("on", "switch-on"), ("off", "switch-off")],
};

impl Choice {
    fn read(&self, headers: &HeaderMap) -> &'static str {
        let value = cookie::read(headers, self.cookie).unwrap_or_default();
        self.named(value)
            .unwrap_or_else(|| self.values.first().map_or("", |(value, _)| value))
    }

    fn named(&self, value: &str) -> Option<&'static str> {
        self.values
            .iter()
            .map(|(value, _)| *value)
            .find(|known| *known == value)
    }

    fn here(&self) -> &'static str {
        with_request(|parts| self.read(&parts.headers)).unwrap_or_default()
    }
}

/// Selected theme: `system`, `light`, `dark`.
pub fn theme() -> &'static str {
    THEME.here()
}

/// Selected density of staff pages: `dense`, `roomy`.
pub fn density() -> &'static str {
    DENSITY.here()
}

pub fn single_keys() -> bool {
    KEYS.here() != "off"
}

/// Switch on the shortcut help page.
#[component]
pub fn KeysSwitch() -> impl IntoView {
    choice(&KEYS, "switch-keys", "keys")
}

/// Switch in the footer of every page.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    choice(&THEME, "switch-theme", "theme")
}

#[component]
pub fn DensitySwitch() -> impl IntoView {
    choice(&DENSITY, "switch-density", "density")
}

fn choice(choice: &Choice, legend: &'static str, name: &'static str) -> AnyView {
    let chosen = choice.here();
    let button = |(value, word): &(&'static str, &'static str)| {
        let pressed = if *value == chosen { "true" } else { "false" };
        view! {
            <button class="quiet" name=name value=*value aria-pressed=pressed>
                {text(word)}
            </button>
        }
    };
    preference_form(legend, choice.values.iter().map(button).collect_view())
}

/// Form whose buttons store a preference, and which returns to the page.
pub fn preference_form(legend: &'static str, buttons: impl IntoView + 'static) -> AnyView {
    view! {
        <form class="switch" method="post" action="/form/look">
            <fieldset>
                <legend>{text(legend)}</legend>
                <input type="hidden" name="back" value=here() />
                {buttons}
            </fieldset>
        </form>
    }
    .into_any()
}

/// Stores the preference and leads back.
pub async fn look(form: FormSubmission) -> FormResult {
    let answer = use_context::<ResponseOptions>().unwrap_or_default();
    for (choice, name) in [(&THEME, "theme"), (&DENSITY, "density"), (&KEYS, "keys")] {
        if let Some(value) = choice.named(form.raw(name)) {
            cookie::set(&answer, choice.cookie, value);
        }
    }
    if let Some(language) = Language::all().find(|one| one.tag() == form.raw("language")) {
        cookie::set(&answer, COOKIE, language.tag());
        form.ctx.authenticator.prefer_language(language.tag()).await;
    }
    let back = form.raw("back");
    let own = back.starts_with('/')
        && !back.starts_with("//")
        && back
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    Ok(if own { back } else { "/" }.to_owned())
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    #[test]
    fn unknown_theme_choices_are_ignored() {
        let mut headers = HeaderMap::new();
        assert_eq!(THEME.read(&headers), "system");
        headers.insert(
            header::COOKIE,
            HeaderValue::from_static("id=1; dewy_theme=dark; dewy_density=\"><script>"),
        );
        assert_eq!(THEME.read(&headers), "dark");
        assert_eq!(DENSITY.read(&headers), "dense");
    }
}
