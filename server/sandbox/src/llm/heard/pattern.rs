//! Patterns of words, as rules write them:
//!
//! ```text
//! check out        these words, nouns also in their plural
//! leak*            any form of the word: leaks, leaking, leaked
//! bring*/send* up  one of several
//! put _ on         up to four words between
//! @food            whatever the lexicon has under that name
//! ```

//!
//! A rule's text is read once, when it is first asked for.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::forms;
use super::words::{Pause, Word};
use crate::llm::lexicon::concept;

/// How many words a gap may skip.
const GAP: usize = 4;

/// A pattern, read.
#[derive(Clone, Debug)]
pub struct Pattern(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Gap,
    OneOf(Vec<Choice>),
}

#[derive(Clone, Debug)]
enum Choice {
    Word(&'static str),
    Forms(Vec<String>),
    Concept(&'static str),
}

/// By where a rule's text begins and how long it is: it is part of the program and never moves.
type Rules = HashMap<(usize, usize), &'static [Pattern]>;

static READ: LazyLock<RwLock<Rules>> = LazyLock::new(RwLock::default);

/// The patterns of a rule, between bars: `check out | pay* the bill`.
pub fn patterns(rule: &'static str) -> &'static [Pattern] {
    let key = (rule.as_ptr().addr(), rule.len());
    if let Some(read) = READ.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return read;
    }
    let mut all = READ.write().unwrap_or_else(PoisonError::into_inner);
    // Never given back: there are as many as there are rules
    all.entry(key).or_insert_with(|| Vec::leak(rule.split('|').map(Pattern::read).collect()))
}

impl Pattern {
    /// Reads one.
    pub fn read(text: &'static str) -> Self {
        let part = |part: &'static str| if part == "_" { Part::Gap } else { Part::OneOf(choices(part)) };
        Self(text.split_whitespace().map(part).collect())
    }

    /// Where it ends when it begins at `place`; `None` when it does not fit there.
    pub fn ends(&self, words: &[Word], place: usize) -> Option<usize> {
        if self.0.is_empty() { None } else { ends(&self.0, words, place) }
    }

    /// The names of the concepts in it.
    #[cfg(test)]
    pub fn concepts(&self) -> impl Iterator<Item = &'static str> {
        let choices = self.0.iter().flat_map(|part| match part {
            Part::Gap => &[][..],
            Part::OneOf(choices) => choices,
        });
        choices.filter_map(|choice| if let Choice::Concept(name) = choice { Some(*name) } else { None })
    }
}

fn choices(part: &'static str) -> Vec<Choice> {
    let choice = |choice: &'static str| match (choice.strip_prefix('@'), choice.strip_suffix('*')) {
        (Some(name), _) => Choice::Concept(name),
        // `went` is no form of `go*`
        (None, Some(base)) => {
            Choice::Forms(forms::of(base).into_iter().filter(|form| form.as_bytes()[0] == base.as_bytes()[0]).collect())
        }
        (None, None) => Choice::Word(choice),
    };
    part.split('/').map(choice).collect()
}

fn ends(parts: &[Part], words: &[Word], place: usize) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(place) };
    let choices = match part {
        Part::Gap => {
            return (0..=GAP)
                .map(|skip| place + skip)
                .take_while(|to| *to <= words.len() && joined(words, place, *to))
                .find_map(|to| ends(rest, words, to));
        }
        Part::OneOf(choices) => choices,
    };
    let word = words.get(place)?;
    choices.iter().find_map(|choice| {
        let fits = match choice {
            Choice::Concept(name) => {
                return concept(name).ends(words, place).into_iter().find_map(|to| ends(rest, words, to));
            }
            Choice::Word(text) => word.is(text),
            Choice::Forms(forms) => forms.contains(&word.text),
        };
        fits.then(|| ends(rest, words, place + 1))?
    })
}

/// No sentence ends between the word before `from` and `to`.
fn joined(words: &[Word], from: usize, to: usize) -> bool {
    words[from.saturating_sub(1)..to].iter().all(|word| word.pause < Pause::Stop)
}
