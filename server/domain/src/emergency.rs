//! Detection of emergencies in messages, in the languages a phone offers. A match alerts people
//! before any limit applies.
//!
//! The phrases are data (`emergency/words.txt` explains the format). This module only matches them:
//! regardless of case, accents, apostrophes, letter width and punctuation; by whole words; and
//! anywhere in scripts without spaces. `emergency/sentences.txt` measures them.

mod pattern;
mod text_folding;

use std::sync::LazyLock;

use pattern::{Groups, Phrase};
use text_folding::{END, fold, sentences};

const WORDS: &str = include_str!("emergency/words.txt");
/// A phrase may belong to several languages; the answer uses at most this many.
const MAX_ANSWERS: usize = 3;

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| parse(WORDS));

/// A message that reports danger to people, or what may be danger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emergency {
    /// Whether it only may be danger: handled alike, but labeled as possible.
    pub possible: bool,
    /// Codes of the matching languages, most likely first.
    pub languages: Vec<&'static str>,
    sentences: Vec<&'static str>,
}

impl Emergency {
    /// The answer in the writer's language: call the emergency number first, or in case of danger;
    /// staff have been alerted. If several languages match, that of the writer's pages is enough.
    #[must_use]
    pub fn answer(&self, emergency_number: Option<&str>, page_language: &str) -> String {
        let written = self.languages.iter().zip(&self.sentences);
        let read = written.clone().find(|(code, _)| **code == page_language);
        let sentences = read.map_or_else(|| written.collect(), |read| vec![read]);
        let filled = sentences
            .into_iter()
            .map(|(_, sentence)| with_number(sentence, emergency_number));
        filled.collect::<Vec<_>>().join("\n")
    }
}

/// First words of a case about an emergency, certain or possible.
const CASE_LABELS: [&str; 2] = ["EMERGENCY", "EMERGENCY (possible)"];
/// Where it was reported.
const IN_THE_CHAT: &str = " in the chat: ";

/// Label of the case of an emergency.
#[must_use]
pub const fn case_label(possible: bool) -> &'static str {
    CASE_LABELS[possible as usize]
}

/// Description of the case for a message that reports an emergency.
#[must_use]
pub fn case_description(message: &str, possible: bool) -> String {
    format!("{}{IN_THE_CHAT}{message}", case_label(possible))
}

/// Message that such a case was opened for, from its subject or its description.
#[must_use]
pub fn reported_message(case_text: &str) -> Option<&str> {
    CASE_LABELS
        .iter()
        .find_map(|label| case_text.strip_prefix(label)?.strip_prefix(IN_THE_CHAT))
}

/// Fills in `{words without a number|words with it: #}`, everywhere in a text.
#[must_use]
pub fn with_number(text: &str, number: Option<&str>) -> String {
    text.split('{')
        .map(|part| match (part.split_once('}'), number) {
            (Some((words, rest)), Some(number)) => {
                let words = words.split_once('|').map_or(words, |(_, with)| with);
                words.replace('#', number) + rest
            }
            (Some((words, rest)), None) => {
                words.split('|').next().unwrap_or_default().to_owned() + rest
            }
            (None, _) => part.to_owned(),
        })
        .collect()
}

/// Finds the emergency a message reports; `None` when there is none.
#[must_use]
pub fn find(text: &str) -> Option<Emergency> {
    // Most calls have no text, and none of the phrases is in it
    if text.trim().is_empty() {
        return None;
    }
    let folded = VOCABULARY.without_harmless_spellings(fold(text));
    let words = VOCABULARY.without_harmless_words(sentences(&folded));
    let joined: String = words.iter().copied().filter(|word| *word != END).collect();
    let found = |possible| VOCABULARY.matching(possible, &words, &joined);
    found(false).or_else(|| found(true))
}

#[derive(Debug, Default)]
struct Vocabulary {
    languages: Vec<Language>,
    /// Phrases that sound dangerous but are not, in all languages: many share their words.
    harmless: Vec<Phrase>,
}

impl Vocabulary {
    /// The emergency that these words report in the languages with the most matching phrases; of
    /// several, those that have the most of the other words in any phrase.
    fn matching(&self, possible: bool, words: &[&str], joined: &str) -> Option<Emergency> {
        let signs = self.languages.iter().map(|language| match possible {
            true => (language.code, &language.possible),
            false => (language.code, &language.certain),
        });
        let matches = signs.map(|(code, signs)| (signs.matches(words, joined), code, signs));
        let mut found: Vec<_> = matches.filter(|(count, ..)| *count > 0).collect();
        let most = found.iter().map(|(count, ..)| *count).max()?;
        found.retain(|(count, ..)| *count == most);
        if found.len() > 1 {
            for (known, _, signs) in &mut found {
                *known = words.iter().filter(|word| signs.has_word(word)).count();
            }
            let most = found.iter().map(|(known, ..)| *known).max();
            found.retain(|(known, ..)| Some(*known) == most);
        }
        found.truncate(MAX_ANSWERS);
        Some(Emergency {
            possible,
            languages: found.iter().map(|(_, code, _)| *code).collect(),
            sentences: found.iter().map(|(.., signs)| signs.answer).collect(),
        })
    }

    /// Takes out what is harmless in scripts without spaces.
    fn without_harmless_spellings(&self, folded: String) -> String {
        let texts = self.harmless.iter().flat_map(Phrase::spellings);
        texts.fold(folded, |left, text| match left.contains(text) {
            true => left.replace(text, " "),
            false => left,
        })
    }

    /// Takes out what is harmless in all other scripts.
    fn without_harmless_words<'a>(&self, mut words: Vec<&'a str>) -> Vec<&'a str> {
        for phrase in &self.harmless {
            phrase.take_out(&mut words);
        }
        words
    }
}

#[derive(Debug)]
struct Language {
    code: &'static str,
    certain: Signs,
    possible: Signs,
}

/// Phrases, and the answer to a message with one of them.
#[derive(Debug)]
struct Signs {
    answer: &'static str,
    phrases: Vec<Phrase>,
}

impl Signs {
    fn new(answer: &'static str) -> Self {
        Self {
            answer: answer.trim(),
            phrases: Vec::new(),
        }
    }

    /// Whether a word is in any of the phrases.
    fn has_word(&self, word: &str) -> bool {
        self.phrases.iter().any(|phrase| phrase.has_word(word))
    }

    /// Number of the phrases in the message.
    fn matches(&self, words: &[&str], joined: &str) -> usize {
        self.phrases
            .iter()
            .filter(|phrase| phrase.is_in(words, joined))
            .count()
    }
}

fn parse(text: &'static str) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    let mut groups = Groups::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some((code, answers)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            groups.clear();
            let (certain, possible) = answers.split_once(" | ").unwrap_or((answers, ""));
            vocabulary.languages.push(Language {
                code,
                certain: Signs::new(certain),
                possible: Signs::new(possible),
            });
        } else if let Some((name, list)) = line.strip_prefix('@').and_then(|l| l.split_once(" = "))
        {
            let wordings = pattern::group(list, &groups);
            groups.insert(name, wordings);
        } else if let Some(harmless) = line.strip_prefix('-') {
            vocabulary.harmless.push(Phrase::parse(harmless, &groups));
        } else if let Some(language) = vocabulary.languages.last_mut() {
            let (signs, phrase) = match line.strip_prefix('?') {
                Some(phrase) => (&mut language.possible, phrase),
                None => (&mut language.certain, line),
            };
            signs.phrases.push(Phrase::parse(phrase, &groups));
        }
    }
    vocabulary
}

#[cfg(test)]
mod tests;
