//! How many people, and how many of a list.

use super::numbers::{of, whole};
use super::words::{Pause, Word};

/// How many people a room is for.
pub fn people(words: &[Word]) -> Option<i64> {
    let text = |place: usize| words.get(place).map(|word| word.text.as_str());
    for (place, word) in words.iter().enumerate() {
        let at_two = || whole(words, place + 2).map(|(number, _)| number);
        match word.text.as_str() {
            "sleeps" | "sleep" => {
                if let Some((number, _)) = whole(words, place + 1) {
                    return Some(number);
                }
            }
            "party" | "family" | "group" | "crew" | "team" | "table" | "maximum" if text(place + 1) == Some("of") => {
                if let Some(number) = at_two() {
                    return Some(number);
                }
            }
            "couple" if text(place + 1) != Some("of") => return Some(2 + children(words)),
            "pair" if text(place + 1) == Some("of") => return Some(2),
            "both" if text(place + 1) == Some("of") => return Some(2),
            "wife" | "husband" | "partner" | "girlfriend" | "boyfriend" if beside(words, place) => {
                return Some(2 + children(words));
            }
            _ => {}
        }
        if text(place + 1) == Some("of")
            && matches!(text(place + 2), Some("us" | "them"))
            && let Some((number, _)) = whole(words, place)
        {
            return Some(number);
        }
    }
    if words.windows(2).any(|pair| {
        matches!(pair[0].text.as_str(), "more" | "another" | "extra")
            && ["guest", "person", "people"].iter().any(|noun| pair[1].is(noun))
    }) {
        // `One more guest, so three`: only the sum counts.
        const SUM: &[&str] = &["so", "making", "makes", "total", "altogether", "of"];
        return (1..words.len()).find_map(|place| {
            whole(words, place).map(|(number, _)| number).filter(|_| SUM.contains(&words[place - 1].text.as_str()))
        });
    }
    if let Some(number) = for_so_many(words) {
        return Some(number);
    }
    let adults = of(words, &["adult", "grown", "grownup"]).map(|(number, _)| number);
    let children = Some(children(words));
    match (adults, children) {
        (Some(adults), children) => Some(adults + children.unwrap_or(0)),
        _ => {
            of(words, &["people", "person", "guest", "persons"]).map(|(number, _)| number).filter(|number| *number < 21)
        }
    }
}

/// How many children come along.
fn children(words: &[Word]) -> i64 {
    of(words, &["child", "children", "kid", "toddler", "teenager", "son", "daughter"]).map_or(0, |(number, _)| number)
}

/// `anything free for 3?`: a number after `for` that counts nothing else.
fn for_so_many(words: &[Word]) -> Option<i64> {
    const AFTER: &[&str] = &[
        "from", "on", "tonight", "tomorrow", "this", "next", "please", "in", "with", "of", "and", "until", "now",
        "instead", "not", "rather",
    ];
    (1..words.len()).find_map(|place| {
        let (number, next) = whole(words, place).filter(|(number, _)| (1..11).contains(number))?;
        let lead = matches!(words[place - 1].text.as_str(), "for" | "be")
            || (words[place - 1].text == "us" && words[place - 1].pause == Pause::None);
        let ends = words[next - 1].pause > Pause::None
            || words.get(next).is_none_or(|word| AFTER.contains(&word.text.as_str()));
        (lead && ends).then_some(number)
    })
}

/// `my wife and I`, `my brother and his wife`.
fn beside(words: &[Word], place: usize) -> bool {
    let is_and = |place: usize| words.get(place).is_some_and(|word| word.text == "and");
    is_and(place + 1) || place > 1 && is_and(place - 2)
}

/// How many of a list at most, and where the number stands.
pub fn limit(words: &[Word]) -> Option<(i64, usize)> {
    const BEFORE: &[&str] = &["first", "top", "last", "latest", "max", "maximum", "limit", "newest", "recent"];
    const NOT: &[&str] = &["night", "day", "week", "month", "hour", "minute", "year", "dollar", "people"];
    let bound = (1..words.len()).find_map(|place| {
        let (number, next) = whole(words, place)?;
        let unit = words.get(next).is_some_and(|word| NOT.iter().any(|not| word.is(not)));
        let before = words[place - 1].text.as_str();
        let two = |one: &str| place > 1 && words[place - 2].text == one;
        let bound = BEFORE.contains(&before)
            || before == "most" && two("at")
            || before == "than" && two("more")
            || before == "to" && two("up")
            || before == "of" && two("maximum");
        let after = words.get(next).is_some_and(|word| matches!(word.text.as_str(), "newest" | "latest"))
            || words.get(next).is_some_and(|word| word.text == "most")
                && words.get(next + 1).is_some_and(|word| word.text == "recent");
        ((bound || after) && !unit && number > 0).then_some((number, place))
    });
    bound.or_else(|| listed(words))
}

/// `just three rooms`, `five low priority cases`.
fn listed(words: &[Word]) -> Option<(i64, usize)> {
    const LISTS: &[&str] =
        &["rooms", "cases", "bookings", "guests", "executions", "compensations", "stays", "requests", "jobs"];
    (0..words.len()).find_map(|place| {
        let (number, next) = whole(words, place).filter(|(number, _)| (1..100).contains(number))?;
        if words[next - 1].pause > Pause::None {
            return None;
        }
        let noun = words[next..]
            .iter()
            .take(3)
            .take_while(|word| word.text != "of")
            .any(|word| LISTS.contains(&word.text.as_str()));
        noun.then_some((number, place))
    })
}
