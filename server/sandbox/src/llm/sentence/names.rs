//! Names of people.

use super::entities::{Entity, Kind};
use super::spelling::{is_known, is_listed};
use super::words::{Pause, Word, one_of};

/// Names in a sentence, without titles, in order.
pub fn read(words: &[Word], taken: &[Entity]) -> Vec<Entity> {
    let is_letter = |letter: char| letter.is_alphabetic() || "'’-".contains(letter);
    let free = |place: usize| {
        let covers = |entity: &Entity| (entity.from..entity.to).contains(&place);
        let raw = &words[place].raw;
        !raw.is_empty() && raw.chars().all(is_letter) && !taken.iter().any(covers)
    };
    let run = |from: usize, part: &dyn Fn(usize) -> bool| {
        let mut to = from;
        while to < words.len() && free(to) && part(to) {
            to += 1;
            if words[to - 1].pause > Pause::None || words[to - 1].owner {
                break;
            }
        }
        to
    };
    let capital = |place: usize| words[place].raw.starts_with(char::is_uppercase);
    let (mut found, mut place) = (Vec::new(), 0);
    while place < words.len() {
        let to = run(place, &capital);
        found.extend(name(words, place, to));
        place = to.max(place + 1);
    }
    // `beth gibbs is leaving`: two words in no dictionary, among others.
    let unknown = |place: usize| !words[place].corrected && !is_known(&words[place].text);
    let pairs = (0..words.len()).map(|from| (from, run(from, &unknown)));
    if let Some((from, to)) = pairs
        .into_iter()
        .find(|(from, to)| (2..words.len()).contains(&(to - from)))
        && found.is_empty()
    {
        found.push(entity(words, from, to));
    }
    found
}

fn entity(words: &[Word], from: usize, to: usize) -> Entity {
    let bare = |word: &Word| {
        word.raw
            .trim_end_matches("'s")
            .trim_end_matches("’s")
            .to_owned()
    };
    let parts: Vec<String> = words[from..to].iter().map(bare).collect();
    Entity::new(Kind::Name, (from, to), parts.join(" "), 0)
}

/// Name in a run of capitalized words.
fn name(words: &[Word], from: usize, to: usize) -> Option<Entity> {
    let is_title = |place: &usize| one_of(&words[*place].text, "mr mrs ms miss dr mister");
    if let Some(title) = (from..to).find(is_title).filter(|title| title + 1 < to) {
        return Some(entity(words, title + 1, to));
    }
    // The first word of a sentence is always capitalized.
    let unknown = |word: &Word| {
        !word.corrected && !is_known(&word.text) || !word.first && !is_listed(&word.text)
    };
    let start = (from..to).find(|place| unknown(&words[*place]))?;
    let end = (start + 2..to).find(|place| is_known(&words[*place].text));
    let found = entity(words, start, end.unwrap_or(to));
    (found.text.chars().count() > 1).then_some(found)
}
