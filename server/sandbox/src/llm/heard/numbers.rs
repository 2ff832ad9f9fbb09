//! Numbers, in digits and in words.

use super::words::Word;

const UNITS: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The whole number that begins at `place`, and the place after it.
pub fn whole(words: &[Word], place: usize) -> Option<(i64, usize)> {
    let text = &words.get(place)?.text;
    if let Ok(number) = text.parse::<i64>() {
        return (text.len() < 7 && number >= 0 && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then_some((number, place + 1));
    }
    // `A hundred` is one hundred.
    let a = matches!(text.as_str(), "a" | "one") && words.get(place + 1).is_some_and(|word| word.text == "hundred");
    let (mut number, mut next) = if a { (1, place + 1) } else { below_hundred(words, place)? };
    if words.get(next).is_some_and(|word| word.text == "hundred") {
        number *= 100;
        next += 1;
        let rest = if words.get(next).is_some_and(|word| word.text == "and") { next + 1 } else { next };
        if let Some((more, after)) = below_hundred(words, rest) {
            number += more;
            next = after;
        }
    }
    Some((number, next))
}

fn below_hundred(words: &[Word], place: usize) -> Option<(i64, usize)> {
    let text = words.get(place)?.text.as_str();
    let unit = |text: &str| UNITS.iter().position(|unit| *unit == text).and_then(|unit| i64::try_from(unit).ok());
    if let Some(unit) = unit(text) {
        return Some((unit, place + 1));
    }
    let tens = TENS.iter().position(|tens| *tens == text).and_then(|tens| i64::try_from(tens).ok())? * 10 + 20;
    match words.get(place + 1).and_then(|word| unit(&word.text)).filter(|unit| (1..10).contains(unit)) {
        Some(unit) => Some((tens + unit, place + 2)),
        None => Some((tens, place + 1)),
    }
}

/// The number before one of these nouns: `three nights`, `a week`.
pub fn of(words: &[Word], nouns: &[&str]) -> Option<(i64, usize)> {
    let place = (0..words.len()).find(|place| nouns.iter().any(|noun| words[*place].is(noun)))?;
    // Adjectives may stand between: `two more nights`, `a whole week`.
    (1..=3).filter(|back| *back <= place).find_map(|back| {
        let from = place - back;
        let counted = match words[from].text.as_str() {
            "a" | "an" | "another" | "the" if back <= 2 => (words[from].text != "the").then_some((1, from + 1)),
            "couple" => Some((2, from + 1)),
            _ => starts_number(words, from).then(|| whole(words, from)).flatten(),
        }?;
        (counted.1 <= place).then_some((counted.0, place))
    })
}

/// Whether a number begins here, and not one word earlier.
fn starts_number(words: &[Word], place: usize) -> bool {
    whole(words, place).is_some() && (place == 0 || whole(words, place - 1).is_none_or(|(_, next)| next <= place))
}
