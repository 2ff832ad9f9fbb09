//! Hotel concepts, with everyday English words and phrases for each.
//!
//! They are in `lexicon/concepts.txt`: `[name]`, then phrases separated by commas. Words are
//! compared by their stems, and `_` stands for up to four words. A concept `=Value` is a value of
//! an argument, and its words are compared exactly. Section `-` is only vocabulary.

use std::sync::LazyLock;

use regex::Regex;

use super::concept_phrases;
use super::tokenizer::{Word, stem};

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
        (name, built_in(Regex::new(&phrases.join("|"))))
    };
    let concepts = concept_phrases::sections().filter(|(name, _)| *name != "-");
    concepts.map(concept).collect()
});

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
        let stop = if word.pause >= '.' { " . " } else { "" };
        line.push_str(&format!(" {}/{} {stop}", word.text, stem(&word.text)));
    }
    let place = |byte: usize| starts.partition_point(|start| *start < byte);
    let mut matches = Vec::new();
    for (concept, pattern) in CONCEPTS.iter() {
        for found in pattern.find_iter(&line) {
            let (from, to) = (place(found.start()), place(found.end()));
            matches.push(Match { concept, from, to });
        }
    }
    matches
}

/// Built-in data, read.
#[expect(
    clippy::expect_used,
    reason = "every test of the model reads all of it"
)]
pub fn built_in<T, E: std::fmt::Debug>(read: Result<T, E>) -> T {
    read.expect("data of the program")
}
