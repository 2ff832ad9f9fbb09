//! Icons beside text, so that color is never the only signal. All of them are in one file, which a
//! browser fetches once.

use std::{borrow::Cow, sync::LazyLock};

use leptos::{prelude::*, tachys::html::InertElement};

use crate::asset_path::asset_path;

/// Name and path of each icon, on a 16 by 16 grid.
const ICON_PATHS: [(&str, &str); 32] = [
    ("completed", "M3 8.5 6.5 12 13 4.5"),
    ("refused", "M4 4l8 8M12 4l-8 8"),
    (
        "compensated",
        "M6 3 2.5 6.5 6 10M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7",
    ),
    ("needs_attention", "M8 2.5v7M8 12.5v1"),
    ("retrying", "M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3"),
    (
        "waiting",
        "M8 4v4l3 2M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13",
    ),
    ("running", "M8 2a6 6 0 1 1-6 6"),
    ("skipped", "M3 8h10"),
    (
        "talk",
        "M2.5 3.5h11v7.5H8L5 13.5V11H2.5zM5.5 6.5h5M5.5 8.5h3",
    ),
    (
        "key",
        "M8.5 5.5a3 3 0 1 0-6 0 3 3 0 0 0 6 0M7.7 7.7l5.8 5.8M11.2 11.2 13 9.4M9.4 9.4 10.8 8",
    ),
    (
        "person",
        "M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M2.8 13.8a5.2 5.2 0 0 1 10.4 0",
    ),
    ("days", "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3"),
    (
        "bell",
        "M2.5 12h11M3.5 12a4.5 4.5 0 0 1 9 0M8 7.5V5.5M6.8 5.5h2.4M6 14h4",
    ),
    (
        "pages",
        "M8 4.5C6.5 3.3 4.6 3 2.5 3.2v9C4.6 12 6.5 12.3 8 13.5M8 4.5c1.5-1.2 3.4-1.5 5.5-1.3v9C11.4 12 9.5 12.3 8 13.5M8 4.5v9",
    ),
    (
        "drop",
        "M8 1.5C8 1.5 3.5 6.7 3.5 10a4.5 4.5 0 0 0 9 0C12.5 6.7 8 1.5 8 1.5zM6 10.2A2.2 2.2 0 0 0 8 12.4",
    ),
    (
        "bed",
        "M1.5 3v10M1.5 10.5h13V13M14.5 10.5V8.5a2 2 0 0 0-2-2H6v4M3.8 7.5h.01",
    ),
    (
        "broom",
        "M13.5 2.5 8.5 7.5M6.5 6.5l3 3-2 4.5-5.5-5.5zM5 11l1.5-1.5",
    ),
    (
        "bar",
        "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M4.5 8h7",
    ),
    ("arrive", "M9.5 2.5H13v11H9.5M2 8h7.5M6.5 5 9.5 8l-3 3"),
    ("leave", "M6.5 2.5H3v11h3.5M6.5 8H14M11 5l3 3-3 3"),
    ("due", "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3"),
    ("overdue", "M8 2 1.5 13.5h13zM8 6.5v3.5M8 11.8v.2"),
    ("move", "M1.5 8h13M4.5 5l-3 3 3 3M11.5 5l3 3-3 3"),
    ("high", "M8 13V3M4 7l4-4 4 4"),
    (
        "view",
        "M1.5 12.5 6 5l3 5 1.8-2.5 3.7 5zM12 2.5a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6",
    ),
    (
        "size",
        "M2.5 2.5h11v11h-11zM5 8h6M6.5 6.5 5 8l1.5 1.5M9.5 6.5 11 8 9.5 9.5",
    ),
    (
        "access",
        "M7 2.5a1 1 0 1 0 0 .01M7 5v4h4l2 4M7 6.7h3M5.3 8a3.3 3.3 0 1 0 4.5 4.2",
    ),
    (
        "wifi",
        "M1.5 6a9.5 9.5 0 0 1 13 0M4 8.7a6 6 0 0 1 8 0M6.3 11.2a2.6 2.6 0 0 1 3.4 0M8 13.3v.1",
    ),
    (
        "cup",
        "M3 6h8.5v4a3.5 3.5 0 0 1-3.5 3.5H6.5A3.5 3.5 0 0 1 3 10zM11.5 7h1a1.5 1.5 0 0 1 0 3h-1M5.5 2v1.5M8.5 2v1.5",
    ),
    (
        "pin",
        "M8 14.5S3.5 9.8 3.5 6.5a4.5 4.5 0 0 1 9 0C12.5 9.8 8 14.5 8 14.5M8 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3",
    ),
    ("phone", "M4.5 2h7v12h-7zM7.3 12h1.4"),
    ("dot", "M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3"),
];

/// States that share another state's icon.
const ALIASES: [(&str, &str); 12] = [
    ("done", "completed"),
    ("solved", "completed"),
    ("settled_by_hand", "person"),
    ("compensating", "compensated"),
    ("refunding", "compensated"),
    ("refunded_reverting", "compensated"),
    ("unknown", "needs_attention"),
    ("in_house", "bed"),
    ("out", "bar"),
    ("to_come", "due"),
    ("urgent", "overdue"),
    ("over", "completed"),
];

/// SVG file with all icons.
pub static ICONS: LazyLock<String> = LazyLock::new(|| {
    let symbol = |(name, line): &(&str, &str)| {
        format!(r#"<symbol id="{name}" viewBox="0 0 16 16"><path d="{line}"/></symbol>"#)
    };
    let symbols: String = ICON_PATHS.iter().map(symbol).collect();
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>"#)
});

pub static ICONS_PATH: LazyLock<String> = LazyLock::new(|| asset_path("icons", "svg", &ICONS));

/// Element of each icon, in the order of their paths.
static ELEMENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let element = |(name, _): &(&str, &str)| {
        let href = format!("{}#{name}", *ICONS_PATH);
        let icon = view! {
            <svg class="icon" aria-hidden="true" focusable="false">
                <use href=href />
            </svg>
        };
        icon.to_html()
    };
    ICON_PATHS.iter().map(element).collect()
});

/// Icon for the state of an execution or a step; decorative, because a label is beside it.
#[component]
pub fn Icon(#[prop(into)] state: Cow<'static, str>) -> impl IntoView {
    InertElement::new(ELEMENTS[position(&state)].as_str())
}

/// Position of a state's icon; a dot by default.
fn position(state: &str) -> usize {
    let shared = ALIASES.iter().find(|(other, _)| *other == state);
    let name = shared.map_or(state, |(_, icon)| icon);
    let known = |name: &str| ICON_PATHS.iter().position(|(icon, _)| *icon == name);
    known(name).or_else(|| known("dot")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_an_icon() {
        for (other, shared) in ALIASES {
            assert!(
                ICON_PATHS.iter().any(|(icon, _)| *icon == shared),
                "{shared} of {other}"
            );
            assert_eq!(position(other), position(shared));
        }
        let name = |state| ICON_PATHS[position(state)].0;
        assert_eq!((name("done"), name("nobody knows")), ("completed", "dot"));
        assert!(ICONS.len() < 8_000, "{}", ICONS.len());
    }
}
