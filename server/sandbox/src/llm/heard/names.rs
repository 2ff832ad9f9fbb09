//! People's names.

use super::words::{Pause, Word};
use crate::llm::spelling::known;

const TITLES: &[&str] = &["mr", "mrs", "ms", "miss", "dr", "mister"];
/// What stands before a name in lower case.
const BEFORE: &[&[&str]] = &[
    &["find"],
    &["look", "up"],
    &["check", "in"],
    &["check", "out"],
    &["called"],
    &["named"],
    &["name", "of"],
    &["number", "of"],
    &["email", "of"],
    &["address", "of"],
    &["phone", "of"],
    &["name", "is"],
    &["who", "is"],
    &["guest"],
    &["refund"],
    &["search"],
];

/// The names in a sentence, without titles, in order.
pub fn names(words: &[Word]) -> Vec<String> {
    let mut found = Vec::new();
    let mut place = 0;
    while place < words.len() {
        let run = run(words, place);
        if run == 0 {
            place += 1;
            continue;
        }
        found.extend(name(&words[place..place + run]));
        place += run;
    }
    if found.is_empty() { lower_case(words) } else { found }
}

/// How many capitalised words stand together.
fn run(words: &[Word], from: usize) -> usize {
    let mut length = 0;
    for word in &words[from..] {
        if !(word.capital() && word.lettered()) {
            break;
        }
        length += 1;
        if word.pause > Pause::None || word.owner {
            break;
        }
    }
    length
}

fn name(mut run: &[Word]) -> Option<String> {
    let titled = run.iter().position(|word| TITLES.contains(&word.text.as_str()));
    if let Some(title) = titled {
        run = &run[title + 1..];
    }
    let unknown = |word: &Word| !known(&word.text) && !word.mended;
    if titled.is_none() {
        // What begins a sentence is written with a capital anyway, and so are the house's own words.
        let start = run.iter().position(|word| unknown(word) || !(word.first || house(word)))?;
        run = &run[start..];
        if !run.iter().any(unknown) || (run.len() == 1 && run[0].raw.chars().count() < 2) {
            return None;
        }
    }
    let end = run.iter().position(|word| house(word) && !word.mended).filter(|end| *end > 0).unwrap_or(run.len());
    let parts: Vec<&str> = run[..end].iter().map(|word| bare(&word.raw)).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Words of the house that are often written with a capital.
fn house(word: &Word) -> bool {
    const HOUSE: &[&str] = &[
        "deluxe",
        "standard",
        "suite",
        "penthouse",
        "facilities",
        "maintenance",
        "housekeeping",
        "concierge",
        "room",
        "service",
        "urgent",
        "i",
        "system",
        "booking",
        "case",
        "please",
    ];
    HOUSE.iter().any(|house| word.is(house))
}

fn bare(raw: &str) -> &str {
    raw.strip_suffix("'s").or_else(|| raw.strip_suffix("’s")).unwrap_or(raw)
}

fn lower_case(words: &[Word]) -> Vec<String> {
    let after = |from: usize| {
        // A first name may look like a slip of another word, beside a name that does not: `beth gibbs`.
        let unknown = |word: &Word| !known(&word.text) || word.mended && !known(&word.raw.to_lowercase());
        let end = words[from..].iter().take(3).take_while(|word| word.lettered() && unknown(word)).count();
        let end = if words[from..from + end].iter().all(|word| known(&word.text)) { 0 } else { end };
        let parts: Vec<&str> = words[from..from + end].iter().map(|word| bare(&word.raw)).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    };
    (0..words.len())
        .find_map(|place| {
            let before = BEFORE.iter().find(|before| {
                before
                    .iter()
                    .enumerate()
                    .all(|(offset, part)| words.get(place + offset).is_some_and(|word| word.is(part)))
            })?;
            after((place + before.len()).min(words.len()))
        })
        .into_iter()
        .collect()
}
