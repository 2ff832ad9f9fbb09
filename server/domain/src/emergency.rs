//! Detection of emergencies in messages, in the languages a phone offers. A match alerts people
//! before any limit applies.
//!
//! The phrases are data (`emergency/words.txt` explains the format). This module only matches them:
//! regardless of case, accents, apostrophes, letter width and punctuation; by whole words; and
//! anywhere in scripts without spaces. `emergency/sentences.txt` measures them.

mod lexicon;
mod phrase;
mod text_folding;

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use lexicon::{Lexicon, Reading};
use phrase::{Phrase, PhraseReader};
use text_folding::{excerpts, fold, sentences, writes_no_spaces};

const WORDS: &str = include_str!("emergency/words.txt");
/// Maximum number of characters of a message; of a longer text, this many are read at either end.
pub const MAX_LENGTH: usize = 2000;
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

/// Finds the emergency a message reports; `None` when there is none. Reads as much of the text as a
/// person may send, and the end of a longer one, in time proportional to that: never long enough to
/// hold up other requests, so it needs no thread of its own.
#[must_use]
pub fn find(text: &str) -> Option<Emergency> {
    // Most calls have no text, and none of the phrases is in it
    if text.trim().is_empty() {
        return None;
    }
    let found = excerpts(text).filter_map(|excerpt| VOCABULARY.find(&excerpt));
    found.min_by_key(|emergency| emergency.possible)
}

/// Parses the phrases, which takes longer than a request should; for the start of a process.
pub fn warm_up() {
    LazyLock::force(&VOCABULARY);
}

#[derive(Debug)]
struct Vocabulary {
    lexicon: Lexicon,
    languages: Vec<Language>,
    /// Phrases that sound dangerous but are not, in all languages: many share their words.
    harmless: Vec<Phrase>,
    /// Those of them in scripts without spaces.
    harmless_spellings: AhoCorasick,
}

impl Vocabulary {
    fn find(&self, text: &str) -> Option<Emergency> {
        let mut folded = fold(text);
        if folded.chars().any(writes_no_spaces) {
            folded = self.without_harmless_spellings(&folded);
        }
        let mut words = sentences(&folded);
        let reading = self.read(&mut words);
        let found = |possible| self.matching(possible, &reading);
        found(false).or_else(|| found(true))
    }

    /// The emergency that these words report in the languages with the most matching phrases; of
    /// several, those that have the most of the other words in any phrase.
    fn matching(&self, possible: bool, reading: &Reading) -> Option<Emergency> {
        let lists = self.languages.iter().enumerate().map(|(n, language)| {
            let signs = &language.signs[usize::from(possible)];
            (
                signs.matches(reading),
                2 * n + usize::from(possible),
                language.code,
                signs,
            )
        });
        let mut found: Vec<_> = lists.filter(|(count, ..)| *count > 0).collect();
        let most = found.iter().map(|(count, ..)| *count).max()?;
        found.retain(|(count, ..)| *count == most);
        if found.len() > 1 {
            for (known, list, ..) in &mut found {
                *known = reading.known(*list);
            }
            let most = found.iter().map(|(known, ..)| *known).max();
            found.retain(|(known, ..)| Some(*known) == most);
        }
        found.truncate(MAX_ANSWERS);
        Some(Emergency {
            possible,
            languages: found.iter().map(|(.., code, _)| *code).collect(),
            sentences: found.iter().map(|(.., signs)| signs.answer).collect(),
        })
    }

    /// Takes out what is harmless in scripts without spaces.
    fn without_harmless_spellings(&self, folded: &str) -> String {
        let gaps = vec![" "; self.harmless_spellings.patterns_len()];
        self.harmless_spellings.replace_all(folded, &gaps)
    }

    /// Finds the elements of phrases, without what is harmless in all other scripts.
    fn read(&self, words: &mut [&str]) -> Reading {
        let mut reading = self.lexicon.read(words);
        for phrase in &self.harmless {
            phrase.take_out(&mut reading);
        }
        let mut changed = false;
        for (at, word) in words.iter_mut().enumerate() {
            if reading.is_taken_out(at) {
                (*word, changed) = ("", true);
            }
        }
        match changed {
            true => self.lexicon.read(words),
            false => reading,
        }
    }
}

#[derive(Debug)]
struct Language {
    code: &'static str,
    /// Of danger, and of what may be danger.
    signs: [Signs; 2],
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

    /// Number of the phrases in the message.
    fn matches(&self, reading: &Reading) -> usize {
        let phrases = self.phrases.iter();
        phrases.filter(|phrase| phrase.is_in(reading)).count()
    }
}

#[expect(clippy::expect_used, reason = "the words are compiled in, and tested")]
fn parse(text: &'static str) -> Vocabulary {
    let (mut lexicon, mut reader) = (Lexicon::default(), PhraseReader::default());
    let (mut languages, mut harmless) = (Vec::<Language>::new(), Vec::new());
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some((code, answers)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            reader = PhraseReader::default();
            let (certain, possible) = answers.split_once(" | ").unwrap_or((answers, ""));
            languages.push(Language {
                code,
                signs: [certain, possible].map(Signs::new),
            });
        } else if let Some((name, list)) = line.strip_prefix('@').and_then(|l| l.split_once(" = "))
        {
            reader.add_group(name, list, &mut lexicon);
        } else if let Some(phrase) = line.strip_prefix('-') {
            harmless.push(reader.phrase(phrase, &mut lexicon));
        } else if let Some(language) = languages.last_mut() {
            let (possible, phrase) = match line.strip_prefix('?') {
                Some(phrase) => (1, phrase),
                None => (0, line),
            };
            let phrase = reader.phrase(phrase, &mut lexicon);
            language.signs[possible].phrases.push(phrase);
        }
    }
    for (n, language) in languages.iter().enumerate() {
        for (possible, signs) in language.signs.iter().enumerate() {
            for element in signs.phrases.iter().flat_map(Phrase::elements) {
                lexicon.note(element, 2 * n + possible);
            }
        }
    }
    lexicon.compile();
    let spellings = harmless
        .iter()
        .flat_map(|phrase: &Phrase| &phrase.spellings);
    let first = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(spellings);
    Vocabulary {
        lexicon,
        languages,
        harmless_spellings: first.expect("some hundred short texts"),
        harmless,
    }
}

#[cfg(test)]
mod tests;
