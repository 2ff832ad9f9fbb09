//! Words of danger, in the languages a phone offers. Whoever hears one calls people, before any
//! limit on anything.
//!
//! The words are data (`emergency/words.txt`, where the format is explained); here they are only
//! matched: whatever the case, accents, apostrophes, width of letters or punctuation, by whole
//! words, and where a script writes no spaces, anywhere.

mod fold;

use std::sync::LazyLock;

use fold::{fold, tokens, writes_no_spaces};

const WORDS: &str = include_str!("emergency/words.txt");
/// A word may belong to several languages; so many are answered in.
const MOST_ANSWERS: usize = 3;

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| parse(WORDS));

/// A message that speaks of danger to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emergency {
    /// Codes of the languages whose words it may be in; the most likely first.
    pub languages: Vec<&'static str>,
    sentences: Vec<&'static str>,
}

impl Emergency {
    /// What its writer is told, in their language: to call the emergency number first, and that
    /// people have been told.
    #[must_use]
    pub fn answer(&self, emergency_number: Option<&str>) -> String {
        let number = emergency_number
            .map(|number| format!(": {number}"))
            .unwrap_or_default();
        self.sentences
            .iter()
            .map(|sentence| sentence.replace("{number}", &number))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// The danger a message speaks of; `None` when it speaks of none.
#[must_use]
pub fn find(text: &str) -> Option<Emergency> {
    let folded = fold(text);
    let words = tokens(&folded);
    let mut found: Vec<(usize, &Language)> = LANGUAGES
        .iter()
        .map(|language| (language.matches(&words), language))
        .filter(|(matches, _)| *matches > 0)
        .collect();
    let most = found.iter().map(|(matches, _)| *matches).max()?;
    found.retain(|(matches, _)| *matches == most);
    found.truncate(MOST_ANSWERS);
    Some(Emergency {
        languages: found.iter().map(|(_, language)| language.code).collect(),
        sentences: found
            .iter()
            .map(|(_, language)| language.sentence)
            .collect(),
    })
}

#[derive(Debug)]
struct Language {
    code: &'static str,
    sentence: &'static str,
    phrases: Vec<Phrase>,
    /// What sounds like danger and is none.
    harmless: Vec<Phrase>,
}

#[derive(Debug)]
struct Phrase {
    words: Vec<Word>,
    /// Only when the message holds nothing else.
    alone: bool,
    /// Looked for anywhere, for its script has no spaces.
    inside: bool,
}

#[derive(Debug)]
struct Word {
    text: String,
    /// Any ending.
    open: bool,
}

impl Language {
    /// How many of its phrases are in the message, what is harmless left out.
    fn matches(&self, words: &[&str]) -> usize {
        let mut left = words.to_vec();
        for phrase in &self.harmless {
            phrase.take_out(&mut left);
        }
        let joined = left.concat();
        self.phrases
            .iter()
            .filter(|phrase| phrase.is_in(&left, &joined))
            .count()
    }
}

impl Phrase {
    fn parse(line: &str) -> Self {
        let (alone, line) = line
            .strip_prefix('=')
            .map_or((false, line), |rest| (true, rest));
        let word = |written: &str| {
            let open = written.ends_with('*');
            let folded = fold(written.trim_end_matches('*'));
            let parts: Vec<String> = tokens(&folded).into_iter().map(str::to_owned).collect();
            let last = parts.len();
            parts
                .into_iter()
                .zip(1..)
                .map(move |(text, n)| Word {
                    text,
                    open: open && n == last,
                })
                .collect::<Vec<_>>()
        };
        let words: Vec<Word> = line.split_whitespace().flat_map(word).collect();
        let inside = words
            .iter()
            .any(|word| word.text.chars().any(writes_no_spaces));
        Self {
            words,
            alone,
            inside,
        }
    }

    fn begins_at(&self, words: &[&str]) -> bool {
        words.len() >= self.words.len()
            && self
                .words
                .iter()
                .zip(words)
                .all(|(word, there)| match word.open {
                    true => there.starts_with(&word.text),
                    false => *there == word.text,
                })
    }

    fn is_in(&self, words: &[&str], joined: &str) -> bool {
        if self.alone {
            return words.len() == self.words.len() && self.begins_at(words);
        }
        if self.inside {
            return joined.contains(
                &self
                    .words
                    .iter()
                    .map(|word| word.text.as_str())
                    .collect::<String>(),
            );
        }
        (0..words.len()).any(|from| words.get(from..).is_some_and(|rest| self.begins_at(rest)))
    }

    /// Leaves a gap, so that what stood around it is not read as one.
    fn take_out(&self, words: &mut [&str]) {
        for from in 0..words.len() {
            let there = words.get(from..).is_some_and(|rest| self.begins_at(rest));
            if let (true, Some(gap)) = (there, words.get_mut(from..from + self.words.len())) {
                gap.fill("");
            }
        }
    }
}

fn parse(text: &'static str) -> Vec<Language> {
    let mut languages: Vec<Language> = Vec::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some((code, sentence)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            let sentence = sentence.trim();
            languages.push(Language {
                code,
                sentence,
                phrases: Vec::new(),
                harmless: Vec::new(),
            });
        } else if let Some(language) = languages.last_mut() {
            match line.strip_prefix('-') {
                Some(harmless) => language.harmless.push(Phrase::parse(harmless)),
                None => language.phrases.push(Phrase::parse(line)),
            }
        }
    }
    languages
}

#[cfg(test)]
mod tests;
