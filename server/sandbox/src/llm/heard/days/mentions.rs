//! The days a sentence names, with what the words before make of them.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::day::{day, month, number};
use crate::llm::heard::words::{Pause, Word};

/// What a word before a day makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// Nothing.
    None,
    /// A first day: `from`, `arriving`.
    From,
    /// A first day without a last one.
    Since,
    /// A last day: `until`, `leaving`.
    To,
}

/// A day as it is named.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// A date.
    Day(Date),
    /// `the 28th`: the month is told by another day, or is the next that has it ahead.
    OfMonth(i8),
    /// A day of a month, without a year.
    InMonth(i8, i8),
}

/// A day and where it is named.
#[derive(Clone, Copy, Debug)]
pub struct Mention {
    /// Which.
    pub when: When,
    /// What the word before makes of it.
    pub lead: Lead,
    /// Its first word.
    pub from: usize,
    /// The word after it.
    pub to: usize,
}

/// All of them, in order.
pub fn mentions(words: &[Word], today: Date) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut place = 0;
    while place < words.len() {
        if let Some((one, other, to)) = short_range(words, place) {
            found.push(Mention { when: one, lead: Lead::From, from: place, to });
            found.push(Mention { when: other, lead: Lead::To, from: place, to });
            place = to;
        } else if replaced(words, place) {
            place += 1;
        } else if let Some((when, to)) = day(words, place, today) {
            let lead = lead(words, place, &found);
            found.push(Mention {
                when: if lead == Lead::Since { past(when, today) } else { when },
                lead,
                from: place,
                to,
            });
            place = to;
            if let Some((end, to)) = end_of_month(words, place, when) {
                found.push(Mention { when: end, lead: Lead::To, from: place, to });
                place = to;
            }
        } else {
            place += 1;
        }
    }
    found
}

/// `Since Sunday` is since the last one.
fn past(when: When, today: Date) -> When {
    match when {
        When::Day(day) if day > today => When::Day(day.checked_sub(7.days()).unwrap_or(day)),
        other => other,
    }
}

/// `apr 3 to 6`: the second number is a day because the first one is.
fn end_of_month(words: &[Word], place: usize, when: When) -> Option<(When, usize)> {
    const COUNTED: [&str; 7] = ["people", "person", "guest", "adult", "night", "pm", "am"];
    let When::InMonth(_, named) = when else { return None };
    let joint = matches!(words.get(place)?.text.as_str(), "to" | "until" | "till" | "through" | "thru");
    let word = words.get(place + 1).filter(|_| joint)?;
    let counts = words.get(place + 2).is_some_and(|next| {
        word.pause == Pause::None && (COUNTED.iter().any(|noun| next.is(noun)) || month(words, place + 2).is_some())
    });
    (!counts).then_some((When::InMonth(number(&word.text)?, named), place + 2))
}

/// `rather than the 13th`, `instead of friday`: what is said there is what it was before.
fn replaced(words: &[Word], place: usize) -> bool {
    let text = |back: usize| place.checked_sub(back).map_or("", |place| words[place].text.as_str());
    let at = if text(1) == "the" { 1 } else { 0 };
    text(at + 1) == "than" || (text(at + 1) == "of" && text(at + 2) == "instead")
}

/// `3-5 april`.
fn short_range(words: &[Word], place: usize) -> Option<(When, When, usize)> {
    let (at, month) = match (month(words, place), month(words, place + 1)) {
        // `apr 3-6`
        (Some(month), _) => (place + 1, month),
        (None, month) => (place, month?),
    };
    let (one, other) = words.get(at)?.text.split_once(['-', '–'])?;
    Some((When::InMonth(number(one)?, month), When::InMonth(number(other)?, month), place + 2))
}

fn lead(words: &[Word], place: usize, before: &[Mention]) -> Lead {
    const SKIPPED: &[&str] = &["the", "next", "this", "last", "on", "about"];
    let mut at = place;
    while at > 0 && SKIPPED.contains(&words[at - 1].text.as_str()) {
        at -= 1;
    }
    let Some(word) = at.checked_sub(1).map(|at| words[at].text.as_str()) else {
        return Lead::None;
    };
    let ranged = before.last().is_some_and(|last| last.lead == Lead::From || last.to + 1 >= at);
    match word {
        "since" => Lead::Since,
        "from" | "between" | "arriving" | "arrive" | "arrives" | "arrival" | "starting" | "starts" | "start"
        | "after" | "beginning" => Lead::From,
        "until" | "till" | "through" | "leave" | "leaves" | "leaving" | "depart" | "departs" | "departing"
        | "departure" | "thru" | "by" | "home" | "ending" | "ends" | "end" | "out" | "til" => Lead::To,
        "to" if ranged || extends(words) => Lead::To,
        "and" if before.last().is_some_and(|last| last.lead == Lead::From) => Lead::To,
        _ => Lead::None,
    }
}

/// A stay that is lengthened is lengthened to its end.
fn extends(words: &[Word]) -> bool {
    words.iter().any(|word| ["extend", "prolong", "lengthen", "longer"].iter().any(|longer| word.is(longer)))
}
