//! Concierge dock beside a page. Without scripts, its link opens the concierge's own page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, Storage};

use super::{
    conversation_stream, log_scroll, message_draft, panel_element::focus_input, panel_requests,
};
use crate::islands::dom::{find, find_in, on};

/// Storage key: whether it was open on the previous page.
const STORAGE_KEY: &str = "dock";

/// Handles events for the lifetime of the page.
pub fn begin() {
    on("click", |event: &Event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let of = |selector: &str| {
            target
                .as_ref()
                .and_then(|target| target.closest(selector).ok().flatten())
        };
        if of(".talk-open").is_some() && dock().is_some() {
            event.prevent_default();
            toggle();
        } else if of(".dock-close").is_some() {
            close();
        }
    });
    on("keydown", |key: &KeyboardEvent| {
        let inside = document()
            .active_element()
            .and_then(|here| here.closest("[data-panel]").ok().flatten());
        match key.key().as_str() {
            "Escape" if inside.is_some() && dock().is_some() => close(),
            // Enter sends, as in every chat; Shift-Enter adds a line
            "Enter" if !key.shift_key() && !key.is_composing() => {
                let here = document()
                    .active_element()
                    .filter(|here| here.id() == "talk-text");
                if let Some(form) = here.and_then(|here| here.closest("form").ok().flatten()) {
                    key.prevent_default();
                    panel_requests::send(&form, None);
                }
            }
            _ => {}
        }
    });
    on("submit", |event: &Event| {
        let form = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        // A form that leads to another page is left to the browser, which shows that page's message
        let sent_here = "[data-panel] form:not([data-leaves])";
        if let Some(form) = form.filter(|form| form.matches(sent_here).unwrap_or(false)) {
            event.prevent_default();
            let submitter = web_sys::js_sys::Reflect::get(event, &"submitter".into()).ok();
            panel_requests::send(
                &form,
                submitter
                    .and_then(|by| by.dyn_into::<Element>().ok())
                    .as_ref(),
            );
        }
    });
    on("input", |event: &Event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        if target.is_some_and(|target| target.id() == "talk-text") {
            message_draft::written();
        }
    });
    conversation_stream::listen(panel_requests::read);
    message_draft::restore();
    // The newest words of a conversation that is opened on its own page
    if let Some(page) = find("main") {
        log_scroll::to_newest(&page);
    }
    let open = storage()
        .and_then(|draft| draft.get_item(STORAGE_KEY).ok().flatten())
        .is_some();
    if open && dock().is_some() {
        show(false);
    }
}

fn storage() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

fn dock() -> Option<Element> {
    document().get_element_by_id("dock")
}

fn toggle() {
    if dock().is_some_and(|dock| dock.has_attribute("hidden")) {
        show(true)
    } else {
        close()
    }
}

fn show(focus: bool) {
    let Some(dock) = dock() else { return };
    let _ = dock.remove_attribute("hidden");
    if let Some(body) = document().body() {
        let _ = body.set_attribute("data-dock", "open");
    }
    if let Some(draft) = storage() {
        let _ = draft.set_item(STORAGE_KEY, "open");
    }
    let there = find_in(&dock, "[data-panel]").is_some();
    match (there, dock.get_attribute("data-url")) {
        (false, Some(url)) => panel_requests::fetch_into_dock(&url, focus),
        _ if focus => focus_input(),
        _ => {}
    }
}

fn close() {
    let Some(dock) = dock() else { return };
    let _ = dock.set_attribute("hidden", "");
    if let Some(body) = document().body() {
        let _ = body.remove_attribute("data-dock");
    }
    if let Some(draft) = storage() {
        let _ = draft.remove_item(STORAGE_KEY);
    }
    let link = find(".talk-open");
    if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) {
        let _ = link.focus();
    }
}
