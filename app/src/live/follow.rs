//! Listening to the server's events, in the browser.

use dewy_domain::view::ExecutionView;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, EventSource, MessageEvent};

use super::{Connection, Reader};

/// The source with its two ears, which must live as long as it does.
struct Line {
    source: EventSource,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _lost: Closure<dyn FnMut(Event)>,
}

/// Follows the execution until it rests.
pub fn follow(reader: Reader, now: RwSignal<ExecutionView>, connection: RwSignal<Connection>) {
    // In an effect: the first picture must be the one the server drew
    Effect::new(move || {
        if now.with_untracked(|view| view.at_rest) {
            return;
        }
        let Some(line) = listen(reader, now, connection) else {
            connection.set(Connection::Closed);
            return;
        };
        let line = SendWrapper::new(line);
        on_cleanup(move || line.source.close());
    });
}

fn listen(reader: Reader, now: RwSignal<ExecutionView>, connection: RwSignal<Connection>) -> Option<Line> {
    let id = now.with_untracked(|view| view.execution_id.clone());
    let url = match reader {
        Reader::Guest => format!("/guest/execution/{id}/events"),
        Reader::Staff => format!("/staff/executions/{id}/events"),
    };
    let source = EventSource::new(&url).ok()?;
    let hearing = source.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Some(view) = event.data().as_string().and_then(|text| serde_json::from_str::<ExecutionView>(&text).ok())
        else {
            return;
        };
        if let Some(root) = document().document_element() {
            // The page's own watchdog looks for it
            let _ = root.set_attribute("data-live", "");
        }
        let rests = view.at_rest;
        if rests {
            hearing.close();
        }
        connection.set(if rests { Connection::Quiet } else { Connection::Open });
        // After a reconnect the server may begin with something older than we have
        if now.with_untracked(|old| view.seq >= old.seq && *old != view) {
            now.set(view);
        }
    });
    let losing = source.clone();
    let lost = Closure::<dyn FnMut(Event)>::new(move |_: Event| {
        let for_good = losing.ready_state() == EventSource::CLOSED;
        connection.set(if for_good { Connection::Closed } else { Connection::Lost });
    });
    source.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    source.set_onerror(Some(lost.as_ref().unchecked_ref()));
    Some(Line { source, _heard: heard, _lost: lost })
}
