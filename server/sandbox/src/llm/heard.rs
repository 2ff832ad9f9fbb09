//! A sentence as it was understood: its words mended, and what they name.

mod clauses;
mod days;
mod ids;
mod money;
mod names;
mod numbers;
mod people;
mod slots;
mod words;

pub use days::Span;
pub use slots::Slots;
pub use words::{Pause, Word};

use jiff::civil::Date;

/// What was heard, and what can be asked about it.
#[derive(Clone, Debug)]
pub struct Heard {
    /// As it was written.
    pub source: String,
    /// Its words.
    pub words: Vec<Word>,
    /// What they name.
    pub slots: Slots,
}

impl Heard {
    /// Understands a sentence said on `today`.
    pub fn new(source: &str, today: Date) -> Self {
        let words = words::read(source);
        let slots = Slots::read(&words, today);
        Self { source: source.to_owned(), words, slots }
    }

    /// Its parts, where it may have asked for several things.
    pub fn clauses(&self, today: Date) -> Vec<Self> {
        clauses::split(&self.words).into_iter().map(|words| Self::part(words, today)).collect()
    }

    fn part(words: &[Word], today: Date) -> Self {
        let source = words::tidy(words);
        Self { source, slots: Slots::read(words, today), words: words.to_vec() }
    }

    /// Whether one of these phrases (`check out | pay the bill`) occurs; nouns also in their plural.
    pub fn any(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| self.at(phrase.trim()).is_some())
    }

    /// Where a phrase begins.
    pub fn at(&self, phrase: &str) -> Option<usize> {
        let parts: Vec<&str> = phrase.split(' ').collect();
        (0..self.words.len()).find(|start| {
            self.words
                .get(*start..*start + parts.len())
                .is_some_and(|window| window.iter().zip(&parts).all(|(word, part)| word.is(part)))
        })
    }

    /// Whether it begins with one of these phrases, greetings and courtesies aside.
    pub fn begins(&self, phrases: &str) -> bool {
        const COURTESY: [&str; 12] =
            ["please", "hello", "hi", "hey", "ok", "okay", "so", "and", "well", "kindly", "good", "morning"];
        let first = self.words.iter().position(|word| !COURTESY.contains(&word.text.as_str())).unwrap_or(0);
        phrases.split('|').any(|phrase| self.at_place(phrase.trim(), first))
    }

    fn at_place(&self, phrase: &str, start: usize) -> bool {
        phrase
            .split(' ')
            .enumerate()
            .all(|(offset, part)| self.words.get(start + offset).is_some_and(|word| word.is(part)))
    }

    /// Whether it asks rather than tells.
    pub fn asks(&self) -> bool {
        const WORDS: &str = "what | which | who | whom | when | where | how | why | is | are | was | were | has | have | did | does | do \
            | am | any | anything | whose";
        self.words.iter().any(|word| word.pause == Pause::Question) || self.begins(WORDS)
    }

    /// Its words, mended, as a text for people.
    pub fn tidy(&self) -> String {
        words::tidy(&self.words)
    }
}

/// Whether a name may be that of an address: one of its parts is in it.
pub fn name_fits(name: &str, email: &str) -> bool {
    let email = words::folded(email);
    let parts = words::folded(name);
    parts.split([' ', '-']).any(|part| part.len() > 1 && email.contains(part))
}
