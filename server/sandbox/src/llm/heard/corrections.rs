//! What a person takes back while speaking: `room 204, no, 205`, `high, sorry, urgent`, `scratch that, …`. What came after
//! takes the place of what came before, so that nothing else has to know of it.

use jiff::civil::Date;

use super::days::day;
use super::numbers::whole;
use super::words::{Pause, Word};

/// What takes back a single thing.
const MARKS: &[&str] = &[
    "no wait",
    "no sorry",
    "no i mean",
    "sorry no",
    "ah no",
    "oh no",
    "wait no",
    "or rather",
    "i mean",
    "i meant",
    "make that",
    "correction",
    "my mistake",
    "my bad",
    "oops",
    "actually",
    "sorry",
    "wait",
    "no",
    "or better",
    "make it",
];
/// What takes back everything.
const ALL: &[&str] =
    &["scratch that", "strike that", "forget that", "forget what i said", "ignore what i said", "never mind that"];

/// The kinds of things that are taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Room,
    Booking,
    Address,
    Money,
    Day,
    People,
    Nights,
    RoomType,
    Priority,
    Count,
}

/// The words as they are meant in the end.
pub fn settled(mut words: Vec<Word>, today: Date) -> Vec<Word> {
    if let Some(to) = last_mark(&words, ALL).filter(|to| words.len() > *to + 1) {
        words.drain(..to);
    }
    let mut from = 1;
    while let Some((at, after)) = next_mark(&words, from) {
        from = at + 1;
        let Some((old, new)) = replaced(&words, at, after, today) else { continue };
        let mut kept = words[..old.0].to_vec();
        let mut put = like(&words[old.0], &words[new.0..new.1]);
        // The pauses stay where they were.
        let ends = put.last().map(|word| word.pause).unwrap_or_default();
        if let Some(last) = put.last_mut() {
            last.pause = words[old.1 - 1].pause;
        }
        kept.extend(put);
        kept.extend_from_slice(&words[old.1..at]);
        from = kept.len().max(1);
        // `Make it 4` is also what asks for the change.
        if words[at].text == "make" {
            kept.extend_from_slice(&words[at..after]);
            from = kept.len();
        }
        kept.extend_from_slice(&words[after..new.0]);
        kept.extend_from_slice(&words[new.1..]);
        if let Some(last) = kept.last_mut().filter(|last| new.1 == words.len() && last.pause < ends) {
            last.pause = ends;
        }
        words = kept;
    }
    words
}

type Range = (usize, usize);

/// A bare number in the form of the one whose place it takes: `$20, no, 25`; `the 14th, sorry, 15`.
fn like(old: &Word, new: &[Word]) -> Vec<Word> {
    let mut new = new.to_vec();
    if let [only] = new.as_mut_slice()
        && only.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        let ordinal = old.text.starts_with(|first: char| first.is_ascii_digit())
            && ["th", "st", "nd", "rd"].iter().any(|end| old.text.ends_with(end));
        if old.text.starts_with('$') {
            only.text = format!("${}", only.text);
        } else if ordinal {
            only.text.push_str("th");
        }
    }
    new
}

/// The words of a thing that are its number.
fn number_of(words: &[Word], thing: Range) -> Option<Range> {
    let (from, to) = thing;
    let text = words[from].text.as_str();
    if text.starts_with('$') || to == from + 1 && text.starts_with(|first: char| first.is_ascii_digit()) {
        return Some((from, from + 1));
    }
    (from..to).find_map(|place| whole(words, place).filter(|(_, end)| *end <= to).map(|(_, end)| (place, end)))
}

/// What was said before the mark, and what is said after it instead.
fn replaced(words: &[Word], at: usize, after: usize, today: Date) -> Option<(Range, Range)> {
    let later = things(words, after, words.len(), today);
    let earlier = things(words, 0, at, today);
    if let (Some(old), Some(new)) = (range(words, &earlier), range(words, &later)) {
        return Some((old, new));
    }
    let alike = later.iter().find_map(|(kind, new)| {
        let old = earlier.iter().rev().find(|(other, _)| other == kind)?;
        Some((old.1, *new))
    });
    alike.or_else(|| {
        // A bare number takes the place of the last number, whatever that counted.
        let (_, new) = later.iter().find(|(kind, _)| *kind == Kind::Count)?;
        let counted = [Kind::People, Kind::Nights, Kind::Money, Kind::Day];
        let old = earlier.iter().rev().find(|(kind, _)| counted.contains(kind))?;
        number_of(words, old.1).map(|old| (old, *new))
    })
}

/// Two days with `to` between them.
fn range(words: &[Word], things: &[(Kind, Range)]) -> Option<Range> {
    let to = |place: usize| words.get(place).is_some_and(|word| matches!(word.text.as_str(), "to" | "until" | "till"));
    let pair = |pair: &&[(Kind, Range)]| {
        pair.iter().all(|(kind, _)| *kind == Kind::Day) && pair[1].1.0 == pair[0].1.1 + 1 && to(pair[0].1.1)
    };
    things.windows(2).rfind(pair).map(|pair| (pair[0].1.0, pair[1].1.1))
}

fn things(words: &[Word], from: usize, to: usize, today: Date) -> Vec<(Kind, Range)> {
    let mut found = Vec::new();
    let mut place = from;
    while place < to {
        match thing(words, place, today).filter(|(_, end)| *end <= to) {
            Some((kind, end)) => {
                found.push((kind, (place, end)));
                place = end;
            }
            None => place += 1,
        }
    }
    found
}

fn thing(words: &[Word], place: usize, today: Date) -> Option<(Kind, usize)> {
    let text = words[place].text.as_str();
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let next =
        |place: usize, nouns: &[&str]| words.get(place).is_some_and(|word| nouns.iter().any(|noun| word.is(noun)));
    match text {
        "standard" | "deluxe" | "suite" | "penthouse" => return Some((Kind::RoomType, place + 1)),
        "low" | "medium" | "high" | "urgent" => return Some((Kind::Priority, place + 1)),
        _ if text.starts_with("bk-") => return Some((Kind::Booking, place + 1)),
        _ if text.contains('@') => return Some((Kind::Address, place + 1)),
        _ if text.starts_with('$')
            || (text.contains('.') && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')) =>
        {
            return Some((Kind::Money, place + 1));
        }
        _ => {}
    }
    if let Some((_, end)) = day(words, place, today) {
        return Some((Kind::Day, end));
    }
    let (number, end) = whole(words, place)?;
    let kind = match () {
        () if next(end, &["dollar", "buck"]) => return Some((Kind::Money, end + 1)),
        () if next(end, &["night", "day", "week"]) => return Some((Kind::Nights, end + 1)),
        () if next(end, &["people", "person", "guest", "adult"]) => return Some((Kind::People, end + 1)),
        () if next(end, &["of"]) && next(end + 1, &["us", "them"]) => return Some((Kind::People, end + 2)),
        () if digits && text.len() == 3 => Kind::Room,
        () if number < 100 => Kind::Count,
        () => return None,
    };
    Some((kind, end))
}

/// The first mark from `from` on: where it begins, and the word after it.
fn next_mark(words: &[Word], from: usize) -> Option<(usize, usize)> {
    (from..words.len()).find_map(|at| {
        MARKS.iter().find_map(|mark| {
            let after = at + mark.split(' ').count();
            let said = mark
                .split(' ')
                .enumerate()
                .all(|(offset, part)| words.get(at + offset).is_some_and(|word| word.text == part));
            // `No` and its like take something back only where they stand apart.
            let apart =
                words[at - 1].pause > Pause::None || words.get(after - 1).is_some_and(|word| word.pause > Pause::None);
            (said && (apart || mark.contains(' ') && *mark != "make it")).then_some((at, after))
        })
    })
}

fn last_mark(words: &[Word], marks: &[&str]) -> Option<usize> {
    (0..words.len()).rev().find_map(|at| {
        marks.iter().find_map(|mark| {
            let said = mark
                .split(' ')
                .enumerate()
                .all(|(offset, part)| words.get(at + offset).is_some_and(|word| word.text == part));
            said.then_some(at + mark.split(' ').count())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::heard::words;

    #[test]
    fn what_is_said_last_counts() {
        let today = Date::constant(2026, 3, 10);
        for (said, meant) in [
            ("put BK-0034 in 204, no, 205", "put bk-0034 in 205"),
            ("high, sorry, urgent", "urgent"),
            ("friday to sunday, no, saturday to monday please", "saturday to monday please"),
            ("cancel it. Scratch that, show my bill", "show my bill"),
            ("BK-0037 to 3 guests, no wait 4", "bk-0037 to 4 guests"),
            ("BK-0037 to 3 guests, make it 4", "bk-0037 to 4 guests make it"),
            ("$20 on 305, sorry, 25", "$25 on 305"),
            ("for two nights, no, three", "for three nights"),
            ("no towels in 204 and none in 205", "no towels in 204 and none in 205"),
            ("sorry, 204 is dirty", "sorry 204 is dirty"),
        ] {
            let words = settled(words::read(said), today);
            let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            assert_eq!(texts.join(" "), meant, "{said}");
        }
    }
}
