//! Work that has to wait until somebody sees the page.

use leptos::prelude::document;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::js_sys::Reflect;

/// Runs this now, or once a prerendered page is opened: before that it must follow no stream, fetch
/// nothing, and make no sound.
pub fn once_shown(work: impl FnOnce() + 'static) {
    let page = document();
    let prerendering = Reflect::get(&page, &"prerendering".into());
    if !prerendering.is_ok_and(|value| value.is_truthy()) {
        return work();
    }
    let opened = Closure::once_into_js(work);
    let _ = page.add_event_listener_with_callback("prerenderingchange", opened.unchecked_ref());
}
