//! Hotel concepts, with everyday English words and phrases for each.
//!
//! They are in `lexicon/concepts.txt`: `[name]`, then phrases separated by commas. Words are
//! compared by their stems, and `_` stands for up to four words. A concept `=Value` is a value of
//! an argument, and its words are compared exactly. Section `-` is only vocabulary.

use std::sync::LazyLock;

use regex::Regex;

use super::sentence::regex;
use super::tokenizer::{Pause, Word, stem};

static CONCEPTS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let concept = |(name, text): (&'static str, &str)| {
        let phrases = text.split([',', '\n']).map(|phrase| {
            let words = phrase.split_whitespace().map(|word| match word {
                "_" => "(?: [^ .]+ ){0,4}".to_owned(),
                _ if name.starts_with('=') => format!(" {word}/[^ ]* "),
                _ => format!(" [^ ]*/{} ", stem(word)),
            });
            words.collect::<String>()
        });
        let phrases: Vec<String> = phrases.filter(|phrase| !phrase.is_empty()).collect();
        (name, regex(&phrases.join("|")))
    };
    sections()
        .filter(|(name, _)| *name != "-")
        .map(concept)
        .collect()
});

fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = include_str!("lexicon/concepts.txt").split('[');
    sections.filter_map(|section| section.split_once(']'))
}

/// All words of the lexicon.
pub fn vocabulary() -> impl Iterator<Item = &'static str> {
    let words = sections().flat_map(|(_, text)| text.split([',', '\n', ' ']));
    words.filter(|word| word.len() > 1)
}

/// Concept found in a sentence.
#[derive(Clone, Debug)]
pub struct Match {
    pub concept: &'static str,
    /// Index of its first word.
    pub from: usize,
    /// Index after its last word.
    pub to: usize,
}

/// Concepts of a sentence.
pub fn matches(words: &[Word]) -> Vec<Match> {
    let (mut line, mut starts) = (String::new(), Vec::new());
    for word in words {
        starts.push(line.len());
        let stop = if word.pause >= Pause::Stop { " . " } else { "" };
        line.push_str(&format!(" {}/{} {stop}", word.text, stem(&word.text)));
    }
    let place = |byte: usize| starts.partition_point(|start| *start < byte);
    let of = |(concept, pattern): &'static (&str, Regex)| {
        let found = pattern.find_iter(&line).map(|found| found.range());
        found
            .map(|found| (*concept, place(found.start), place(found.end)))
            .collect::<Vec<_>>()
    };
    let found = CONCEPTS.iter().flat_map(of);
    found
        .map(|(concept, from, to)| Match { concept, from, to })
        .collect()
}
