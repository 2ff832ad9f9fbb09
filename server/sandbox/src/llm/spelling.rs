//! What a word was meant to be: short forms, and slips of the finger, judged against what is said in hotels.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Words that slips are mended to.
static HOTEL: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("spelling/hotel_words.txt").split_whitespace().collect());
/// Words that are right as they are.
static COMMON: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("spelling/common_words.txt").split_whitespace().collect());
/// What is written short, and what it stands for.
static SHORT: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    include_str!("spelling/short_forms.txt").lines().filter_map(|line| line.split_once(' ')).collect()
});

/// The shortest word that is mended, and from which length two slips are forgiven.
const SHORTEST: usize = 4;
const TWO_SLIPS: usize = 7;

/// What makes another word of a word: a charger is no slip of charge.
const FORMS: &[&str] = &["r", "er", "rs", "ers", "ing", "ly", "y", "al", "ment", "able", "ful"];

/// Whether a word is one of the language's, not somebody's name.
pub fn known(word: &str) -> bool {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word);
    [word, stem].iter().any(|word| COMMON.contains(word) || HOTEL.contains(word) || SHORT.contains_key(word))
}

/// The words a written word stands for; `None` when it is right, or when nobody can tell.
pub fn mended(word: &str) -> Option<&'static str> {
    if let Some(meant) = SHORT.get(word) {
        return Some(meant);
    }
    if known(word) || word.len() < SHORTEST || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let slips = if word.len() >= TWO_SLIPS { 2 } else { 1 };
    HOTEL
        .iter()
        .filter(|meant| meant.len() >= SHORTEST && meant.as_bytes()[0] == word.as_bytes()[0])
        .filter(|meant| !word.strip_prefix(**meant).is_some_and(|rest| FORMS.contains(&rest)))
        .map(|meant| (distance(word, meant), *meant))
        .filter(|(slip, _)| *slip <= slips)
        .min()
        .map(|(_, meant)| meant)
}

/// Letters left out, put in, mistaken, or swapped with their neighbour.
fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len().abs_diff(other.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let same = usize::from(one[i - 1] != other[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_mended_and_right_words_are_left_alone() {
        for (word, meant) in [
            ("resevation", Some("reservation")),
            ("maintenence", Some("maintenance")),
            ("brekfast", Some("breakfast")),
            ("twoels", Some("towels")),
            ("clear", None),
            ("place", None),
            ("later", None),
            ("gibbs", None),
            ("chargers", None),
        ] {
            assert_eq!(mended(word), meant, "{word}");
        }
    }
}
