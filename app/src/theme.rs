//! Appearance preferences: light or dark, roomy or dense. Kept in cookies, so the first paint is
//! right and no script is needed.

use axum::http::{HeaderMap, HeaderValue, header, request::Parts};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_axum::ResponseOptions;

use crate::form;

/// Preference with its cookie.
struct Choice {
    cookie: &'static str,
    /// Value and label; the first one is the default.
    values: &'static [(&'static str, &'static str)],
}

const THEME: Choice = Choice {
    cookie: "dewy_theme",
    values: &[
        ("system", "As my device"),
        ("light", "Light"),
        ("dark", "Dark"),
    ],
};
const DENSITY: Choice = Choice {
    cookie: "dewy_density",
    values: &[("dense", "Dense"), ("roomy", "Roomy")],
};

/// Single-key shortcuts, which some assistive tools trigger by accident.
const KEYS: Choice = Choice {
    cookie: "dewy_keys",
    values: &[("on", "On"), ("off", "Off")],
};

/// One year.
const KEEP_SECONDS: u32 = 31_536_000;

impl Choice {
    fn read(&self, headers: &HeaderMap) -> &'static str {
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|line| line.to_str().ok());
        let mut pairs = cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        let value = pairs
            .find(|(name, _)| *name == self.cookie)
            .map_or("", |(_, value)| value);
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
        use_context::<Parts>().map_or("", |parts| self.read(&parts.headers))
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

/// Whether single-key shortcuts are on.
pub fn single_keys() -> bool {
    KEYS.here() != "off"
}

/// Switch on the shortcut help page.
#[component]
pub fn KeysSwitch() -> impl IntoView {
    choice(&KEYS, "Single keys", "keys")
}

/// Switch in the footer of every page.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    choice(&THEME, "Colors", "theme")
}

/// Density switch for staff.
#[component]
pub fn DensitySwitch() -> impl IntoView {
    choice(&DENSITY, "Rows", "density")
}

fn choice(choice: &Choice, legend: &'static str, name: &'static str) -> impl IntoView + use<> {
    let here = use_context::<Parts>().map(|parts| {
        parts
            .uri
            .path_and_query()
            .map_or_else(|| parts.uri.path().to_owned(), ToString::to_string)
    });
    let chosen = choice.here();
    let buttons = choice
        .values
        .iter()
        .map(|(value, word)| {
            let pressed = if *value == chosen { "true" } else { "false" };
            view! {
                <button class="quiet" name=name value=*value aria-pressed=pressed>
                    {*word}
                </button>
            }
        })
        .collect_view();
    view! {
        <form class="switch" method="post" action=Look::PATH>
            <fieldset>
                <legend>{legend}</legend>
                <input type="hidden" name="back" value=here.unwrap_or_default() />
                {buttons}
            </fieldset>
        </form>
    }
}

/// Stores the preference and redirects back.
#[server(prefix = "/form", endpoint = "look")]
pub async fn look(
    #[server(default)] theme: String,
    #[server(default)] density: String,
    #[server(default)] keys: String,
    #[server(default)] back: String,
) -> Result<(), ServerFnError> {
    let answer = use_context::<ResponseOptions>().unwrap_or_default();
    for (choice, value) in [(&THEME, &theme), (&DENSITY, &density), (&KEYS, &keys)] {
        let Some(value) = choice.named(value) else {
            continue;
        };
        let cookie = format!(
            "{}={value}; Path=/; Max-Age={KEEP_SECONDS}; SameSite=Lax; HttpOnly",
            choice.cookie
        );
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            answer.append_header(header::SET_COOKIE, cookie);
        }
    }
    let own = back.starts_with('/')
        && !back.starts_with("//")
        && back
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    form::go(if own { &back } else { "/" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_choices_are_read() {
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
