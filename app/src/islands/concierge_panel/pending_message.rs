//! Message on its way: shown at once, until the server has it or it turns out that it has not.

use leptos::prelude::*;
use web_sys::Element;

use super::log_scroll;
use crate::islands::dom::{find_in, set};

/// Attribute of the pending message: whether the panel was busy before.
const PENDING: &str = "data-pending";
const BUSY: &str = "data-busy";

/// Shows the words at the end of the log and marks the panel as busy. Screen readers are told once
/// the server has them.
pub fn show(panel: &Element, form: &Element, words: &str) {
    mark_button(form, true);
    let sending = panel.get_attribute("data-sending").unwrap_or_default();
    let lines = [("by", sending.as_str()), ("words", words.trim())];
    let items = find_in(panel, "[data-items]").filter(|_| !words.trim().is_empty());
    let (Some(items), Some(bubble)) = (items, paragraphs(&lines)) else {
        return;
    };
    let before = panel.get_attribute(BUSY).unwrap_or_default();
    for (name, value) in [
        ("class", "said"),
        ("data-by", "person"),
        (PENDING, before.as_str()),
        ("aria-hidden", "true"),
    ] {
        let _ = bubble.set_attribute(name, value);
    }
    let _ = panel.set_attribute(BUSY, "true");
    log_scroll::following(panel, || drop(items.append_child(&bubble)));
}

/// Ends the wait: the log is about to show the message, or its words are still in the input.
pub fn end(panel: &Element, form: &Element) {
    mark_button(form, false);
    if let Some(bubble) = find_in(panel, &format!("[{PENDING}]")) {
        let before = bubble.get_attribute(PENDING).unwrap_or_default();
        let _ = panel.set_attribute(BUSY, &before);
        bubble.remove();
    }
}

fn mark_button(form: &Element, busy: bool) {
    if let Some(button) = find_in(form, "button") {
        set(&button, "aria-busy", busy.then_some("true"));
    }
}

fn paragraphs(lines: &[(&str, &str)]) -> Option<Element> {
    let bubble = document().create_element("div").ok()?;
    for (class, text) in lines {
        let line = document().create_element("p").ok()?;
        line.set_class_name(class);
        line.set_text_content(Some(text));
        bubble.append_child(&line).ok()?;
    }
    Some(bubble)
}
