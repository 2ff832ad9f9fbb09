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
    // Capitalized words and addresses are names.
    let is_name = |chunk: &&str| chunk.contains('@') || chunk.starts_with(char::is_uppercase);
    let chunks = examples::well_spelled().flat_map(str::split_whitespace);
    for chunk in chunks.filter(|chunk| !is_name(chunk)) {
        let word = fold(chunk.trim_matches(|letter: char| !letter.is_alphanumeric()));
        *times.entry(word).or_default() += 1;
    }
    let often = times
        .into_iter()
        .filter(|(word, times)| *times > 2 && word.len() > 2);
    let words = often
        .map(|(word, _)| word)
        .chain(lexicon::words().map(str::to_owned));
    let plain = |word: &String| word.bytes().all(|byte| byte.is_ascii_lowercase());
    words
        .filter(|word| plain(word) && !SHORT.contains_key(word.as_str()))
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
    let mut close = HOTEL.iter().filter(begins);
    close
        .find(|meant| is_slip(word.as_bytes(), meant.as_bytes()))
        .map(String::as_str)
}

/// Whether one letter is missing, added, wrong, or swapped with its neighbor.
fn is_slip(word: &[u8], meant: &[u8]) -> bool {
    let pairs = word.iter().zip(meant);
    let same = pairs.take_while(|(one, other)| one == other).count();
    match (&word[same..], &meant[same..]) {
        ([one, two, rest @ ..], [first, second, other @ ..])
            if (one, two, rest) == (second, first, other) =>
        {
            true
        }
        ([_, rest @ ..], meant @ [_, other @ ..]) if rest == other || rest == meant => true,
        (word, [_, other @ ..]) => word == other,
        ([_], []) => true,
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
