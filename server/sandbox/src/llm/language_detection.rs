//! Recognition of languages that the model does not speak, by their most frequent words.

use super::tokenizer::one_of;

/// Frequent words by language: `code: words`.
const WORDS: &str = include_str!("languages.txt");

/// Code of the language of a text, if it is not English.
pub fn detect_foreign_language(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let count = |list: &str| words.iter().filter(|word| one_of(word, list)).count();
    let lists = WORDS.lines().filter_map(|line| line.split_once(": "));
    let counts = lists.map(|(code, list)| (count(list), code));
    let (found, code) = counts.max_by_key(|(count, code)| (*count, *code == "en"))?;
    // One word may be a name or a dish, unless there is little else.
    let enough = found > 1 && found * 3 >= words.len() || words.len() == 1 && found == 1;
    (code != "en" && enough).then_some(code)
}
