//! Keyboard shortcuts for staff: `/` or Ctrl-K to search, `g` and a letter to navigate, `j` and `k`
//! through a list, `n` for a walk-in on the board, `?` for help. Single keys can be switched off; nothing requires them.

use leptos::prelude::*;

/// Handles keys on staff pages. Renders nothing. The body's `data-keys` attribute says whether
/// single keys are on; Ctrl-K always is.
#[island]
pub fn KeyboardShortcuts() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(listen::begin);
    view! { <span hidden class="keys"></span> }
}

#[cfg(feature = "hydrate")]
mod listen {
    use std::cell::Cell;

    use leptos::prelude::*;
    use wasm_bindgen::JsCast;
    use web_sys::{Element, HtmlElement, KeyboardEvent, js_sys::Date};

    use crate::islands::dom::{find, find_all, on};

    /// How long `g` waits for its letter.
    const WAIT_MS: f64 = 1500.0;

    thread_local! {
        static GO_PRESSED_AT: Cell<f64> = const { Cell::new(0.0) };
    }

    pub fn begin() {
        let single = document()
            .body()
            .is_some_and(|body| body.get_attribute("data-keys").as_deref() != Some("off"));
        on("keydown", move |event: &KeyboardEvent| {
            if !event.default_prevented() && !event.is_composing() && press(event, single) {
                event.prevent_default();
            }
        });
    }

    /// Returns true when the key was handled.
    fn press(event: &KeyboardEvent, single: bool) -> bool {
        let key = event.key();
        if (event.ctrl_key() || event.meta_key()) && key.eq_ignore_ascii_case("k") {
            return focus("find");
        }
        if event.ctrl_key() || event.meta_key() || event.alt_key() || !single || typing() {
            return false;
        }
        let now = Date::now();
        if now - GO_PRESSED_AT.replace(0.0) < WAIT_MS {
            return follow_letter(&key);
        }
        match key.as_str() {
            "/" => focus("find"),
            "?" => follow_letter("?"),
            "n" => follow("a[data-press=\"n\"]"),
            "g" => {
                GO_PRESSED_AT.set(now);
                true
            }
            "j" => step(1),
            "k" => step(-1),
            _ => false,
        }
    }

    fn typing() -> bool {
        let here = document()
            .active_element()
            .map(|element| element.tag_name());
        here.is_some_and(|tag| matches!(tag.as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
    }

    fn focus(id: &str) -> bool {
        let element = document()
            .get_element_by_id(id)
            .and_then(|element| element.dyn_into::<HtmlElement>().ok());
        element.is_some_and(|element| element.focus().is_ok())
    }

    fn follow_letter(letter: &str) -> bool {
        if letter.len() != 1 || !letter.is_ascii() || letter == "\"" || letter == "\\" {
            return false;
        }
        follow(&format!("a[data-go=\"{letter}\"]"))
    }

    fn follow(selector: &str) -> bool {
        let link = find(selector);
        let link = link.and_then(|link| link.dyn_into::<HtmlElement>().ok());
        link.inspect(HtmlElement::click).is_some()
    }

    /// Focuses the link of the next or previous row.
    fn step(by: i32) -> bool {
        let links = rows(find_all("[data-key] a[href]"));
        let here = document().active_element();
        let at = links.iter().position(|link| {
            here.as_ref()
                .is_some_and(|here| link.is_same_node(Some(here)))
        });
        let next = match (at, by) {
            (None, _) => Some(0),
            (Some(at), 1) => Some(at + 1),
            (Some(at), _) => at.checked_sub(1),
        };
        let link = next
            .and_then(|next| links.get(next))
            .and_then(|link| link.dyn_ref::<HtmlElement>());
        link.is_some_and(|link| link.focus().is_ok())
    }

    /// First link of each row.
    fn rows(links: Vec<Element>) -> Vec<Element> {
        let mut found: Vec<(Option<Element>, Element)> = Vec::new();
        for link in links {
            let row = link.closest("[data-key]").ok().flatten();
            if found.last().is_none_or(|(last, _)| *last != row) {
                found.push((row, link));
            }
        }
        found.into_iter().map(|(_, link)| link).collect()
    }
}
