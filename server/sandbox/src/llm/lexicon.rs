//! What words stand for: concepts of a hotel, each with the words and phrases that everyday English has for it.
//!
//! `lexicon/*.txt` holds them: `[name]`, then phrases between commas, written as patterns are (`heard/pattern.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::heard::pattern::Pattern;
use super::heard::{Word, forms};

static CONCEPTS: LazyLock<BTreeMap<&str, Concept>> = LazyLock::new(|| {
    let mut concepts: BTreeMap<&str, Concept> = BTreeMap::new();
    for (name, phrases) in FILES.iter().flat_map(|file| sections(file)) {
        concepts.entry(name).or_default().learn(phrases);
    }
    concepts
});

const FILES: [&str; 6] = [
    include_str!("lexicon/services.txt"),
    include_str!("lexicon/defects.txt"),
    include_str!("lexicon/stays.txt"),
    include_str!("lexicon/money.txt"),
    include_str!("lexicon/rooms.txt"),
    include_str!("lexicon/gist.txt"),
];

static NONE: Concept = Concept { words: BTreeSet::new(), phrases: Vec::new() };

/// The words of one concept.
#[derive(Clone, Debug, Default)]
pub struct Concept {
    /// Single words, in every form.
    words: BTreeSet<String>,
    /// What takes several words.
    phrases: Vec<Pattern>,
}

impl Concept {
    fn learn(&mut self, text: &'static str) {
        for phrase in text.split([',', '\n']).map(str::trim).filter(|phrase| !phrase.is_empty()) {
            match phrase.strip_suffix('*') {
                _ if phrase.contains([' ', '@', '/']) => self.phrases.push(Pattern::read(phrase)),
                Some(base) => self.words.extend(forms::of(base)),
                None => self.words.extend([phrase.to_owned(), format!("{phrase}s")]),
            }
        }
    }

    /// Where its words end that begin at `place`.
    pub fn ends(&self, words: &[Word], place: usize) -> Vec<usize> {
        let mut ends: Vec<usize> = self.phrases.iter().filter_map(|phrase| phrase.ends(words, place)).collect();
        if words.get(place).is_some_and(|word| self.words.contains(&word.text)) {
            ends.push(place + 1);
        }
        ends
    }
}

/// The concept of that name; one without words where there is none.
pub fn concept(name: &str) -> &'static Concept {
    CONCEPTS.get(name).unwrap_or(&NONE)
}

/// Every word of the lexicon, in every form: what slips are mended to.
pub fn words() -> impl Iterator<Item = String> {
    let parts =
        FILES.iter().flat_map(|file| sections(file)).flat_map(|(_, phrases)| phrases.split([',', '\n', ' ', '/']));
    parts
        .flat_map(|part| part.strip_suffix('*').map_or_else(|| vec![part.to_owned()], forms::of))
        .filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// `[name]` and what follows up to the next one; lines that begin with `#` are for people.
fn sections(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.split("\n[").filter_map(|part| part.trim_start_matches('[').split_once(']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_concept_has_words_and_every_name_used_exists() {
        for (name, concept) in CONCEPTS.iter() {
            assert!(!concept.words.is_empty() || !concept.phrases.is_empty(), "{name}");
        }
        for phrase in CONCEPTS.values().flat_map(|concept| &concept.phrases) {
            for name in phrase.concepts() {
                assert!(CONCEPTS.contains_key(name), "{phrase:?}: there is no @{name}");
            }
        }
    }
}
