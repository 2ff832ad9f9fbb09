//! Names of people.

use super::entities::{Entity, Kind};
use super::spelling::{is_known, is_listed};
use super::words::{Pause, Word, at, one_of};

/// Words before a lowercase name.
const BEFORE: [&str; 14] = [
    "find",
    "look up",
    "check in",
    "check out",
    "called",
    "named",
    "name of",
    "number of",
    "email of",
    "name is",
    "guest",
    "refund",
    "search",
    "with",
];

/// Names in a sentence, without titles, in order.
pub fn read(words: &[Word], taken: &[Entity]) -> Vec<Entity> {
    let letters = |word: &Word| {
        !word.raw.is_empty()
            && word
                .raw
                .chars()
                .all(|letter| letter.is_alphabetic() || "'’-".contains(letter))
    };
    let free = |place: usize| {
        letters(&words[place])
            && !taken
                .iter()
                .any(|entity| (entity.from..entity.to).contains(&place))
    };
    let mut found = Vec::new();
    let mut place = 0;
    while place < words.len() {
        let mut to = place;
        while to < words.len() && words[to].raw.starts_with(char::is_uppercase) && free(to) {
            to += 1;
            if words[to - 1].pause > Pause::None || words[to - 1].owner {
                break;
            }
        }
        found.extend(name(words, place, to));
        place = to.max(place + 1);
    }
    if found.is_empty() {
        let unknown = |place: &usize| free(*place) && !is_known(&words[*place].raw.to_lowercase());
        let lower_case = |place: usize| {
            let fits = |before: &&&str| {
                before
                    .split(' ')
                    .enumerate()
                    .all(|(more, part)| at(words, place + more) == part)
            };
            let from = place + BEFORE.iter().find(fits)?.split(' ').count();
            let to = from + (from..words.len()).take(3).take_while(unknown).count();
            words[from..to]
                .iter()
                .any(|word| !word.corrected)
                .then(|| entity(words, from, to))?
        };
        found.extend((0..words.len()).find_map(lower_case));
    }
    found
}

fn entity(words: &[Word], from: usize, to: usize) -> Option<Entity> {
    let bare = |word: &Word| {
        word.raw
            .trim_end_matches("'s")
            .trim_end_matches("’s")
            .to_owned()
    };
    let text = words[from..to]
        .iter()
        .map(bare)
        .collect::<Vec<_>>()
        .join(" ");
    (text.chars().count() > 1).then(|| Entity::new(Kind::Name, (from, to), text, 0))
}

/// Name in a run of capitalized words.
fn name(words: &[Word], from: usize, to: usize) -> Option<Entity> {
    if let Some(title) =
        (from..to).find(|place| one_of(&words[*place].text, "mr mrs ms miss dr mister"))
    {
        return entity(words, title + 1, to);
    }
    // The first word of a sentence is always capitalized.
    let unknown = |word: &Word| {
        !word.corrected && !is_known(&word.text) || !word.first && !is_listed(&word.text)
    };
    let start = (from..to).find(|place| unknown(&words[*place]))?;
    let end = (start + 2..to)
        .find(|place| is_known(&words[*place].text))
        .unwrap_or(to);
    entity(words, start, end)
}
