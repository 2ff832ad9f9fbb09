//! Entities: what the patterns of `lexicon/slots.txt` find in a sentence.

use std::sync::LazyLock;

use jiff::civil::Date;
use minijinja::Environment;
use regex::{Captures, Regex};

use super::lexicon::built_in;
use super::tokenizer::Word;

/// Kind of an entity, its fixed value, the factor of its number, and its pattern.
pub type Slot = (&'static str, Option<i64>, i64, Regex);

/// Lines `Kind: pattern` of the Jinja template `lexicon/slots.txt`.
static PATTERNS: LazyLock<String> = LazyLock::new(|| {
    built_in(Environment::new().render_str(include_str!("lexicon/slots.txt"), ()))
});
pub static SLOTS: LazyLock<Vec<Slot>> = LazyLock::new(|| {
    let lines = PATTERNS.lines().filter(|line| !line.starts_with('#'));
    let slot = |(head, pattern): (&'static str, &str)| {
        let (head, value) = head.split_once('=').unwrap_or((head, ""));
        let (kind, factor) = head.split_once('*').unwrap_or((head, "1"));
        let pattern = pattern.replace(' ', "  ").replace('«', "(?<x>");
        let pattern = pattern.replace('»', ")");
        let pattern = built_in(Regex::new(&format!(" (?:{pattern}) ")));
        let factor = factor.parse().unwrap_or(1);
        (kind, value.parse().ok(), factor, pattern)
    };
    let lines = lines.filter_map(|line| line.split_once(": "));
    lines.map(slot).collect()
});

#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// Kind, as in `lexicon/slots.txt`. The number of `Money` is in cents; the text of a `Day` is the
    /// preposition before it; a `Limit` is the requested number of results.
    pub kind: &'static str,
    /// Index of its first word.
    pub from: usize,
    /// Index after its last word.
    pub to: usize,
    /// Value as an argument.
    pub text: String,
    pub number: i64,
    pub date: Option<Date>,
    /// Day and month, if the date is not relative to today.
    pub day: Option<(i8, Option<i8>)>,
}

impl Entity {
    /// What a slot's pattern found in these words, which begin at `from`.
    pub fn read(slot: &Slot, found: &Captures<'_>, words: &[Word], from: usize) -> Self {
        let (kind, value, factor, _) = slot;
        let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let raw: Vec<&str> = words.iter().map(|word| word.raw.as_str()).collect();
        let group = |names: &[&str]| names.iter().find_map(|name| found.name(name));
        let group = |names: &[&str]| group(names).map(|group| group.as_str());
        let number = group(&["a", "b"]).map_or(0, number);
        let text = match *kind {
            "Booking" => format!("BK-{number:0>4}"),
            "Case" => format!("{number:0>8}"),
            "Charge" => text.concat().to_uppercase(),
            "Payment" => raw.concat(),
            "Name" => raw.join(" ").replace("'s", "").replace("’s", ""),
            _ => text.join(" "),
        };
        let number = match (group(&["m", "m2", "m3"]), group(&["c"])) {
            (Some(money), _) => cents(money),
            (_, cents) if *kind == "Money" => number * 100 + cents.map_or(0, self::number),
            _ => value.unwrap_or(number * factor),
        };
        Self {
            kind: *kind,
            from,
            to: from + words.len(),
            text,
            number,
            ..Self::default()
        }
    }
}

/// Value of a number in digits or words: `20n 5n`, `a hundred 5n`, `3rd`.
pub fn number(text: &str) -> i64 {
    let digits = |word: &str| word.trim_end_matches(char::is_alphabetic).parse();
    text.split_whitespace().fold(0, |sum, word| match word {
        "a" | "an" | "another" => 1,
        "hundred" => sum * 100,
        word => sum + digits(word).unwrap_or(0),
    })
}

/// Cents of an amount in digits: `42.50`, `1,250`, `18,50`, `1.250,00`.
fn cents(text: &str) -> i64 {
    let text = text.trim_matches(['.', ',']);
    let (dollars, cents) = match text.rsplit_once(['.', ',']) {
        Some((dollars, cents)) if cents.len() < 3 => (dollars, format!("{cents:0<2}")),
        _ => (text, "00".to_owned()),
    };
    number(&dollars.replace(['.', ','], "")) * 100 + number(&cents)
}
