//! Words of a text: split, corrected, and stemmed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::{lexicon, sentence};

/// Correctly spelled words.
static KNOWN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let english = include_str!("lexicon/english.txt").split_whitespace();
    english
        .chain(HOTEL.iter().copied())
        .chain(SHORT.keys().copied())
        .collect()
});
static KNOWN_STEMS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| KNOWN.iter().map(|word| stem(word)).collect());
/// Correction targets: words of the lexicon.
static HOTEL: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let listed = |word: &&str| is_plain(word) && !SHORT.contains_key(word);
    lexicon::vocabulary().filter(listed).collect()
});
/// Abbreviations, and misspellings too far from the word to be found by their letters.
static SHORT: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("lexicon/short_forms.txt").lines();
    lines.filter_map(|line| line.split_once(' ')).collect()
});
static CHUNK: LazyLock<Regex> = LazyLock::new(|| sentence::regex(r"\S+"));
/// `mon-wed`, `12-14`.
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    const SIDE: &str = r"(?:\d+|mon|tue|wed|thu|fri|sat|sun)";
    sentence::regex(&format!("^{SIDE}-{SIDE}$"))
});

/// Punctuation after a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pause {
    #[default]
    None,
    /// Comma, dash or colon.
    Short,
    /// End of a sentence.
    Stop,
    Question,
}

/// Word.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// Lowercase, without accents, corrected.
    pub text: String,
    /// As written; empty for all but the first word of an expanded abbreviation.
    pub raw: String,
    /// Its place in the source.
    pub at: Range<usize>,
    pub pause: Pause,
    /// Whether it starts a sentence, and so is capitalized in any case.
    pub first: bool,
    /// Whether it is a possessive: `Sarah's`.
    pub owner: bool,
}

impl Word {
    /// Whether it is a word of the language, or the form of one.
    pub fn is_known(&self) -> bool {
        is_known(&self.text)
    }

    /// Whether it is capitalized.
    pub fn is_capital(&self) -> bool {
        self.raw.starts_with(char::is_uppercase)
    }

    /// Whether it is capitalized because it is a name.
    pub fn is_name(&self) -> bool {
        let listed = KNOWN.contains(self.text.as_str());
        self.is_capital() && !(listed || self.first && self.is_known())
    }
}

/// Whether a text is in a list separated by spaces.
pub fn one_of(text: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == text)
}

/// Splits a text into words.
pub fn read(source: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let outside = |letter: char| !letter.is_alphanumeric() && !"$+@".contains(letter);
    for chunk in CHUNK.find_iter(source) {
        let first = words.last().is_none_or(|last| last.pause >= Pause::Stop);
        let raw = chunk.as_str().trim_matches(outside);
        let raw = raw.trim_end_matches(['+', '@']);
        let (text, owner) = match chunk.as_str() {
            "+" | "&" => ("and".to_owned(), false),
            "-" | "–" | "->" => ("to".to_owned(), false),
            _ => expand(raw, first),
        };
        for (place, text) in text.split_whitespace().enumerate() {
            let (at, is_first) = (chunk.range(), place == 0);
            let raw = if is_first { raw } else { "" }.to_owned();
            let (text, first, pause) = (text.to_owned(), first && is_first, Pause::None);
            words.push(Word {
                text,
                raw,
                at,
                pause,
                first,
                owner,
            });
        }
        if let Some(last) = words.last_mut() {
            last.pause = last.pause.max(pause(chunk.as_str()));
        }
    }
    words
}

fn pause(chunk: &str) -> Pause {
    let tail = chunk.rsplit(char::is_alphanumeric).next().unwrap_or(chunk);
    match () {
        () if one_of(chunk, "Mr. Mrs. Ms. Dr.") => Pause::None,
        () if tail.contains('?') => Pause::Question,
        () if tail.contains(['.', '!']) => Pause::Stop,
        () if tail.contains([',', ';', ':', '—']) => Pause::Short,
        () => Pause::None,
    }
}

/// Words of one written word, and whether it is a possessive.
fn expand(core: &str, first: bool) -> (String, bool) {
    let plain = fold(core);
    if let Some(owner) = plain.strip_suffix("'s").or(plain.strip_suffix('\''))
        && !SHORT.contains_key(plain.as_str())
    {
        return (owner.to_owned(), true);
    }
    // A capital inside a sentence marks a name, not a misspelling.
    let capital = core.starts_with(char::is_uppercase) && core.contains(char::is_lowercase);
    let is_name = !first && capital && plain.len() <= 7;
    let text = if let Some(short) = SHORT.get(plain.as_str()) {
        (*short).to_owned()
    } else if let Some(stem) = plain.strip_suffix("n't") {
        format!("{stem} not")
    } else if RANGE.is_match(&plain) {
        plain.replace('-', " to ")
    } else if !plain.contains(|letter: char| letter.is_ascii_digit() || "@_".contains(letter)) {
        plain.replace('-', " ")
    } else {
        plain
    };
    let meant = correct(&text).filter(|_| !is_name).map(str::to_owned);
    (meant.unwrap_or(text), false)
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

fn is_known(word: &str) -> bool {
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
