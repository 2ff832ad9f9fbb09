//! Sends the panel's forms, and reloads the panel.

use std::cell::RefCell;

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Document, Element, XmlHttpRequest, XmlHttpRequestResponseType,
    js_sys::{Reflect, encode_uri_component},
};

use super::{
    concierge_dock, conversation_stream, log_scroll, message_draft, pending_message,
    replace_regions,
};

/// Timeout of a request without a response.
const MAX_WAIT_MS: u32 = 30_000;

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
    held: Vec<PendingRequest>,
}

struct PendingRequest {
    _request: XmlHttpRequest,
    _done: Closure<dyn FnMut()>,
}

/// Panel of this page.
pub fn panel() -> Option<Element> {
    document().query_selector("[data-panel]").ok().flatten()
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
    let done = move |page: Option<Document>, url: String| {
        LINE.with_borrow_mut(|line| line.sending = false);
        let here = panel();
        if let Some(panel) = &here {
            let _ = panel.remove_attribute("aria-busy");
            pending_message::end(panel, &sent);
        }
        let answered = page.is_some();
        let new = page.and_then(|page| page.query_selector("[data-panel]").ok().flatten());
        match (here, new) {
            (Some(old), Some(new)) => {
                let failed = replace_regions::replace(&old, &new, of_head);
                if writing && !failed {
                    message_draft::taken(&words);
                }
                replace_regions::remember(&url);
                conversation_stream::listen();
                if writing {
                    concierge_dock::focus_input();
                }
            }
            // Another page, or the sign-in page: show it
            _ if answered && !url.is_empty() => drop(window().location().assign(&url)),
            // No response: the text stays in the input and can be sent again
            _ if writing => message_draft::unsent(true),
            _ => drop(window().location().reload()),
        }
    };
    if !send_request("POST", &action, Some(&body), done) {
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
    let done = |page: Option<Document>, _: String| {
        let again = LINE.with_borrow_mut(|line| {
            line.reading = false;
            std::mem::take(&mut line.again)
        });
        let new = page.and_then(|page| page.query_selector("[data-panel]").ok().flatten());
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
    if !send_request("GET", &url, None, done) {
        LINE.with_borrow_mut(|line| line.reading = false);
    }
}

/// Loads that page's panel into the dock.
pub fn fetch_into_dock(url: &str, focus: bool) {
    let done = move |page: Option<Document>, _: String| {
        let new = page.and_then(|page| page.query_selector("[data-panel]").ok().flatten());
        let place = document()
            .query_selector("[data-dock-place]")
            .ok()
            .flatten();
        match (new, place) {
            (Some(new), Some(place)) => {
                place.set_inner_html(&new.outer_html());
                log_scroll::to_newest(&place);
                message_draft::restore();
                conversation_stream::listen();
                if focus {
                    concierge_dock::focus_input();
                }
            }
            (_, Some(place)) => {
                let words = document()
                    .get_element_by_id("dock")
                    .and_then(|dock| dock.get_attribute("data-failed"));
                place.set_text_content(words.as_deref());
            }
            _ => {}
        }
    };
    send_request("GET", url, None, done);
}

fn send_request(
    method: &str,
    url: &str,
    body: Option<&str>,
    done: impl Fn(Option<Document>, String) + 'static,
) -> bool {
    let Ok(request) = XmlHttpRequest::new() else {
        return false;
    };
    if request.open(method, url).is_err() {
        return false;
    }
    request.set_response_type(XmlHttpRequestResponseType::Document);
    request.set_timeout(MAX_WAIT_MS);
    let asked = request.clone();
    let done = Closure::<dyn FnMut()>::new(move || {
        let page = asked
            .response_xml()
            .ok()
            .flatten()
            .filter(|_| asked.status().is_ok_and(|status| status == 200));
        done(page, asked.response_url());
    });
    request.set_onloadend(Some(done.as_ref().unchecked_ref()));
    let sent = match body {
        Some(body) => request
            .set_request_header("content-type", "application/x-www-form-urlencoded")
            .and_then(|()| request.send_with_opt_str(Some(body))),
        None => request.send(),
    };
    LINE.with_borrow_mut(|line| {
        // Drop completed requests
        line.held
            .retain(|held| held._request.ready_state() != XmlHttpRequest::DONE);
        line.held.push(PendingRequest {
            _request: request,
            _done: done,
        });
    });
    sent.is_ok()
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
