//! Elements of the page, and its events.

use leptos::prelude::document;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, Event, NodeList};

/// First element of the page that matches.
pub fn find(selector: &str) -> Option<Element> {
    document().query_selector(selector).ok().flatten()
}

/// First element inside another one that matches.
pub fn find_in(place: &Element, selector: &str) -> Option<Element> {
    place.query_selector(selector).ok().flatten()
}

pub fn elements(list: NodeList) -> Vec<Element> {
    (0..list.length())
        .filter_map(|n| list.item(n)?.dyn_into().ok())
        .collect()
}

/// All elements of the page that match.
pub fn find_all(selector: &str) -> Vec<Element> {
    let list = document().query_selector_all(selector);
    list.map(elements).unwrap_or_default()
}

/// Sets an attribute, or removes it.
pub fn set(element: &Element, name: &str, value: Option<&str>) {
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}

/// Gives an element these attributes of another one.
pub fn copy_attributes<'a>(to: &Element, from: &Element, names: impl IntoIterator<Item = &'a str>) {
    for name in names {
        set(to, name, from.get_attribute(name).as_deref());
    }
}

/// Handles an event for the lifetime of the page.
pub fn on<E: JsCast>(name: &str, mut act: impl FnMut(&E) + 'static) {
    let handler = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        if let Some(event) = event.dyn_ref::<E>() {
            act(event);
        }
    });
    let _ = document().add_event_listener_with_callback(name, handler.as_ref().unchecked_ref());
    handler.forget();
}
