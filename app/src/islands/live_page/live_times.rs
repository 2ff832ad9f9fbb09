//! Live times: ages and countdowns.

use std::{cell::Cell, time::Duration};

use leptos::prelude::*;
use web_sys::js_sys::Date;

use super::{Line, SEPARATOR};
use crate::{
    duration_text,
    islands::dom::{find, find_all},
};

thread_local! {
    /// Server clock minus browser clock, in milliseconds; browser clocks are often wrong.
    static CLOCK_OFFSET: Cell<f64> = const { Cell::new(0.0) };
    static SHOWN: Cell<(i64, Option<RwSignal<Line>>)> = const { Cell::new((0, None)) };
}

/// Updates every second.
pub fn begin(line: RwSignal<Line>) {
    SHOWN.set((0, Some(line)));
    update_all();
    if let Ok(each) = set_interval_with_handle(count, Duration::from_secs(1)) {
        on_cleanup(move || each.clear());
    }
}

/// Restarts from the page's current values.
pub fn update_all() {
    let main = find("main[data-now]");
    let number = |name: &str| main.as_ref()?.get_attribute(name)?.parse::<i64>().ok();
    let Some(now) = number("data-now") else {
        return;
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds of this age are far below 2^53"
    )]
    CLOCK_OFFSET.set((now * 1000) as f64 - Date::now());
    let line = SHOWN.get().1;
    SHOWN.set((number("data-read").unwrap_or(now), line));
    if let Some(line) = line {
        line.update(|line| {
            let text = |name: &str| main.as_ref()?.get_attribute(name);
            line.silent = text("data-silent").unwrap_or_default();
            line.as_of = text("data-as-of").unwrap_or_default();
            if let (true, Some(words)) = (line.sentences.is_empty(), text("data-words")) {
                line.sentences = words.split(SEPARATOR).map(str::to_owned).collect();
            }
        });
    }
    count();
}

fn count() {
    #[expect(clippy::cast_possible_truncation, reason = "seconds since 1970")]
    let now = ((Date::now() + CLOCK_OFFSET.get()) / 1000.0) as i64;
    for (name, ahead) in [("data-since", false), ("data-until", true)] {
        for element in find_all(&format!("[{name}]")) {
            let Some(then) = element
                .get_attribute(name)
                .and_then(|text| text.parse::<i64>().ok())
            else {
                continue;
            };
            let text = if ahead {
                duration_text::exact(then - now)
            } else {
                duration_text::short(now - then)
            };
            element.set_text_content(Some(&text));
        }
    }
    let (shown, line) = SHOWN.get();
    if let Some(line) = line {
        line.update(|line| line.age = duration_text::short(now - shown));
    }
}
