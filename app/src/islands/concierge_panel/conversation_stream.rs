//! Live stream of the conversation in the panel.

use std::cell::RefCell;

use wasm_bindgen::JsValue;
use web_sys::js_sys::{JSON, Reflect};

use super::{panel_element::panel, streamed_text};
use crate::islands::live_stream::{LiveStream, StreamEvent};

thread_local! {
    static STREAM: RefCell<Option<LiveStream>> = const { RefCell::new(None) };
}

/// Connects to the stream that the panel names, unless already connected. The browser reconnects
/// after a failure, and the stream then starts with the full text. `read` loads the panel again.
pub fn listen(read: fn()) {
    let url = panel().and_then(|panel| panel.get_attribute("data-events"));
    let same = STREAM.with_borrow(|stream| stream.as_ref().map(LiveStream::url) == url.as_deref());
    if same {
        return;
    }
    drop(STREAM.take());
    let Some(url) = url else { return };
    let stream = LiveStream::follow(url, false, move |event| match event {
        StreamEvent::Message(event) => {
            let text = event.data().as_string();
            if let Some(message) = text.and_then(|text| JSON::parse(&text).ok()) {
                handle_event(&message, read);
            }
        }
        StreamEvent::MayHaveChanged => read(),
        StreamEvent::Lost(_) => {}
    });
    STREAM.set(Some(stream));
}

fn handle_event(message: &JsValue, read: fn()) {
    let Some(panel) = panel() else {
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
        read();
    }
}
