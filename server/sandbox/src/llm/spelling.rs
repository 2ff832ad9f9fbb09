//! What a word was meant to be: short forms, and slips of the finger, judged against what is said in hotels.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::heard::forms;
use super::lexicon;

/// Words that slips are mended to.
static HOTEL: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    include_str!("spelling/hotel_words.txt").split_whitespace().map(str::to_owned).chain(lexicon::words()).collect()
});
/// Words that are right as they are.
static COMMON: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| COMMON_FILES.iter().flat_map(|file| file.split_whitespace()).collect());
const COMMON_FILES: [&str; 2] = [include_str!("spelling/common_words.txt"), include_str!("spelling/english_words.txt")];
/// What is written short, and what it stands for.
static SHORT: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    include_str!("spelling/short_forms.txt").lines().filter_map(|line| line.split_once(' ')).collect()
});

/// The shortest word that is mended, and from which length two slips are forgiven.
const SHORTEST: usize = 4;
/// Of words so long only swapped letters are mended.
const SWAPPED: usize = 3;
const TWO_SLIPS: usize = 7;

/// What makes another word of a word: a charger is no slip of charge.
const FORMS: &[&str] = &["r", "er", "rs", "ers", "ing", "ly", "y", "al", "ment", "able", "ful"];

/// Whether a word is one of the language's, not somebody's name.
pub fn known(word: &str) -> bool {
    let listed = |word: &str| COMMON.contains(word) || HOTEL.contains(word) || SHORT.contains_key(word);
    // A form of a listed word is right when it is formed right: `runing` is not.
    let formed = |base: &String| {
        listed(base)
            && (forms::of(base).iter().any(|form| form == word)
                || ["ly", "er", "est", "ness", "ful"].iter().any(|end| word.ends_with(end)))
    };
    listed(word) || forms::bases(word).iter().any(formed)
}

/// The words a written word stands for; `None` when it is right, or when nobody can tell.
pub fn mended(word: &str) -> Option<&'static str> {
    if let Some(meant) = SHORT.get(word) {
        return Some(meant);
    }
    if known(word) || word.len() < SWAPPED || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    if word.len() == SWAPPED {
        return swapped(word);
    }
    // `Startin` is `starting`: a dropped letter at the end is no slip of another word.
    if word.ends_with("in") && known(&format!("{word}g")) {
        let whole = format!("{word}g");
        return COMMON.get(whole.as_str()).copied().or_else(|| HOTEL.get(&whole).map(String::as_str));
    }
    let slips = if word.len() >= TWO_SLIPS { 2 } else { 1 };
    HOTEL
        .iter()
        .filter(|meant| {
            meant.len() >= SHORTEST
                && (meant.as_bytes()[0] == word.as_bytes()[0]
                    || meant.as_bytes()[..2] == [word.as_bytes()[1], word.as_bytes()[0]])
        })
        .filter(|meant| !word.strip_prefix(meant.as_str()).is_some_and(|rest| FORMS.contains(&rest)))
        // Of several, the one in which only letters were left out: `closd` is closed, not close.
        .map(|meant| (distance(word, meant), !within(word, meant), meant.as_str()))
        .filter(|(slip, _, meant)| *slip <= slips || *slip == slips + 1 && shuffled(word, meant))
        // What is being done is no thing: `wakking` may be walking, never a walk.
        .filter(|(_, _, meant)| !word.ends_with("ing") || meant.ends_with("ing"))
        .min()
        .map(|(_, _, meant)| meant)
}

/// Whether a word is one of those that are written short or are often mistaken.
pub fn short(word: &str) -> bool {
    SHORT.contains_key(word)
}

/// Two letters of a short word in the wrong order: `nwe`, `adn`.
fn swapped(word: &str) -> Option<&'static str> {
    let letters = word.as_bytes();
    let swaps = [[letters[1], letters[0], letters[2]], [letters[0], letters[2], letters[1]]];
    swaps.iter().find_map(|swap| COMMON.get(str::from_utf8(swap).ok()?).copied())
}

/// Whether a long word has the same letters in another order: `resevered`.
fn shuffled(word: &str, meant: &str) -> bool {
    let letters = |word: &str| word.bytes().collect::<BTreeSet<u8>>();
    word.len() > TWO_SLIPS && letters(word) == letters(meant) && word.bytes().last() == meant.bytes().last()
}

/// Whether the letters of `word` stand in `meant` in their order.
fn within(word: &str, meant: &str) -> bool {
    let mut letters = meant.chars();
    word.chars().all(|letter| letters.any(|other| other == letter))
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
            ("resevered", Some("reserved")),
            ("startin", Some("starting")),
            ("cleanin", Some("cleaning")),
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
