//! Replaces regions without disturbing the person who uses them.

use std::cell::RefCell;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement};

use crate::islands::dom::elements;

thread_local! {
    /// Regions as last sent by the server; timers have changed the ones on the page since.
    static LAST_REGIONS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Result of applying a page.
#[derive(Default)]
pub struct Found {
    /// Number of changes held back.
    pub held: usize,
    /// Whether a slow part is outdated and was not sent.
    pub late: bool,
}

fn all(within: &Document, selector: &str) -> Vec<Element> {
    within
        .query_selector_all(selector)
        .map(elements)
        .unwrap_or_default()
}

fn inside(within: &Element, selector: &str) -> Vec<Element> {
    within
        .query_selector_all(selector)
        .map(elements)
        .unwrap_or_default()
}

fn regions(page: &Document) -> Vec<(String, Element)> {
    let name = |element: Element| {
        element
            .get_attribute("data-region")
            .map(|name| (name, element))
    };
    all(page, "[data-region]")
        .into_iter()
        .filter_map(name)
        .collect()
}

/// Remembers the regions as the server rendered them.
pub fn remember(page: &Document) {
    let draft = regions(page)
        .into_iter()
        .map(|(name, element)| (name, element.inner_html()))
        .collect();
    LAST_REGIONS.set(draft);
}

/// Applies the regions of a newly fetched page.
pub fn replace(page: &Document, shown: bool) -> Found {
    let mut found = Found::default();
    let ours = regions(&document());
    for (name, new) in regions(page) {
        let Some((_, old)) = ours.iter().find(|(n, _)| *n == name) else {
            continue;
        };
        if new.has_attribute("data-late") {
            found.late |= new.get_attribute("data-version") != old.get_attribute("data-version");
            continue;
        }
        let html = new.inner_html();
        let same =
            LAST_REGIONS.with_borrow(|draft| draft.iter().any(|(n, h)| *n == name && *h == html));
        if same {
            continue;
        }
        if old.has_attribute("data-rows") {
            let (before, after) = (rows(old), rows(&new));
            let moves = !before.iter().map(|r| &r.0).eq(after.iter().map(|r| &r.0));
            if moves && !shown && in_use(old) {
                found.held += changes(&before, &after);
                continue;
            }
            swap(old, &html);
            flash(old, &before);
        } else {
            swap(old, &html);
        }
        if let Some(version) = new.get_attribute("data-version") {
            let _ = old.set_attribute("data-version", &version);
        }
        LAST_REGIONS.with_borrow_mut(|draft| {
            draft.retain(|(n, _)| *n != name);
            draft.push((name, html));
        });
    }
    found
}

/// Key and version of each row.
type Row = (String, Option<String>);

fn rows(region: &Element) -> Vec<Row> {
    let row = |row: Element| {
        row.get_attribute("data-key")
            .map(|key| (key, row.get_attribute("data-version")))
    };
    inside(region, "[data-key]")
        .into_iter()
        .filter_map(row)
        .collect()
}

/// Number of rows that were added, removed or changed.
fn changes(before: &[Row], after: &[Row]) -> usize {
    let gone = before
        .iter()
        .filter(|old| !after.iter().any(|new| new.0 == old.0))
        .count();
    (gone + after.iter().filter(|new| !before.contains(new)).count()).max(1)
}

/// Whether the cursor or the focus is in it.
fn in_use(region: &Element) -> bool {
    let focused = document()
        .active_element()
        .is_some_and(|focus| region.contains(Some(&focus)));
    focused || region.matches(":hover").unwrap_or(false)
}

/// Replaces the content; keeps open details and the focus.
fn swap(region: &Element, html: &str) {
    let open: Vec<String> = inside(region, "details[open][id]")
        .iter()
        .map(Element::id)
        .collect();
    let focus = document()
        .active_element()
        .filter(|focus| region.contains(Some(focus)))
        .map(|focus| focus.id());
    region.set_inner_html(html);
    for id in open {
        if let Some(details) = document().get_element_by_id(&id) {
            let _ = details.set_attribute("open", "");
        }
    }
    let focus = focus
        .filter(|id| !id.is_empty())
        .and_then(|id| document().get_element_by_id(&id));
    if let Some(focus) = focus.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = focus.focus();
    }
}

fn flash(region: &Element, before: &[Row]) {
    for row in inside(region, "[data-key]") {
        let now = (
            row.get_attribute("data-key").unwrap_or_default(),
            row.get_attribute("data-version"),
        );
        if !before.contains(&now) {
            let _ = row.set_attribute("data-changed", "");
        }
    }
}
