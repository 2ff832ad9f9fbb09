//! Recognition of languages that the model does not speak, by their most frequent words.

use super::tokenizer::one_of;

/// Frequent words by language: `code: words`.
const WORDS: &str = include_str!("languages.txt");

/// Code of the language of a text, if it is not English. Of guests, a short text without an English
/// word is told by half of its words; of staff, it may be a name.
pub fn detect_foreign_language(text: &str, guest: bool) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let count = |list: &str| words.iter().filter(|word| one_of(word, list)).count();
    let lists = WORDS.lines().filter_map(|line| line.split_once(": "));
    let counts = lists.map(|(code, list)| (count(list), code));
    let (found, code) = counts.max_by_key(|(count, code)| (*count, *code == "en"))?;
    // One word may be a name or a dish, unless there is little else.
    let english = WORDS.lines().find_map(|line| line.strip_prefix("en: "));
    let none_english = english.is_some_and(|english| count(english) == 0);
    let enough = found > 1 && found * 3 >= words.len()
        || words.len() == 1 && found == 1
        || guest && none_english && found > 0 && found * 2 >= words.len();
    (code != "en" && enough).then_some(code)
}
