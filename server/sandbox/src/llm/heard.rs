//! A sentence as it was understood: its words mended, and what they name.

mod clauses;
mod corrections;
mod days;
pub mod forms;
mod ids;
mod money;
mod names;
mod numbers;
pub mod pattern;
mod people;
mod slots;
mod words;

pub use days::Span;
pub use slots::Slots;
pub use words::{Pause, Word};

use jiff::civil::Date;
use pattern::patterns;

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
        let words = corrections::settled(words::read(source), today);
        let slots = Slots::read(&words, today);
        Self { source: source.to_owned(), words, slots }
    }

    /// Its parts, where it may have asked for several things.
    pub fn clauses(&self, today: Date) -> Vec<Self> {
        clauses::split(&self.words).into_iter().map(|words| Self::part(words, today)).collect()
    }

    /// Its sentences.
    pub fn sentences(&self, today: Date) -> Vec<Self> {
        let parts = self.words.split_inclusive(|word| word.pause >= Pause::Stop);
        parts.map(|words| Self::part(words, today)).collect()
    }

    /// A part of a sentence, by itself.
    pub fn part(words: &[Word], today: Date) -> Self {
        let source = words::tidy(words);
        Self { source, slots: Slots::read(words, today), words: words.to_vec() }
    }

    /// Whether one of these patterns (`check out | pay* the bill`, see `pattern.rs`) occurs.
    pub fn any(&self, phrases: &'static str) -> bool {
        self.at(phrases).is_some()
    }

    /// Where the first of these patterns begins.
    pub fn at(&self, phrases: &'static str) -> Option<usize> {
        (0..self.words.len()).find(|start| self.fits(phrases, *start))
    }

    /// Whether the pattern occurs and a part of the sentence ends with it: `check Beth Gibbs in`.
    pub fn closes(&self, phrases: &'static str) -> bool {
        const AFTER: [&str; 7] = ["please", "now", "for", "to", "under", "today", "tonight"];
        let ends = |start| patterns(phrases).iter().filter_map(move |pattern| pattern.ends(&self.words, start));
        (0..self.words.len()).flat_map(ends).any(|end| {
            let next = self.words.get(end).map(|word| word.text.as_str());
            self.words[end - 1].pause > Pause::None || next.is_none_or(|next| AFTER.contains(&next))
        })
    }

    /// Whether one of these patterns occurs and is not denied: `don't cancel`, `not leaving yet`.
    pub fn wants(&self, phrases: &'static str) -> bool {
        (0..self.words.len()).any(|start| self.fits(phrases, start) && !self.denied(start))
    }

    /// Whether what begins at `place` is denied by a word shortly before it.
    pub fn denied(&self, place: usize) -> bool {
        const DENIALS: [&str; 4] = ["not", "never", "without", "nobody"];
        let near = self.words[..place].iter().rev().take(4).take_while(|word| word.pause == Pause::None);
        near.take_while(|word| !matches!(word.text.as_str(), "but" | "and" | "so" | "why"))
            .any(|word| DENIALS.contains(&word.text.as_str()))
    }

    /// Whether it begins with one of these phrases, greetings and courtesies aside.
    pub fn begins(&self, phrases: &'static str) -> bool {
        const COURTESY: [&str; 12] =
            ["please", "hello", "hi", "hey", "ok", "okay", "so", "and", "well", "kindly", "good", "morning"];
        let first = self.words.iter().position(|word| !COURTESY.contains(&word.text.as_str())).unwrap_or(0);
        self.fits(phrases, first)
    }

    /// Whether one of these patterns begins at this place.
    pub fn fits(&self, phrases: &'static str, place: usize) -> bool {
        patterns(phrases).iter().any(|pattern| pattern.ends(&self.words, place).is_some())
    }

    /// Whether it asks rather than tells.
    pub fn asks(&self) -> bool {
        // `Please have it sent up`, `what a morning` ask for no answer.
        let tells = self.any("please have/do") || self.begins("what a/an");
        const WORDS: &str = "what | which | who | whom | when | where | how | why | is | are | was | were | has | have you/we/i/they/any/anybody/anyone/somebody/someone/my/our/there/those/these/all/both/mr/mrs/ms | did | does | do \
            | am | any | anything | whose";
        self.words.iter().any(|word| word.pause == Pause::Question) || !tells && self.begins(WORDS)
    }

    /// Whether it wants to be told or shown something, however politely: nothing is done or ordered by it.
    pub fn inquires(&self) -> bool {
        const TELL: &str = "tell me what/which/who/when/where/whether/how/if | know what/which/who/when/whether \
            | show me | show us | let me see | list of | let me know what/which/who/when/whether | remind me what/which/who/when";
        let exclaims = self.any("what a/an");
        self.any(TELL)
            || !exclaims && self.begins("what | which | who | whose | when | how many | how much | show | list")
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
    // A family goes by its name in the plural: the Martins.
    let family = |part: &str| part.len() > 4 && part.strip_suffix('s').is_some_and(|one| email.contains(one));
    parts.split([' ', '-']).any(|part| part.len() > 1 && email.contains(part) || family(part))
}
