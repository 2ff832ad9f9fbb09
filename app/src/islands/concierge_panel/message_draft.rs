//! Draft of a message that may not have been sent: survives a lost connection, a reload, and an
//! expired session. The same text is resent with the same token, so that it is accepted only once.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTextAreaElement, Storage, js_sys::Reflect};

use super::panel_element::panel;
use crate::islands::dom::{find_in, set};

/// Separator of the stored parts; people can't type it.
const SEPARATOR: char = '\u{1f}';

/// Text, and the token it was sent with, if it was sent.
struct Draft {
    token: String,
    conversation: String,
    text: String,
}

fn storage() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

/// One key per person: the next user in this tab doesn't see the draft.
fn key() -> Option<String> {
    let owner = panel()?.get_attribute("data-draft")?;
    Some(format!("draft-{owner}"))
}

fn draft() -> Option<Draft> {
    let text = storage()?.get_item(&key()?).ok().flatten()?;
    let mut parts = text.splitn(3, SEPARATOR).map(str::to_owned);
    Some(Draft {
        token: parts.next()?,
        conversation: parts.next()?,
        text: parts.next()?,
    })
}

fn save(draft: &Draft) {
    if let (Some(storage), Some(key)) = (storage(), key()) {
        let _ = storage.set_item(
            &key,
            &format!(
                "{}{SEPARATOR}{}{SEPARATOR}{}",
                draft.token, draft.conversation, draft.text
            ),
        );
    }
}

fn input_element() -> Option<HtmlTextAreaElement> {
    document().get_element_by_id("talk-text")?.dyn_into().ok()
}

fn field(form: &Element, name: &str) -> Option<Element> {
    find_in(form, &format!("input[name={name}]"))
}

fn value(field: &Element) -> String {
    Reflect::get(field, &"value".into())
        .ok()
        .and_then(|value| value.as_string())
        .unwrap_or_default()
}

fn set_value(field: Option<Element>, value: &str) {
    if let Some(field) = field {
        let _ = Reflect::set(&field, &"value".into(), &value.into());
    }
}

/// Saves the draft while the person types.
pub fn written() {
    let Some(words) = input_element().map(|words| words.value()) else {
        return;
    };
    match draft() {
        // Sent before, and perhaps received: only identical text keeps the token
        Some(draft) if draft.text == words => {}
        _ if words.trim().is_empty() => forget(),
        _ => save(&Draft {
            token: String::new(),
            conversation: String::new(),
            text: words,
        }),
    }
}

/// Words that a form sends: those in the input, or of a suggestion.
pub fn words(form: &Element) -> Option<String> {
    let field = find_in(form, "[name=text]")?;
    Some(value(&field))
}

/// Prepares sending: reuses the token of an earlier attempt with the same text.
pub fn sending(form: &Element, words: &str) {
    if let Some(draft) = draft().filter(|draft| draft.text == words && !draft.token.is_empty()) {
        set_value(field(form, "idempotency_token"), &draft.token);
        set_value(field(form, "conversation"), &draft.conversation);
    }
    let of = |name: &str| {
        field(form, name)
            .map(|field| value(&field))
            .unwrap_or_default()
    };
    save(&Draft {
        token: of("idempotency_token"),
        conversation: of("conversation"),
        text: words.to_owned(),
    });
    unsent(false);
}

/// Clears the input after the server has taken these words; what was written since stays.
pub fn taken(words: &str) {
    if let Some(input) = input_element() {
        let value = input.value();
        input.set_value(value.strip_prefix(words).unwrap_or(&value));
    }
    forget();
    written();
}

/// Deletes the draft after it was received.
pub fn forget() {
    if let (Some(storage), Some(key)) = (storage(), key()) {
        let _ = storage.remove_item(&key);
    }
    unsent(false);
}

/// Restores the draft to a newly rendered input, with a notice if it was sent but not confirmed.
pub fn restore() {
    let (Some(draft), Some(words)) = (draft(), input_element()) else {
        return;
    };
    if words.value().trim().is_empty() {
        words.set_value(&draft.text);
        unsent(!draft.token.is_empty());
    }
}

/// Shows or hides the notice that the message was not confirmed.
pub fn unsent(shown: bool) {
    if let Some(line) = panel().and_then(|panel| find_in(&panel, "[data-unsent]")) {
        set(&line, "hidden", (!shown).then_some(""));
    }
}
