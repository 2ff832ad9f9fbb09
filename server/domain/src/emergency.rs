//! Detection of emergencies in messages, in the languages a phone offers. A match alerts people
//! before any limit applies.
//!
//! The phrases are data (`emergency/words.txt` explains the format). This module only matches them:
//! regardless of case, accents, apostrophes, letter width and punctuation; by whole words; and
//! anywhere in scripts without spaces.

mod fold;

use std::sync::LazyLock;

use fold::{fold, tokens, writes_no_spaces};

const WORDS: &str = include_str!("emergency/words.txt");
/// A phrase may belong to several languages; the answer uses at most this many.
const MOST_ANSWERS: usize = 3;

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| parse(WORDS));

/// A message that reports danger to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emergency {
    /// Codes of the matching languages, most likely first.
    pub languages: Vec<&'static str>,
    sentences: Vec<&'static str>,
}

impl Emergency {
    /// The answer in the writer's language: call the emergency number first; staff have been
    /// alerted.
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

/// Finds the emergency a message reports; `None` when there is none.
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
    /// Phrases that sound dangerous but are not.
    harmless: Vec<Phrase>,
}

#[derive(Debug)]
struct Phrase {
    words: Vec<Word>,
    /// Matches only if the message contains nothing else.
    alone: bool,
    /// Matches anywhere, because its script has no spaces.
    inside: bool,
}

#[derive(Debug)]
struct Word {
    text: String,
    /// Matches any ending.
    open: bool,
}

impl Language {
    /// Number of its phrases in the message, without the harmless ones.
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

    /// Leaves a gap, so that the words around it do not join.
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
