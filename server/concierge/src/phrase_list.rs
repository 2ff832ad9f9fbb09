//! Phrases of whole words, all found in one pass over a message.

use std::ops::Range;

use aho_corasick::AhoCorasick;

#[derive(Debug)]
pub(crate) struct PhraseList {
    phrases: Vec<Vec<String>>,
    automaton: AhoCorasick,
}

impl PhraseList {
    /// Compiles the phrases, each given as its words.
    #[expect(
        clippy::expect_used,
        reason = "the phrases are compiled in, and tested"
    )]
    pub fn new(phrases: Vec<Vec<String>>) -> Self {
        let texts = phrases.iter().map(|phrase| spaced(phrase).0);
        let automaton = AhoCorasick::new(texts).expect("some hundred short phrases");
        Self { phrases, automaton }
    }

    pub fn contains(&self, words: &[String]) -> bool {
        self.phrases.iter().any(|phrase| phrase == words)
    }

    /// Whether any of the phrases is among these words.
    pub fn is_in(&self, words: &[String]) -> bool {
        self.automaton.is_match(&spaced(words).0)
    }

    /// Where the phrases are among these words, overlapping ones included.
    pub fn places(&self, words: &[String]) -> Vec<Range<usize>> {
        let (text, begins) = spaced(words);
        let found = self.automaton.find_overlapping_iter(&text);
        let place = |found: aho_corasick::Match| {
            let from = begins.partition_point(|begin| *begin < found.start());
            from..from + self.phrases[found.pattern()].len()
        };
        found.map(place).collect()
    }

    #[cfg(test)]
    pub fn phrases(&self) -> &[Vec<String>] {
        &self.phrases
    }
}

/// Text with a space before each word and after the last, and where the words begin.
fn spaced(words: &[String]) -> (String, Vec<usize>) {
    let (mut text, mut begins) = (String::new(), Vec::with_capacity(words.len()));
    for word in words {
        begins.push(text.len());
        text.push(' ');
        text.push_str(word);
    }
    text.push(' ');
    (text, begins)
}
