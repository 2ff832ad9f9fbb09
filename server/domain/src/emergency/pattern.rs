//! Patterns of words: what a line of the data file says, and whether it is in a message.

use std::collections::HashMap;

use super::text_folding::{END, fold, tokens, writes_no_spaces};

/// Greatest distance between the parts of a phrase, in words.
const MAX_DISTANCE: usize = 12;

/// Named groups of wordings, by `@name`.
pub(super) type Groups = HashMap<&'static str, Vec<Vec<FoldedWord>>>;

/// A line of the data file.
#[derive(Debug)]
pub(super) struct Phrase {
    /// All of them must be there, in any order, near each other.
    parts: Vec<Vec<Element>>,
    /// Matches only if the message contains nothing else.
    alone: bool,
    /// Its script has no spaces, so these texts match anywhere: the wordings of each part.
    inside: Vec<Vec<String>>,
}

/// An element of a part.
#[derive(Debug)]
enum Element {
    /// Any of these wordings.
    Any {
        wordings: Vec<Vec<FoldedWord>>,
        optional: bool,
    },
    /// Up to this many other words of the same sentence.
    Gap(usize),
}

/// A word, folded.
#[derive(Clone, Debug)]
pub(super) struct FoldedWord {
    text: String,
    /// Matches any ending.
    open: bool,
}

impl FoldedWord {
    fn is(&self, there: &str) -> bool {
        match self.open {
            true => there.starts_with(&self.text),
            false => there == self.text,
        }
    }
}

/// Words of a wording.
fn wording(written: &str) -> Vec<FoldedWord> {
    let word = |written: &str| {
        let open = written.ends_with('*');
        let folded = fold(written.trim_end_matches('*'));
        let parts: Vec<String> = tokens(&folded).into_iter().map(str::to_owned).collect();
        let last = parts.len();
        let word = move |(text, n)| FoldedWord {
            text,
            open: open && n == last,
        };
        parts.into_iter().zip(1..).map(word).collect::<Vec<_>>()
    };
    written.split_whitespace().flat_map(word).collect()
}

/// Wordings of a group's line: `son, little girl, @other`.
pub(super) fn group(list: &str, groups: &Groups) -> Vec<Vec<FoldedWord>> {
    let named = |one: &str| match one.trim().strip_prefix('@') {
        Some(name) => groups.get(name).cloned().unwrap_or_default(),
        None => vec![wording(one)],
    };
    list.split(',').flat_map(named).collect()
}

impl Phrase {
    pub(super) fn parse(line: &str, groups: &Groups) -> Self {
        let (alone, line) = line
            .strip_prefix('=')
            .map_or((false, line), |rest| (true, rest));
        let parts: Vec<Vec<Element>> = line
            .split('&')
            .map(|part| {
                part.split_whitespace()
                    .map(|one| Element::parse(one, groups))
                    .collect()
            })
            .collect();
        let spaceless = !alone && line.chars().any(writes_no_spaces);
        let inside = match spaceless {
            true => parts.iter().map(|part| spelled_out(part)).collect(),
            false => Vec::new(),
        };
        Self {
            parts,
            alone,
            inside,
        }
    }

    pub(super) fn is_in(&self, words: &[&str], joined: &str) -> bool {
        if !self.inside.is_empty() {
            let is_there = |text: &String| joined.contains(text);
            return self.inside.iter().all(|part| part.iter().any(is_there));
        }
        if self.alone {
            let words: Vec<&str> = words.iter().copied().filter(|word| *word != END).collect();
            return self
                .parts
                .iter()
                .all(|part| ends(part, &words).contains(&words.len()));
        }
        let begins: Vec<Vec<usize>> = self.parts.iter().map(|part| found(part, words)).collect();
        begins.first().is_some_and(|first| {
            first.iter().any(|at| {
                let near =
                    |others: &Vec<usize>| others.iter().any(|n| n.abs_diff(*at) <= MAX_DISTANCE);
                begins.iter().all(near)
            })
        })
    }

    /// Whether a word is one of its own, in any wording.
    pub(super) fn has_word(&self, word: &str) -> bool {
        let elements = self.parts.iter().flatten();
        let mut words = elements.flat_map(|element| match element {
            Element::Any { wordings, .. } => wordings.as_slice(),
            Element::Gap(_) => &[],
        });
        words.any(|wording| wording.iter().any(|known| known.is(word)))
    }

    /// Texts that match anywhere in scripts without spaces; none in other scripts.
    pub(super) fn spellings(&self) -> impl Iterator<Item = &str> {
        self.inside.iter().flatten().map(String::as_str)
    }

    /// Leaves a gap, so that the words around it do not join.
    pub(super) fn take_out(&self, words: &mut [&str]) {
        for part in &self.parts {
            for from in 0..words.len() {
                let rest = words.get(from..).unwrap_or_default();
                let longest = ends(part, rest).into_iter().max().unwrap_or_default();
                if let Some(gap) = words.get_mut(from..from + longest) {
                    gap.fill("");
                }
            }
        }
    }

    /// The fewest bytes that match, and whether it may be shorter than a word.
    #[cfg(test)]
    pub(super) fn shortest(&self) -> (usize, bool) {
        let of =
            |wording: &Vec<FoldedWord>| wording.iter().map(|word| word.text.len()).sum::<usize>();
        let element = |element: &Element| match element {
            Element::Any {
                wordings,
                optional: false,
            } => wordings.iter().map(of).min().unwrap_or_default(),
            _ => 0,
        };
        let letters = self.parts.iter().flatten().map(element).sum();
        (letters, self.alone || !self.inside.is_empty())
    }
}

impl Element {
    fn parse(written: &str, groups: &Groups) -> Self {
        if written.chars().all(|c| c == '.') {
            return Self::Gap(written.len());
        }
        let (written, optional) = written
            .strip_suffix('?')
            .map_or((written, false), |rest| (rest, true));
        let wordings = written
            .split('/')
            .flat_map(|one| match one.strip_prefix('@') {
                Some(name) => groups.get(name).cloned().unwrap_or_default(),
                None => vec![wording(one)],
            })
            .collect();
        Self::Any { wordings, optional }
    }
}

/// Where a part may end that begins with the first of these words.
fn ends(part: &[Element], words: &[&str]) -> Vec<usize> {
    let Some((element, rest)) = part.split_first() else {
        return vec![0];
    };
    let after = |used: usize| {
        let further = words.get(used..).unwrap_or_default();
        ends(rest, further)
            .into_iter()
            .map(move |end| used + end)
            .collect::<Vec<_>>()
    };
    match element {
        Element::Gap(most) => {
            let other = words.iter().take(*most);
            let there = other.take_while(|word| !word.is_empty() && **word != END);
            (0..=there.count()).flat_map(after).collect()
        }
        Element::Any { wordings, optional } => {
            let begins = |wording: &&Vec<FoldedWord>| {
                words.len() >= wording.len()
                    && wording
                        .iter()
                        .zip(words)
                        .all(|(word, there)| word.is(there))
            };
            let mut used: Vec<usize> = wordings.iter().filter(begins).map(Vec::len).collect();
            used.extend(optional.then_some(0));
            used.sort_unstable();
            used.dedup();
            used.into_iter().flat_map(after).collect()
        }
    }
}

/// Where a part begins.
fn found(part: &[Element], words: &[&str]) -> Vec<usize> {
    (0..words.len())
        .filter(|from| !ends(part, words.get(*from..).unwrap_or_default()).is_empty())
        .collect()
}

/// Every text of a part in a script without spaces.
fn spelled_out(part: &[Element]) -> Vec<String> {
    part.iter().fold(vec![String::new()], |texts, element| {
        let Element::Any { wordings, .. } = element else {
            return texts;
        };
        texts
            .iter()
            .flat_map(|text| {
                wordings.iter().map(move |wording| {
                    let letters = wording.iter().map(|word| word.text.as_str());
                    std::iter::once(text.as_str())
                        .chain(letters)
                        .collect::<String>()
                })
            })
            .collect()
    })
}
