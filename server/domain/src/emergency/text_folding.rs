//! Text normalized for comparison: lower case, without accents, apostrophes and repeated letters,
//! split into words.

use unicode_normalization::UnicodeNormalization;

use super::MAX_LENGTH;

/// Maximum number of letters that one folds to. A Korean syllable has three; rare signs of up to 18
/// count as several.
const LETTERS_PER_CHARACTER: usize = 3;

/// The beginning of a text, as much as a person may send in a message, and the end of a longer one.
pub(super) fn excerpts(text: &str) -> impl Iterator<Item = String> {
    let shown = || text.trim().chars().filter(|c| !is_left_out(*c));
    let end = shown().nth(MAX_LENGTH).map(|_| {
        let mut end: Vec<char> = shown().rev().take(MAX_LENGTH).collect();
        end.reverse();
        end.into_iter().collect()
    });
    std::iter::once(shown().take(MAX_LENGTH).collect()).chain(end)
}

/// Folds an excerpt, or a phrase in the same way.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut run = (None, 0);
    let letters = text
        .chars()
        .filter(|c| !is_left_out(*c))
        .nfkd()
        .flat_map(char::to_lowercase)
        .nfkd()
        .filter(|c| !is_mark(*c))
        .take(LETTERS_PER_CHARACTER * MAX_LENGTH);
    for letter in letters.map(plain) {
        run = if run.0 == Some(letter) {
            (run.0, run.1 + 1)
        } else {
            (Some(letter), 1)
        };
        // "fiiiire" is "fire"; words with a double letter keep it
        let stretched = letter.is_alphabetic() && run.1 >= 3;
        if stretched && run.1 == 3 {
            folded.pop();
        }
        if !stretched {
            match spelled(letter) {
                Some(letters) => folded.push_str(letters),
                None => folded.push(letter),
            }
        }
    }
    folded
}

/// Stands between two sentences.
pub(super) const END: &str = ".";

/// Words of a folded text, with `END` between its sentences.
pub(super) fn sentences(folded: &str) -> Vec<&str> {
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '。' | '؟' | '।');
    // Somebody out of breath writes "I can't... breathe", and breaks lines anywhere
    let parts = folded.split("..").map(|part| part.trim_start_matches('.'));
    let mut words = Vec::new();
    let end = |words: &mut Vec<&str>| {
        if words.last().is_some_and(|last| *last != END) {
            words.push(END);
        }
    };
    for part in parts {
        for (n, sentence) in part.split(ends).enumerate() {
            if n > 0 {
                end(&mut words);
            }
            words.extend(tokens(sentence));
        }
    }
    end(&mut words);
    words
}

/// Words of a folded text.
pub(super) fn tokens(folded: &str) -> Vec<&str> {
    folded
        .split(|c: char| !is_letter(c))
        .filter(|word| !word.is_empty())
        .map(without_article)
        .collect()
}

/// An Arabic word without its article, and without the preposition joined to that.
fn without_article(word: &str) -> &str {
    ["وبال", "بال", "وال", "فال", "لل", "ال"]
        .iter()
        .filter_map(|article| word.strip_prefix(article))
        .find(|rest| rest.chars().count() >= 3)
        .unwrap_or(word)
}

/// Chinese, Japanese, Thai and similar scripts.
pub(super) const fn writes_no_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Apostrophes ("can't", "can’t", "cant"), soft hyphens, joiners, direction marks and the Arabic
/// tatweel.
const fn is_left_out(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´' | 'ʼ' | '\u{ad}' | '\u{640}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Accents of Latin, Greek and Cyrillic letters, vowel marks of Hebrew and Arabic. Marks of other
/// scripts count as letters.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Letters people type interchangeably.
const fn plain(c: char) -> char {
    match c {
        'ı' => 'i',
        'ł' => 'l',
        'ø' => 'o',
        'đ' | 'ð' => 'd',
        'ς' => 'σ',
        'ґ' => 'г',
        'ى' | 'ی' | 'ے' => 'ي',
        'ک' => 'ك',
        'ة' | 'ہ' | 'ھ' => 'ه',
        'ٱ' => 'ا',
        other => other,
    }
}

/// Letters with a two-letter spelling.
const fn spelled(c: char) -> Option<&'static str> {
    match c {
        'æ' => Some("ae"),
        'œ' => Some("oe"),
        'ß' => Some("ss"),
        'þ' => Some("th"),
        _ => None,
    }
}

/// Letters, digits, and the marks of Indian and Thai scripts.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
        || (matches!(c, '\u{900}'..='\u{eff}')
            && !matches!(c, '\u{964}' | '\u{965}' | '\u{e3f}' | '\u{e4f}'))
        || matches!(c, '\u{3099}' | '\u{309a}')
}
