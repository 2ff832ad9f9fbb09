//! Words of a text: split, corrected, and stemmed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::concept_phrases;

/// Correctly spelled words.
static KNOWN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let english = include_str!("lexicon/english.txt").split_whitespace();
    let words = english.chain(HOTEL.iter().copied());
    words.chain(SHORT.keys().copied()).collect()
});
static KNOWN_STEMS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| KNOWN.iter().map(|word| stem(word)).collect());
/// Correction targets: words of the lexicon.
static HOTEL: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let listed = |word: &&str| is_plain(word) && !SHORT.contains_key(word);
    concept_phrases::vocabulary().filter(listed).collect()
});
/// Abbreviations, and misspellings too far from the word to be found by their letters.
static SHORT: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("lexicon/short_forms.txt").lines();
    lines.filter_map(|line| line.split_once(' ')).collect()
});

#[derive(Clone, Debug, Default)]
pub struct Word {
    /// Lowercase, without accents, corrected.
    pub text: String,
    /// As written; empty for all but the first word of an expanded abbreviation.
    pub raw: String,
    /// Punctuation after it: ` ` for none, `,` also for a dash or a colon, `.`, or `?`.
    pub pause: char,
    /// Whether it starts a sentence, and so is capitalized in any case.
    pub first: bool,
    /// Whether it is a possessive: `Sarah's`.
    pub owner: bool,
}

impl Word {
    /// Whether it is capitalized because it is a name, or after one.
    pub fn is_name(&self, after_name: bool) -> bool {
        let known = KNOWN.contains(self.text.as_str()) || self.first && is_known(&self.text);
        self.raw.starts_with(char::is_uppercase) && (after_name || !known)
    }
}

/// Whether a text is in a list separated by spaces.
pub fn one_of(text: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == text)
}

/// Splits a text into words.
pub fn read(source: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let outside = |letter: char| !letter.is_alphanumeric() && !"$€£+@".contains(letter);
    for chunk in source.split_whitespace() {
        let first = words.last().is_none_or(|last| last.pause >= '.');
        let mut raw = chunk.trim_matches(outside).trim_end_matches(['+', '@']);
        let (text, owner) = match chunk {
            "+" | "&" => ("and".to_owned(), false),
            "-" | "–" | "->" => ("to".to_owned(), false),
            _ => expand(raw, first),
        };
        for (place, text) in text.split_whitespace().enumerate() {
            words.push(Word {
                text: text.to_owned(),
                raw: std::mem::take(&mut raw).to_owned(),
                pause: ' ',
                first: first && place == 0,
                owner,
            });
        }
        if let Some(last) = words.last_mut() {
            last.pause = last.pause.max(pause(chunk));
        }
    }
    // What looks misspelled beside an unknown word is a name: `beth gibbs`.
    let unknown = |word: &Word| word.raw.len() > 2 && is_plain(&word.raw) && !is_known(&word.text);
    let unknown: Vec<bool> = words.iter().map(unknown).collect();
    for (place, word) in words.iter_mut().enumerate() {
        let near = &unknown[place.saturating_sub(1)..unknown.len().min(place + 2)];
        if near.contains(&true) && correct(&fold(&word.raw)).is_some() {
            word.text = fold(&word.raw);
        }
    }
    words
}

fn pause(chunk: &str) -> char {
    let tail = chunk.rsplit(char::is_alphanumeric).next().unwrap_or(chunk);
    match () {
        () if one_of(chunk, "Mr. Mrs. Ms. Dr.") => ' ',
        () if tail.contains('?') => '?',
        () if tail.contains(['.', '!']) => '.',
        () if tail.contains([',', ';', ':', '—']) => ',',
        () => ' ',
    }
}

/// Words of one written word, and whether it is a possessive.
fn expand(core: &str, first: bool) -> (String, bool) {
    let plain = fold(core);
    if let Some(short) = SHORT.get(plain.as_str()) {
        return ((*short).to_owned(), false);
    }
    if let Some(owner) = plain.strip_suffix("'s").or(plain.strip_suffix('\'')) {
        return (owner.to_owned(), true);
    }
    let coded = plain.contains(|letter: char| letter.is_ascii_digit() || "@_".contains(letter));
    let text = match plain.split_once('-') {
        _ if plain.ends_with("n't") => plain.replace("n't", " not"),
        Some((from, to)) if is_day(from) && is_day(to) => format!("{from} to {to}"),
        Some(_) if !coded => plain.replace('-', " "),
        _ => plain,
    };
    // A capital inside a sentence marks a name, not a misspelling.
    let capital = core.starts_with(char::is_uppercase) && core.contains(char::is_lowercase);
    let is_name = !first && capital && text.len() <= 7;
    let meant = correct(&text).filter(|_| !is_name).map(str::to_owned);
    (meant.unwrap_or(text), false)
}

/// Whether it can be a side of `mon-wed` or `12-14`.
fn is_day(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && !text.is_empty() || one_of(text, "mon tue wed thu fri sat sun")
}

/// Correction of a misspelled word: one letter is missing, added, wrong, or swapped.
fn correct(word: &str) -> Option<&'static str> {
    if word.len() < 4 || !is_plain(word) || is_known(word) {
        return None;
    }
    let is_close = |meant: &&&str| {
        let alike = meant.len() > 3 && word.len().abs_diff(meant.len()) < 2;
        alike && meant[..1] == word[..1] && strsim::osa_distance(word, meant) == 1
    };
    HOTEL.iter().find(is_close).copied()
}

/// Whether it is a word of the language, or the form of one.
pub fn is_known(word: &str) -> bool {
    let formed = || Some(stem(word)).filter(|stem| word.len() > 4 && stem != word);
    KNOWN.contains(word) || formed().is_some_and(|stem| KNOWN_STEMS.contains(&stem))
}

fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Common stem of a word's forms: `cancel` for `cancels`, `cancelled`, `cancelling`.
pub fn stem(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

/// Lowercase text without accents.
pub fn fold(text: &str) -> String {
    let letters = text.nfd().filter(|letter| !is_combining_mark(*letter));
    let text = letters.collect::<String>().to_lowercase();
    text.replace(['’', '‘', '`'], "'").replace('–', "-")
}
