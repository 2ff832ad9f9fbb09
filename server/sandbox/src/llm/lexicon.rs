//! Hotel concepts, with everyday English words and phrases for each.
//!
//! They are in `lexicon/concepts.txt`: `[name]`, then phrases separated by commas. Words are
//! compared by their stems, and `_` stands for up to four words. A concept `=Value` is a value of
//! an argument, and its words are compared exactly. Section `-` is only vocabulary.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::sentence::{Pause, Word, stem};

const TEXT: &str = include_str!("lexicon/concepts.txt");
/// Maximum number of words in a gap.
const GAP: usize = 4;

/// Concept with the words of one of its phrases.
type Phrase = (&'static str, Vec<&'static str>);

/// Phrases by the stem of their first word.
static PHRASES: LazyLock<BTreeMap<&str, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: BTreeMap<&str, Vec<Phrase>> = BTreeMap::new();
    for (concept, text) in sections().filter(|(name, _)| *name != "-") {
        for phrase in text.split([',', '\n']) {
            let words: Vec<&str> = phrase.split_whitespace().collect();
            if let Some(first) = words.first() {
                phrases
                    .entry(stem(first))
                    .or_default()
                    .push((concept, words));
            }
        }
    }
    phrases
});

fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXT.split('[')
        .filter_map(|section| section.split_once(']'))
}

/// All words of the lexicon.
pub fn words() -> impl Iterator<Item = &'static str> {
    sections()
        .flat_map(|(_, text)| text.split([',', '\n', ' ']))
        .filter(|word| word.len() > 1)
}

/// Concept found in a sentence.
pub struct Match {
    pub concept: &'static str,
    /// Index of its first word.
    pub from: usize,
    /// Index after its last word.
    pub to: usize,
}

/// Concepts of a sentence, in order.
pub fn matches(words: &[Word]) -> Vec<Match> {
    let mut found = Vec::new();
    for (from, first) in words.iter().enumerate() {
        for (concept, phrase) in PHRASES.get(stem(&first.text)).into_iter().flatten() {
            let to = end(phrase, concept.starts_with('='), words, from);
            found.extend(to.map(|to| Match { concept, from, to }));
        }
    }
    found
}

/// End of a phrase that starts at a word; `exact` compares words rather than stems.
fn end(phrase: &[&str], exact: bool, words: &[Word], place: usize) -> Option<usize> {
    let Some((part, rest)) = phrase.split_first() else {
        return Some(place);
    };
    if *part != "_" {
        let same = |word: &Word| word.text == *part || !exact && stem(&word.text) == stem(part);
        let found = words.get(place).is_some_and(same);
        return found.then(|| end(rest, exact, words, place + 1))?;
    }
    let joined = |to: &usize| {
        let gap = words.get(place - 1..*to);
        gap.is_some_and(|words| words.iter().all(|word| word.pause < Pause::Stop))
    };
    let mut ends = (place..=place + GAP).take_while(joined);
    ends.find_map(|to| end(rest, exact, words, to))
}
