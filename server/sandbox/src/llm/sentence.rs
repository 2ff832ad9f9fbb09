//! Sentence parser: words and named entities.

mod dates;
mod entities;
mod names;
mod numbers;
mod spelling;
mod words;

use jiff::civil::Date;

pub use dates::{Days, add};
pub use entities::{Entity, Kind};
pub use spelling::stem;
pub use words::{Pause, Word, fold, one_of};

/// Parsed sentence.
#[derive(Clone, Debug)]
pub struct Sentence {
    pub source: String,
    pub words: Vec<Word>,
    /// Entities in order, without those that were corrected.
    pub entities: Vec<Entity>,
    pub days: Days,
}

impl Sentence {
    /// Parses a text relative to `today`.
    pub fn parse(source: &str, today: Date) -> Self {
        Self::of_words(words::read(source), source, today)
    }

    /// Parses a part of the sentence separately.
    pub fn part(&self, from: usize, to: usize, today: Date) -> Self {
        let words = self.words[from..to].to_vec();
        let source = words::tidy(&words);
        Self::of_words(words, &source, today)
    }

    fn of_words(words: Vec<Word>, source: &str, today: Date) -> Self {
        let mut entities = entities::read(&words, today);
        entities::correct(&words, &mut entities);
        let days = Days::read(&words, &entities, today);
        Self {
            source: source.to_owned(),
            words,
            entities,
            days,
        }
    }

    /// Entities of a kind, in order.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = &Entity> {
        self.entities
            .iter()
            .filter(move |entity| entity.kind == kind)
    }

    /// First entity of a kind.
    pub fn first(&self, kind: Kind) -> Option<&Entity> {
        self.all(kind).next()
    }

    /// Text of the first entity of a kind.
    pub fn text(&self, kind: Kind) -> Option<&str> {
        self.first(kind).map(|entity| entity.text.as_str())
    }

    /// Number of the first entity of a kind.
    pub fn number(&self, kind: Kind) -> Option<i64> {
        self.first(kind).map(|entity| entity.number)
    }

    /// Whether it is a question.
    pub fn asks(&self) -> bool {
        const STARTS: &str =
            "what which who whom whose when where how why is are was were has did does do am any";
        let first = self.words.first();
        self.words.iter().any(|word| word.pause == Pause::Question)
            || first.is_some_and(|word| one_of(&word.text, STARTS))
    }

    /// Its words as readable text.
    pub fn tidy(&self) -> String {
        words::tidy(&self.words)
    }
}
