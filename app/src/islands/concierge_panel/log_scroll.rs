//! Scrolls the log with the newest words. An open proposal is shown from its first line on, so that
//! nobody sees the button without the question.

use web_sys::Element;

use crate::islands::dom::{elements, find_in};

/// Distance within which the person counts as having read to the newest words, in pixels.
const NEAR: i32 = 80;
/// Space above a proposal, in pixels.
const ABOVE: i32 = 8;

/// The log in this part of the page.
pub fn log(place: &Element) -> Option<Element> {
    find_in(place, ".talk-log")
}

/// Scrolls to the newest words.
pub fn to_newest(place: &Element) {
    if let Some(log) = log(place) {
        log.set_scroll_top(newest(&log));
    }
}

/// Makes the change, then scrolls to the newest words if they moved, unless the person has scrolled
/// up.
pub fn following(place: &Element, change: impl FnOnce()) {
    let before = log(place).map_or(0, |log| newest(&log));
    let follows = log(place).is_none_or(|log| log.scroll_top() >= before - NEAR);
    change();
    if let Some(log) = log(place).filter(|_| follows) {
        let after = newest(&log);
        // Positions are rounded
        if (after - before).abs() > 1 {
            log.set_scroll_top(after);
        }
    }
}

/// Position of the first proposal that is open since the person's last message; without any, of the
/// end.
fn newest(log: &Element) -> i32 {
    let end = (log.scroll_height() - log.client_height()).max(0);
    let Some(proposal) = open_proposal(log) else {
        return end;
    };
    let within = proposal.get_bounding_client_rect().top() - log.get_bounding_client_rect().top();
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
    let top = log.scroll_top() + within as i32 - ABOVE;
    top.clamp(0, end)
}

fn open_proposal(log: &Element) -> Option<Element> {
    let marks = log
        .query_selector_all(".said[data-by=person], .ask[data-state=proposed]")
        .ok()?;
    let mut first = None;
    for mark in elements(marks) {
        if mark.class_list().contains("said") {
            first = None;
        } else {
            first = first.or(Some(mark));
        }
    }
    first
}
