//! Phrases: what a line of the data file says, and whether it is in a message. The work for one is
//! proportional to the length of the message, whatever stands in it.

use std::collections::HashMap;

use super::{
    lexicon::{Element, Lexicon, Reading, Wording},
    text_folding::writes_no_spaces,
};

/// Greatest distance between the parts of a phrase, in words.
const MAX_DISTANCE: usize = 12;

/// Adds the phrases of one language to a lexicon.
#[derive(Default)]
pub(super) struct PhraseReader {
    /// Named groups of wordings, by `@name`.
    groups: HashMap<&'static str, Vec<Wording>>,
    /// What was read before.
    elements: HashMap<&'static str, Element>,
}

/// A line of the data file.
#[derive(Debug)]
pub(super) struct Phrase {
    /// All of them must be there, in any order, near each other.
    parts: Vec<Vec<Step>>,
    /// Matches only if the message contains nothing else.
    alone: bool,
    /// Its script has no spaces, so these match anywhere: one for each part.
    inside: Vec<Element>,
    /// Texts of `inside`.
    pub(super) spellings: Vec<String>,
}

/// A step of a part.
#[derive(Debug)]
enum Step {
    Any {
        element: Element,
        optional: bool,
    },
    /// Up to this many other words of the same sentence.
    Gap(usize),
}

impl PhraseReader {
    /// Adds a group's line: `son, little girl, @other`.
    pub(super) fn add_group(&mut self, name: &'static str, list: &str, lexicon: &mut Lexicon) {
        let wordings = self.wordings(list.split(',').map(str::trim), lexicon);
        self.groups.insert(name, wordings);
    }

    fn wordings<'a>(
        &self,
        list: impl Iterator<Item = &'a str>,
        lexicon: &mut Lexicon,
    ) -> Vec<Wording> {
        let named = |one: &'a str| match one.strip_prefix('@') {
            Some(name) => self.groups.get(name).cloned().unwrap_or_default(),
            None => vec![lexicon.wording(one)],
        };
        list.flat_map(named).collect()
    }

    pub(super) fn phrase(&mut self, line: &'static str, lexicon: &mut Lexicon) -> Phrase {
        let (alone, line) = match line.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let mut parts = Vec::new();
        for part in line.split('&') {
            let steps = part.split_whitespace().map(|one| self.step(one, lexicon));
            parts.push(steps.collect::<Vec<_>>());
        }
        let (mut inside, mut spellings) = (Vec::new(), Vec::new());
        if !alone && line.chars().any(writes_no_spaces) {
            for part in &parts {
                let elements: Vec<_> = part.iter().filter_map(Step::element).collect();
                let (element, texts) = lexicon.spelled(&elements);
                inside.push(element);
                spellings.extend(texts);
            }
        }
        Phrase {
            parts,
            alone,
            inside,
            spellings,
        }
    }

    fn step(&mut self, written: &'static str, lexicon: &mut Lexicon) -> Step {
        if written.chars().all(|c| c == '.') {
            return Step::Gap(written.len());
        }
        let (written, optional) = match written.strip_suffix('?') {
            Some(rest) => (rest, true),
            None => (written, false),
        };
        let element = match self.elements.get(written) {
            Some(known) => *known,
            None => {
                let wordings = self.wordings(written.split('/'), lexicon);
                lexicon.element(wordings)
            }
        };
        self.elements.insert(written, element);
        Step::Any { element, optional }
    }
}

impl Phrase {
    /// Whether it is in the message.
    pub(super) fn is_in(&self, reading: &Reading) -> bool {
        if !self.inside.is_empty() {
            return self.inside.iter().all(|part| reading.has(*part));
        }
        let mut needed = self.parts.iter().flatten().filter_map(Step::needed);
        if !needed.all(|element| reading.has(element)) {
            return false;
        }
        let mut begins = self.parts.iter().map(|part| {
            let ends = ends(part, reading, self.alone).into_iter().enumerate();
            let begins = ends.filter(|(_, end)| *end > 0).map(|(at, _)| at);
            begins.collect::<Vec<_>>()
        });
        let first = begins.next().unwrap_or_default();
        if self.alone {
            return first.first() == Some(&0);
        }
        let near = |other: &Vec<usize>, at: usize| {
            let next = other.partition_point(|n| n + MAX_DISTANCE < at);
            other.get(next).is_some_and(|n| *n <= at + MAX_DISTANCE)
        };
        let others: Vec<_> = begins.collect();
        let all_near = |at: &usize| others.iter().all(|other| near(other, *at));
        first.iter().any(all_near)
    }

    /// Takes its parts out of the message, as long as possible each.
    pub(super) fn take_out(&self, reading: &mut Reading) {
        for part in &self.parts {
            let mut needed = part.iter().filter_map(Step::needed);
            if !needed.all(|element| reading.has(element)) {
                continue;
            }
            let mut free = 0;
            for (from, end) in ends(part, reading, false).into_iter().enumerate() {
                if from >= free && end > from {
                    reading.take_out(from..end);
                    free = end;
                }
            }
        }
    }

    /// Elements of its words.
    pub(super) fn elements(&self) -> impl Iterator<Item = Element> {
        self.parts.iter().flatten().filter_map(Step::element)
    }

    /// The fewest bytes that match, and whether it may be shorter than a word.
    #[cfg(test)]
    pub(super) fn shortest(&self, lexicon: &Lexicon) -> (usize, bool) {
        let needed = self.parts.iter().flatten().filter_map(Step::needed);
        let letters = needed.map(|element| lexicon.shortest(element)).sum();
        (letters, self.alone || !self.inside.is_empty())
    }
}

impl Step {
    const fn element(&self) -> Option<Element> {
        match self {
            Self::Any { element, .. } => Some(*element),
            Self::Gap(_) => None,
        }
    }

    fn needed(&self) -> Option<Element> {
        let optional = matches!(self, Self::Any { optional: true, .. });
        self.element().filter(|_| !optional)
    }
}

/// Where a part that begins at each word ends at the latest, 0 if nowhere. From the last step back, so
/// that each word is looked at once for a step. `alone`: it must end with the message, however that is
/// split into sentences.
fn ends(part: &[Step], reading: &Reading, alone: bool) -> Vec<usize> {
    let last = reading.len();
    let skip_sentence_ends = |ends: &mut Vec<usize>| {
        for at in (0..last).rev().filter(|at| alone && reading.is_end(*at)) {
            ends[at] = ends[at + 1];
        }
    };
    let mut ends: Vec<_> = (0..=last)
        .map(|at| if alone && at < last { 0 } else { at })
        .collect();
    skip_sentence_ends(&mut ends);
    for step in part.iter().rev() {
        match step {
            Step::Gap(most) => {
                for _ in 0..*most {
                    for at in (0..last).filter(|at| reading.is_word(*at)) {
                        ends[at] = ends[at].max(ends[at + 1]);
                    }
                }
            }
            Step::Any { element, optional } => {
                let mut begun = match optional {
                    true => ends.clone(),
                    false => vec![0; ends.len()],
                };
                for (at, words) in reading.places(*element) {
                    begun[at] = begun[at].max(ends[at + words]);
                }
                ends = begun;
                skip_sentence_ends(&mut ends);
            }
        }
    }
    ends
}
