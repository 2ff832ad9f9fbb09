//! Live stream of the conversation in the panel.

use std::cell::RefCell;

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    EventSource, MessageEvent,
    js_sys::{JSON, Reflect},
};

use super::{panel_requests, streamed_text};

thread_local! {
    static SUBSCRIPTION: RefCell<Option<Subscription>> = const { RefCell::new(None) };
}

struct Subscription {
    url: String,
    source: EventSource,
    _heard: Closure<dyn FnMut(MessageEvent)>,
}

/// Connects to the stream that the panel names, unless already connected. The browser reconnects
/// after a failure, and the stream then starts with the full text.
pub fn listen() {
    let url = panel_requests::panel().and_then(|panel| panel.get_attribute("data-events"));
    let same = SUBSCRIPTION.with_borrow(|ear| ear.as_ref().map(|ear| ear.url.clone()) == url);
    if same {
        return;
    }
    if let Some(old) = SUBSCRIPTION.with_borrow_mut(Option::take) {
        old.source.close();
    }
    let Some(url) = url else { return };
    let Ok(source) = EventSource::new(&url) else {
        return;
    };
    let handler = Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| {
        let message = event
            .data()
            .as_string()
            .and_then(|text| JSON::parse(&text).ok());
        if let Some(message) = message {
            handle_event(&message);
        }
    });
    source.set_onmessage(Some(handler.as_ref().unchecked_ref()));
    SUBSCRIPTION.with_borrow_mut(|ear| {
        *ear = Some(Subscription {
            url,
            source,
            _heard: handler,
        })
    });
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
