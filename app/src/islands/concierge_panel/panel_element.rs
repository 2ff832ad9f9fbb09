//! Panel of this page, and its input.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::islands::dom::find;

pub fn panel() -> Option<Element> {
    find("[data-panel]")
}

pub fn focus_input() {
    let words = document()
        .get_element_by_id("talk-text")
        .and_then(|words| words.dyn_into::<HtmlElement>().ok());
    if let Some(words) = words {
        let _ = words.focus();
    }
}
