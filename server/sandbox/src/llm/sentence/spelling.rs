//! Spelling correction and stemming.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::words::fold;
use crate::llm::{examples, lexicon};

/// Correctly spelled words.
static KNOWN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let english = include_str!("../lexicon/english.txt").split_whitespace();
    english
        .chain(HOTEL.iter().map(String::as_str))
        .chain(SHORT.keys().copied())
        .collect()
});
/// Correction targets: words of the lexicon, and frequent words of the examples.
static HOTEL: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for says in examples::well_spelled() {
        // Capitalized words and addresses are names.
        for chunk in says
            .split_whitespace()
            .filter(|chunk| !chunk.contains('@') && !chunk.starts_with(char::is_uppercase))
        {
            *times
                .entry(fold(
                    chunk.trim_matches(|letter: char| !letter.is_alphanumeric()),
                ))
                .or_default() += 1;
        }
    }
    let often = times
        .into_iter()
        .filter(|(word, times)| *times > 2 && word.len() > 2)
        .map(|(word, _)| word);
    let words = often.chain(lexicon::words().map(str::to_owned));
    words
        .filter(|word| {
            word.bytes().all(|byte| byte.is_ascii_lowercase()) && !SHORT.contains_key(word.as_str())
        })
        .collect()
});
/// Abbreviations, and misspellings too far from the word to be found by their letters.
static SHORT: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    include_str!("../lexicon/short_forms.txt")
        .lines()
        .filter_map(|line| line.split_once(' '))
        .collect()
});

/// Whether it is a dictionary word rather than a name.
pub fn is_known(word: &str) -> bool {
    let formed = |(end, other): &(&str, &str)| {
        word.strip_suffix(end)
            .is_some_and(|base| KNOWN.contains(format!("{base}{other}").as_str()))
    };
    const ENDS: [(&str, &str); 9] = [
        ("s", ""),
        ("es", ""),
        ("ed", ""),
        ("d", ""),
        ("ing", ""),
        ("ing", "e"),
        ("ly", ""),
        ("ies", "y"),
        ("er", ""),
    ];
    KNOWN.contains(word) || word.len() > 4 && ENDS.iter().any(formed)
}

/// Whether the word itself is listed.
pub fn is_listed(word: &str) -> bool {
    KNOWN.contains(word)
}

/// Expansion of an abbreviation.
pub fn short(word: &str) -> Option<&'static str> {
    SHORT.get(word).copied()
}

/// Correction of a misspelled word; `None` if it is correct or ambiguous.
pub fn correct(word: &str) -> Option<&'static str> {
    if word.len() < 4 || is_known(word) || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let begins = |meant: &&String| meant.len() > 3 && meant.as_bytes()[0] == word.as_bytes()[0];
    let close = HOTEL
        .iter()
        .filter(begins)
        .filter(|meant| is_slip(word, meant));
    close
        .map(String::as_str)
        .min_by_key(|meant| !is_within(word, meant))
}

/// Whether the letters of a word occur in another in order: `closd` in `closed`.
fn is_within(word: &str, meant: &str) -> bool {
    let mut letters = meant.bytes();
    word.bytes()
        .all(|letter| letters.any(|other| other == letter))
}

/// Whether one letter is missing, added, wrong, or swapped with its neighbor.
fn is_slip(word: &str, meant: &str) -> bool {
    let (word, meant) = (word.as_bytes(), meant.as_bytes());
    let same = word
        .iter()
        .zip(meant)
        .take_while(|(one, other)| one == other)
        .count();
    let (word, meant) = (&word[same..], &meant[same..]);
    match (word, meant) {
        ([_, rest @ ..], [_, other @ ..]) if rest == other || rest == meant || word == other => {
            true
        }
        ([one, two, rest @ ..], [first, second, other @ ..]) => {
            (one, two, rest) == (second, first, other)
        }
        ([], [_]) | ([_], []) => true,
        _ => false,
    }
}

/// Common stem of a word's forms: `cancel` for `cancels`, `cancelled`, `cancelling`.
pub fn stem(word: &str) -> &str {
    let end = ["ing", "ed", "es", "s", "e"]
        .iter()
        .find_map(|end| word.strip_suffix(end).filter(|stem| stem.len() > 2));
    let stem = end.unwrap_or(word);
    let mut letters = stem.bytes().rev();
    let doubled = stem.is_ascii() && stem.len() > 3 && letters.next() == letters.next();
    if doubled {
        &stem[..stem.len() - 1]
    } else {
        stem
    }
}
