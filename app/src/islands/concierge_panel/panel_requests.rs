//! Sends the panel's forms, and reloads the panel.

use std::cell::RefCell;

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element,
    js_sys::{Reflect, encode_uri_component},
};

use super::{
    conversation_stream, log_scroll, message_draft,
    panel_element::{focus_input, panel},
    pending_message, replace_regions,
};
use crate::islands::{document_request::DocumentRequest, dom::find};

thread_local! {
    static LINE: RefCell<Line> = RefCell::new(Line::default());
}

#[derive(Default)]
struct Line {
    /// A form is being sent: a second click doesn't send it again.
    sending: bool,
    /// The panel is being loaded.
    reading: bool,
    /// It changed in the meantime.
    again: bool,
    /// Requests and their handlers, which must live until the response.
    held: Vec<DocumentRequest>,
}

/// Sends a form of the panel, and shows the response.
pub fn send(form: &Element, by: Option<&Element>) {
    if LINE.with_borrow(|line| line.sending) {
        return;
    }
    let writing = form.class_list().contains("talk-say");
    let words = message_draft::words(form).unwrap_or_default();
    if writing {
        message_draft::sending(form, &words);
    }
    let (Some(action), Some(body)) = (form.get_attribute("action"), body(form, by)) else {
        return;
    };
    LINE.with_borrow_mut(|line| line.sending = true);
    let of_head = form
        .closest("[data-region=talk-head]")
        .ok()
        .flatten()
        .is_some();
    if let Some(panel) = panel() {
        let _ = panel.set_attribute("aria-busy", "true");
        pending_message::show(&panel, form, &words);
    }
    let sent = form.clone();
    let done = move |new: Option<Element>, url: Option<String>| {
        LINE.with_borrow_mut(|line| line.sending = false);
        let here = panel();
        if let Some(panel) = &here {
            let _ = panel.remove_attribute("aria-busy");
            pending_message::end(panel, &sent);
        }
        match (here, new) {
            (Some(old), Some(new)) => {
                let failed = replace_regions::replace(&old, &new, of_head);
                if writing && !failed {
                    message_draft::taken(&words);
                }
                replace_regions::remember(url.as_deref().unwrap_or_default());
                conversation_stream::listen(read);
                if writing {
                    focus_input();
                }
            }
            // Another page, or the sign-in page: show it
            _ if url.as_ref().is_some_and(|url| !url.is_empty()) => {
                drop(window().location().assign(&url.unwrap_or_default()))
            }
            // No response: the text stays in the input and can be sent again
            _ if writing => message_draft::unsent(true),
            _ => drop(window().location().reload()),
        }
    };
    if !send_request(&action, Some(&body), done) {
        LINE.with_borrow_mut(|line| line.sending = false);
        if let Some(panel) = panel() {
            pending_message::end(&panel, form);
        }
    }
}

/// Reloads the panel, now or after the current load.
pub fn read() {
    let busy = LINE.with_borrow_mut(|line| {
        line.again |= line.reading;
        std::mem::replace(&mut line.reading, true)
    });
    if busy {
        return;
    }
    let Some(url) = panel().and_then(|panel| panel.get_attribute("data-url")) else {
        return;
    };
    let done = |new: Option<Element>, _: Option<String>| {
        let again = LINE.with_borrow_mut(|line| {
            line.reading = false;
            std::mem::take(&mut line.again)
        });
        if let (Some(old), Some(new)) = (panel(), new) {
            // A form sent meanwhile returns a newer one
            if !LINE.with_borrow(|line| line.sending) {
                replace_regions::replace(&old, &new, false);
            }
        }
        if again {
            read();
        }
    };
    if !send_request(&url, None, done) {
        LINE.with_borrow_mut(|line| line.reading = false);
    }
}

/// Loads that page's panel into the dock.
pub fn fetch_into_dock(url: &str, focus: bool) {
    let done = move |new: Option<Element>, _: Option<String>| {
        let place = find("[data-dock-place]");
        match (new, place) {
            (Some(new), Some(place)) => {
                place.set_inner_html(&new.outer_html());
                log_scroll::to_newest(&place);
                message_draft::restore();
                conversation_stream::listen(read);
                if focus {
                    focus_input();
                }
            }
            (_, Some(place)) => {
                let words = find("#dock").and_then(|dock| dock.get_attribute("data-failed"));
                place.set_text_content(words.as_deref());
            }
            _ => {}
        }
    };
    send_request(url, None, done);
}

fn send_request(
    url: &str,
    body: Option<&str>,
    done: impl Fn(Option<Element>, Option<String>) + 'static,
) -> bool {
    let request = DocumentRequest::send(url, body, move |fetched| {
        let page = fetched.page.filter(|_| fetched.status == 200);
        let url = page.as_ref().map(|_| fetched.url);
        done(
            page.and_then(|page| page.query_selector("[data-panel]").ok().flatten()),
            url,
        );
    });
    let Some(request) = request else { return false };
    LINE.with_borrow_mut(|line| {
        line.held.retain(|held| !held.is_done());
        line.held.push(request);
    });
    true
}

/// Form fields as a browser would send them, plus a marker that a script waits for the answer.
fn body(form: &Element, by: Option<&Element>) -> Option<String> {
    let fields = form.query_selector_all("input, textarea").ok()?;
    let get =
        |field: &JsValue, name: &str| Reflect::get(field, &name.into()).unwrap_or(JsValue::NULL);
    let mut pairs = vec!["live=1".to_owned()];
    let mut push = |field: &JsValue| {
        if let (Some(name), Some(value)) = (
            get(field, "name").as_string(),
            get(field, "value").as_string(),
        ) && !name.is_empty()
        {
            pairs.push(format!(
                "{}={}",
                encode_uri_component(&name),
                encode_uri_component(&value)
            ));
        }
    };
    for field in (0..fields.length()).filter_map(|n| fields.item(n)) {
        let chosen = matches!(
            get(&field, "type").as_string().as_deref(),
            Some("radio" | "checkbox")
        );
        if !chosen || get(&field, "checked").is_truthy() {
            push(&field);
        }
    }
    if let Some(by) = by {
        push(by.unchecked_ref());
    }
    Some(pairs.join("&"))
}
