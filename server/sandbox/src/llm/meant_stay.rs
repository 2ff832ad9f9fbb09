//! Which of a guest's stays a message means, if it says so: by its number, room, month or day, or as
//! the next one. Whoever lives here can cancel only a later stay.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::dates::MONTHS;
use super::sentence::Sentence;
use super::tokenizer::one_of;

/// Facts of the stay that is spoken of.
const FACTS: [&str; 5] = [
    "booking_number",
    "stay_status",
    "room_number",
    "check_in_date",
    "check_out_date",
];
const LATER: &str = "next upcoming later other second future";
const STAYS: &str = "stay booking reservation visit trip";

/// Facts of a stay, in the order of [`FACTS`].
type Stay = [String; 5];

/// Speaks of the stay that the message means, or again of the current one.
pub fn choose(facts: &mut BTreeMap<String, String>, sentence: &Sentence, keeps: bool) {
    let listed = facts.get("other_stays").map_or("", String::as_str);
    let others: Vec<Stay> = listed.split("; ").filter_map(read).collect();
    if others.is_empty() {
        return;
    }
    let field = |name: &str| facts.get(name).cloned().unwrap_or_default();
    let current = FACTS.map(|name| match facts.get(&format!("own_{name}")) {
        Some(value) => value.clone(),
        None => field(name),
    });
    let meant = others.iter().find(|other| means(sentence, other, &current));
    let here = current[1] == "Checked In";
    let word = |list: &str| sentence.words.iter().any(|word| one_of(&word.text, list));
    let later = || {
        let next = word(LATER) && word(STAYS);
        let cancels = sentence
            .words
            .iter()
            .any(|word| word.text.starts_with("cancel"));
        let only = others.iter().filter(|other| other[1] == "Reserved");
        let only: Vec<&Stay> = only.collect();
        match only.as_slice() {
            [first, ..] if here && next => Some(*first),
            [one] if here && cancels => Some(*one),
            _ => None,
        }
    };
    let chosen = match meant.or_else(later) {
        Some(stay) => stay,
        None if keeps => return,
        None => &current,
    };
    for (name, (value, own)) in FACTS.into_iter().zip(chosen.iter().zip(&current)) {
        facts.insert(name.to_owned(), value.clone());
        facts.insert(format!("own_{name}"), own.clone());
    }
}

/// `BK-0049, Reserved, room 205, 2026-12-20 to 2026-12-22`
fn read(line: &str) -> Option<Stay> {
    let mut parts = line.split(", ").map(str::to_owned);
    let (number, status) = (parts.next()?, parts.next()?);
    let room = parts.next()?.strip_prefix("room ")?.to_owned();
    let days = parts.next()?;
    let (from, to) = days.split_once(" to ")?;
    Some([number, status, room, from.to_owned(), to.to_owned()])
}

/// Whether the message names the other stay, and not as well the current one.
fn means(sentence: &Sentence, other: &Stay, current: &Stay) -> bool {
    let named = |stay: &Stay| {
        let [number, _, room, from, to] = stay;
        let mut numbers = sentence.all("Booking");
        let mut rooms = sentence.all("Room");
        let days = || Some((from.parse::<Date>().ok()?, to.parse::<Date>().ok()?));
        let within = |day: Option<Date>| {
            let day = day.zip(days());
            day.is_some_and(|(day, (from, to))| (from..=to).contains(&day))
        };
        let month = |word: &str| {
            let mut months = MONTHS.split(' ').zip(1..);
            let month = months.find(|(name, _)| word.starts_with(name) && is_month(word));
            month.is_some_and(|(_, month)| days().is_some_and(|(from, _)| from.month() == month))
        };
        numbers.any(|entity| entity.text == *number)
            || rooms.any(|entity| entity.text == *room)
            || sentence.all("Day").any(|entity| within(entity.date))
            || sentence.words.iter().any(|word| month(&word.text))
    };
    named(other) && !named(current)
}

/// Whether a word is a month: `dec` and `december`, but not `decide` or `may I`.
fn is_month(word: &str) -> bool {
    const NAMES: &str =
        "january february march april june july august september october november december";
    word.len() == 3 && word != "may" && word != "mar" || one_of(word, NAMES)
}
