//! Text being written: shown as it arrives, announced by the sentence.

use leptos::prelude::*;
use web_sys::Element;

use super::log_scroll;
use crate::islands::dom::find_in;

fn line(panel: &Element) -> Option<Element> {
    find_in(panel, "[data-live-words]")
}

pub fn clear(panel: &Element) {
    if let Some(line) = line(panel) {
        line.set_inner_html("");
        let _ = line.set_attribute("hidden", "");
    }
}

/// Removes the streamed text, because the complete answer is there; true when some of it was
/// announced.
pub fn take(panel: &Element) -> bool {
    let announced = line(panel).is_some_and(|line| line.child_element_count() > 0);
    clear(panel);
    announced
}

/// Appends text. The unfinished sentence is hidden from screen readers; each finished one is
/// announced as a whole.
pub fn add(panel: &Element, words: &str) {
    log_scroll::following(panel, || append(panel, words));
}

fn append(panel: &Element, words: &str) {
    let Some(line) = line(panel) else { return };
    let _ = line.remove_attribute("hidden");
    let tail = find_in(&line, "[data-tail]");
    let unfinished = tail
        .as_ref()
        .and_then(|tail| tail.text_content())
        .unwrap_or_default()
        + words;
    let (finished, rest) = unfinished.split_at(end_of_sentence(&unfinished));
    let tail = tail.or_else(|| {
        let tail = document().create_element("span").ok()?;
        let _ = tail.set_attribute("data-tail", "");
        let _ = tail.set_attribute("aria-hidden", "true");
        line.append_child(&tail).ok()?;
        Some(tail)
    });
    if let (false, Ok(sentence), Some(tail)) = (
        finished.is_empty(),
        document().create_element("span"),
        &tail,
    ) {
        sentence.set_text_content(Some(finished));
        let _ = line.insert_before(&sentence, Some(tail));
    }
    if let Some(tail) = tail {
        tail.set_text_content(Some(rest));
    }
}

/// Position after the last complete sentence.
fn end_of_sentence(text: &str) -> usize {
    let ends = ['.', '!', '?', ':', '\n'];
    let mut end = 0;
    let mut last = None;
    for (at, letter) in text.char_indices() {
        if last.is_some_and(|last| last == '\n' || (ends.contains(&last) && letter.is_whitespace()))
        {
            end = at;
        }
        last = Some(letter);
    }
    end
}
