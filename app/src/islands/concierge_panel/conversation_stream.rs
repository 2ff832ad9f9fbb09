//! Live stream of the conversation in the panel.

use std::cell::RefCell;

use wasm_bindgen::JsValue;
use web_sys::js_sys::{JSON, Reflect};

use super::{panel_requests, streamed_text};
use crate::islands::live_stream::{LiveStream, StreamEvent};

thread_local! {
    static STREAM: RefCell<Option<LiveStream>> = const { RefCell::new(None) };
}

/// Connects to the stream that the panel names, unless already connected. The browser reconnects
/// after a failure, and the stream then starts with the full text.
pub fn listen() {
    let url = panel_requests::panel().and_then(|panel| panel.get_attribute("data-events"));
    let same = STREAM.with_borrow(|stream| stream.as_ref().map(LiveStream::url) == url.as_deref());
    if same {
        return;
    }
    drop(STREAM.take());
    let Some(url) = url else { return };
    let stream = LiveStream::follow(url, false, |event| match event {
        StreamEvent::Message(event) => {
            let text = event.data().as_string();
            if let Some(message) = text.and_then(|text| JSON::parse(&text).ok()) {
                handle_event(&message);
            }
        }
        StreamEvent::MayHaveChanged => panel_requests::read(),
        StreamEvent::Lost(_) => {}
    });
    STREAM.set(Some(stream));
}

fn handle_event(message: &JsValue) {
    let Some(panel) = panel_requests::panel() else {
        return;
    };
    let get = |name: &str| Reflect::get(message, &name.into()).unwrap_or(JsValue::NULL);
    let text = get("text").as_string().unwrap_or_default();
    // Finished text stays until the complete answer is there
    if get("begins").is_truthy() && !text.is_empty() {
        streamed_text::clear(&panel);
    }
    if !text.is_empty() {
        streamed_text::add(&panel, &text);
    }
    let busy = if get("busy").is_truthy() {
        "true"
    } else {
        "false"
    };
    let other = |name: &str, value: &str| panel.get_attribute(name).as_deref() != Some(value);
    if other("data-seq", &get("seq").as_string().unwrap_or_default()) || other("data-busy", busy) {
        panel_requests::read();
    }
}
