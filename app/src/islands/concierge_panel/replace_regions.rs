//! Replaces the panel region by region: drafts stay, and screen readers announce only new content.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{log_scroll, streamed_text};
use crate::islands::dom::{copy_attributes, find_in};

/// Regions whose content comes only from the server.
const REGIONS: [&str; 4] = ["talk-head", "talk-problem", "talk-state", "talk-hidden"];
const PANEL_ATTRIBUTES: [&str; 4] = ["data-url", "data-events", "data-seq", "data-busy"];
/// Delay after which a screen reader has finished the previous text.
const QUIET_MS: u64 = 300;

/// Replaces the panel; returns true when the form has an error. An open menu is not closed, unless
/// the person acted in it.
pub fn replace(old: &Element, new: &Element, whole: bool) -> bool {
    // Before the regions change: a taller one makes the log smaller
    log_scroll::following(old, || {
        copy_attributes(old, new, PANEL_ATTRIBUTES);
        regions(old, new, whole);
        items(old, new);
    });
    find_in(new, ".problem").is_some()
}

fn regions(old: &Element, new: &Element, whole: bool) {
    for name in REGIONS {
        let region = |panel: &Element| find_in(panel, &format!("[data-region=\"{name}\"]"));
        if let (Some(before), Some(after)) = (region(old), region(new)) {
            let html = after.inner_html();
            let open = find_in(&before, "details[open]").is_some();
            if before.inner_html() != html && (whole || name != "talk-head" || !open) {
                before.set_inner_html(&html);
            }
        }
    }
}

fn items(old: &Element, new: &Element) {
    let list = |panel: &Element| find_in(panel, "[data-items]");
    let (Some(before), Some(after)) = (list(old), list(new)) else {
        return;
    };
    // Text that was announced while streaming is not announced again
    let announced = streamed_text::take(old);
    if let Some(log) = log_scroll::log(old).filter(|_| announced) {
        let _ = log.set_attribute("aria-live", "off");
        set_timeout(
            move || drop(log.remove_attribute("aria-live")),
            Duration::from_millis(QUIET_MS),
        );
    }
    let children = |list: &Element| {
        let all = list.children();
        (0..all.length())
            .filter_map(|n| all.item(n))
            .collect::<Vec<_>>()
    };
    let (was, is) = (children(&before), children(&after));
    for (n, item) in is.iter().enumerate() {
        match was.get(n) {
            Some(there) if there.get_attribute("data-key") == item.get_attribute("data-key") => {
                if there.outer_html() != item.outer_html() && !same_but_open(there, item) {
                    there.set_outer_html(&item.outer_html());
                }
            }
            Some(there) => there.set_outer_html(&item.outer_html()),
            None => drop(before.append_child(item)),
        }
    }
    for gone in was.iter().skip(is.len()) {
        gone.remove();
    }
}

/// Whether lines differ only in what the person opened or selected.
fn same_but_open(there: &Element, new: &Element) -> bool {
    there.get_attribute("data-state") == new.get_attribute("data-state")
        && there.inner_html() == new.inner_html()
}

/// Updates the URL on the panel's own page to the current conversation.
pub fn remember(url: &str) {
    let own = document().get_element_by_id("dock").is_none();
    if let (true, Ok(history)) = (own && url.contains("/concierge"), window().history()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(url));
    }
}
