//! Sounds and tab titles for new items that need attention.

use std::cell::Cell;

use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Element, HtmlElement,
    js_sys::{Function, Promise, Reflect},
};

use crate::islands::dom::find;

thread_local! {
    /// Number of emergencies, and of all items.
    static LAST_COUNTS: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Current numbers on the page.
fn current_counts() -> Option<(u32, u32)> {
    let said = find("[data-alarm]")?;
    let number = |name: &str| {
        said.get_attribute(name)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0)
    };
    Some((number("data-alarm"), number("data-waiting")))
}

/// A newly opened page sounds only for emergencies: other items sounded when they arrived.
pub fn begin() {
    let Some(now) = current_counts() else { return };
    LAST_COUNTS.set(now);
    if now.0 > 0 {
        play("alarm");
    }
}

/// Sounds when there are more items than before, and updates the tab's title.
pub fn compare() {
    let (Some(now), known) = (current_counts(), LAST_COUNTS.get()) else {
        return;
    };
    LAST_COUNTS.set(now);
    let title = document().title();
    let plain = match title
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(") "))
    {
        Some((_, plain)) => plain.to_owned(),
        None => title,
    };
    document().set_title(&if now.1 > 0 {
        format!("({}) {plain}", now.1)
    } else {
        plain
    });
    if now.0 > known.0 {
        play("alarm");
    } else if now.1 > known.1 {
        play("chime");
    }
}

/// Plays a sound; where the browser requires a click first, shows a button.
fn play(name: &str) {
    let Some(audio) = find(&format!("audio[data-sound={name}]")) else {
        return;
    };
    let _ = audio.set_attribute("data-played", "");
    let Some(playing) = call(&audio) else { return };
    let refused = Closure::once_into_js(move |_: JsValue| offer(audio));
    let _ = Reflect::get(&playing, &"catch".into())
        .ok()
        .and_then(|catch| catch.dyn_into::<Function>().ok())
        .map(|catch| catch.call1(&playing, &refused));
}

fn call(audio: &Element) -> Option<Promise> {
    let play = Reflect::get(audio, &"play".into())
        .ok()?
        .dyn_into::<Function>()
        .ok()?;
    play.call0(audio).ok()?.dyn_into().ok()
}

fn offer(audio: Element) {
    let button = find("[data-sound-off]");
    let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) else {
        return;
    };
    button.set_hidden(false);
    let shown = button.clone();
    let on = Closure::<dyn FnMut()>::new(move || {
        drop(call(&audio));
        shown.set_hidden(true);
    });
    button.set_onclick(Some(on.as_ref().unchecked_ref()));
    // The button lives as long as the page
    on.forget();
}
