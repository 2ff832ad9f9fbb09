//! Patterns of words, as rules write them:
//!
//! ```text
//! check out        these words, nouns also in their plural
//! leak*            any form of the word: leaks, leaking, leaked
//! bring*/send* up  one of several
//! put _ on         up to four words between
//! @food            whatever the lexicon has under that name
//! ```

use super::forms;
use super::words::{Pause, Word};
use crate::llm::lexicon::concept;

/// How many words a gap may skip.
const GAP: usize = 4;

/// Where the pattern, begun at `place`, ends; `None` when it does not fit there.
pub fn ends(pattern: &str, words: &[Word], place: usize) -> Option<usize> {
    let (part, rest) = match pattern.trim_start().split_once(' ') {
        Some((part, rest)) => (part, rest.trim_start()),
        None => (pattern.trim(), ""),
    };
    let go_on = |to: usize| if rest.is_empty() { Some(to) } else { ends(rest, words, to) };
    if part == "_" {
        return (0..=GAP)
            .map(|skip| place + skip)
            .take_while(|to| *to <= words.len() && joined(words, place, *to))
            .find_map(go_on);
    }
    let word = words.get(place)?;
    part.split('/').find_map(|part| match part.strip_prefix('@') {
        Some(name) => concept(name).ends(words, place).into_iter().find_map(go_on),
        None => fits(part, word).then(|| go_on(place + 1))?,
    })
}

/// No sentence ends between the word before `from` and `to`.
fn joined(words: &[Word], from: usize, to: usize) -> bool {
    words[from.saturating_sub(1)..to].iter().all(|word| word.pause < Pause::Stop)
}

fn fits(part: &str, word: &Word) -> bool {
    match part.strip_suffix('*') {
        Some(base) => word.text.starts_with(&base[..1]) && forms::of(base).contains(&word.text),
        None => word.is(part),
    }
}
