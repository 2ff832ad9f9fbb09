//! Words that are not surely sent stay: over a lost line, a reload, and a sign-in that ran out. The
//! same words are sent under the same token, so that they are said once however often they are
//! sent.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTextAreaElement, Storage, js_sys::Reflect};

use super::send;

/// Between the parts of what is kept; people cannot type it.
const BETWEEN: char = '\u{1f}';

/// Words and under which token they were sent, if they were.
struct Draft {
    token: String,
    conversation: String,
    words: String,
}

fn storage() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

/// One for each person: whoever signs in next in this tab is not shown it.
fn key() -> Option<String> {
    let owner = send::panel()?.get_attribute("data-draft")?;
    Some(format!("draft-{owner}"))
}

fn draft() -> Option<Draft> {
    let text = storage()?.get_item(&key()?).ok().flatten()?;
    let mut parts = text.splitn(3, BETWEEN).map(str::to_owned);
    Some(Draft {
        token: parts.next()?,
        conversation: parts.next()?,
        words: parts.next()?,
    })
}

fn keep(draft: &Draft) {
    if let (Some(storage), Some(key)) = (storage(), key()) {
        let _ = storage.set_item(
            &key,
            &format!(
                "{}{BETWEEN}{}{BETWEEN}{}",
                draft.token, draft.conversation, draft.words
            ),
        );
    }
}

fn box_of_words() -> Option<HtmlTextAreaElement> {
    document().get_element_by_id("talk-text")?.dyn_into().ok()
}

fn field(form: &Element, name: &str) -> Option<Element> {
    form.query_selector(&format!("input[name={name}]"))
        .ok()
        .flatten()
}

fn value(field: &Element) -> String {
    Reflect::get(field, &"value".into())
        .ok()
        .and_then(|value| value.as_string())
        .unwrap_or_default()
}

fn set(field: Option<Element>, value: &str) {
    if let Some(field) = field {
        let _ = Reflect::set(&field, &"value".into(), &value.into());
    }
}

/// The person writes.
pub fn written() {
    let Some(words) = box_of_words().map(|words| words.value()) else {
        return;
    };
    match draft() {
        // Sent before, and perhaps heard: only the very same words are the same
        Some(draft) if draft.words == words => {}
        _ if words.trim().is_empty() => forget(),
        _ => keep(&Draft {
            token: String::new(),
            conversation: String::new(),
            words,
        }),
    }
}

/// Before the words are sent: under the token they were sent with before, if they were.
pub fn sending(form: &Element) {
    let Some(words) = box_of_words().map(|words| words.value()) else {
        return;
    };
    if let Some(draft) = draft().filter(|draft| draft.words == words && !draft.token.is_empty()) {
        set(field(form, "idempotency_token"), &draft.token);
        set(field(form, "conversation"), &draft.conversation);
    }
    let of = |name: &str| {
        field(form, name)
            .map(|field| value(&field))
            .unwrap_or_default()
    };
    keep(&Draft {
        token: of("idempotency_token"),
        conversation: of("conversation"),
        words,
    });
    unsent(false);
}

/// They were heard.
pub fn forget() {
    if let (Some(storage), Some(key)) = (storage(), key()) {
        let _ = storage.remove_item(&key);
    }
    unsent(false);
}

/// Puts the words back into a box that was drawn anew; says so where they were sent and nobody
/// knows whether they arrived.
pub fn restore() {
    let (Some(draft), Some(words)) = (draft(), box_of_words()) else {
        return;
    };
    if words.value().trim().is_empty() {
        words.set_value(&draft.words);
        unsent(!draft.token.is_empty());
    }
}

/// Shows or hides that the words did not arrive.
pub fn unsent(shown: bool) {
    let line = send::panel().and_then(|panel| panel.query_selector("[data-unsent]").ok().flatten());
    if let Some(line) = line {
        let _ = if shown {
            line.remove_attribute("hidden")
        } else {
            line.set_attribute("hidden", "")
        };
    }
}
