//! Numbers, as digits and as words.

use super::words::Word;

const UNITS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

/// Index of a word in a list.
fn place(list: &str, word: &str) -> Option<i64> {
    list.split(' ')
        .position(|listed| listed == word)
        .and_then(|place| i64::try_from(place).ok())
}

/// Whole number that starts at a word, and the index after it.
pub fn whole(words: &[Word], from: usize) -> Option<(i64, usize)> {
    let text = &words.get(from)?.text;
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = text.parse().ok().filter(|_| text.len() < 7)?;
        return Some((number, from + 1));
    }
    let is = |place: usize, what: &str| words.get(place).is_some_and(|word| word.text == what);
    let (number, next) = if text == "a" && is(from + 1, "hundred") {
        (1, from + 1)
    } else {
        below_hundred(words, from)?
    };
    if !is(next, "hundred") {
        return Some((number, next));
    }
    match below_hundred(words, next + 1 + usize::from(is(next + 1, "and"))) {
        Some((rest, next)) => Some((number * 100 + rest, next)),
        None => Some((number * 100, next + 1)),
    }
}

fn below_hundred(words: &[Word], from: usize) -> Option<(i64, usize)> {
    let text = words.get(from)?.text.as_str();
    if let Some(unit) = place(UNITS, text) {
        return Some((unit, from + 1));
    }
    let tens = (place(TENS, text)? + 2) * 10;
    let next = words.get(from + 1);
    let unit = next.and_then(|word| place(UNITS, &word.text));
    let unit = unit.filter(|unit| (1..10).contains(unit));
    Some(unit.map_or((tens, from + 1), |unit| (tens + unit, from + 2)))
}

/// `3rd`, `third`.
pub fn ordinal(text: &str) -> Option<i64> {
    const WORDS: &str = "ground first second third fourth fifth sixth";
    let digits = ["th", "st", "nd", "rd"]
        .iter()
        .find_map(|end| text.strip_suffix(end)?.parse().ok());
    digits.or_else(|| place(WORDS, text))
}

/// Cents of an amount in digits: `$42.50`, `1,250`, `18,50`.
pub fn cents(text: &str) -> Option<i64> {
    let (dollars, cents) = match text.rsplit_once(['.', ',']) {
        Some((dollars, cents)) if cents.len() < 3 => (dollars, format!("{cents:0<2}")),
        _ => (text, "00".to_owned()),
    };
    let number = |text: &str| text.parse::<u32>().ok().map(i64::from);
    Some(number(&dollars.replace(',', ""))? * 100 + number(&cents)?)
}
