//! The parts of a sentence that may each ask for something.

use super::words::{Pause, Word};

/// Words that join what could stand alone.
const JOINTS: &[&str] = &["and", "but", "also", "plus", "then", "yet", "while", "only"];

/// Splits at pauses and joints; parts are in order and none is empty.
pub fn split(words: &[Word]) -> Vec<&[Word]> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (place, word) in words.iter().enumerate() {
        if JOINTS.contains(&word.text.as_str()) {
            parts.push(&words[from..place]);
            from = place + 1;
        } else if word.pause > Pause::None {
            parts.push(&words[from..=place]);
            from = place + 1;
        }
    }
    parts.push(&words[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}
