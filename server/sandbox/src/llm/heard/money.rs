//! Amounts, in cents; read as text, for money is never a float.

use super::numbers::whole;
use super::words::{Pause, Word};

/// An amount and the words it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// In cents.
    pub cents: i64,
    /// Its first word.
    pub from: usize,
    /// The word after it.
    pub to: usize,
}

/// All amounts: `$42.50`, `15.50`, `80 dollars`, `two hundred fifty dollars`, `one hundred thirty nine fifty`.
pub fn amounts(words: &[Word]) -> Vec<Amount> {
    let mut found = Vec::new();
    let mut place = 0;
    while place < words.len() {
        match one(words, place) {
            Some(amount) => {
                place = amount.to;
                found.push(amount);
            }
            None => place += 1,
        }
    }
    found
}

fn one(words: &[Word], from: usize) -> Option<Amount> {
    let text = words[from].text.as_str();
    let signed = text.strip_prefix('$').or_else(|| text.strip_suffix('$'));
    if let Some(cents) = signed.or(Some(text).filter(|text| text.contains('.'))).and_then(decimal) {
        let to = if unit(words, from + 1) { from + 2 } else { from + 1 };
        return Some(Amount { cents, from, to });
    }
    let (dollars, next) = whole(words, from)?;
    if unit(words, next) {
        let and = next + 1 + usize::from(words.get(next + 1).is_some_and(|word| word.text == "and"));
        if let Some((cents, after)) = whole(words, and)
            && words.get(after).is_some_and(|word| word.is("cent"))
        {
            return Some(Amount { cents: dollars * 100 + cents, from, to: after + 1 });
        }
        // `Twenty-two dollars fifty`: what is left of the price, unless it counts something.
        if let Some((cents, after)) = whole(words, next + 1)
            && (10..100).contains(&cents)
            && words[next].pause == Pause::None
            && (words[after - 1].pause > Pause::None || words.get(after).is_none_or(goes_on))
        {
            return Some(Amount { cents: dollars * 100 + cents, from, to: after });
        }
        return Some(Amount { cents: dollars * 100, from, to: next + 1 });
    }
    // Spoken prices leave the unit out: thirty nine fifty.
    let in_words = text.parse::<i64>().is_err();
    let clock =
        from > 0 && ["at", "by", "until", "till", "around", "before", "after"].contains(&words[from - 1].text.as_str());
    let (cents, after) = whole(words, next)
        .filter(|(cents, _)| in_words && !clock && (1..1000).contains(&dollars) && (10..100).contains(cents))?;
    // Without a unit small prices sound like rooms and times: something has to be paid for them.
    if dollars < 10 && words.get(from.wrapping_sub(1)).is_some_and(|word| word.is("room")) {
        return None;
    }
    Some(Amount { cents: dollars * 100 + cents, from, to: after })
}

/// Whether a price may end before this word.
fn goes_on(word: &Word) -> bool {
    ["for", "to", "on", "onto", "as", "please", "and", "in", "against", "from", "at", "of"]
        .contains(&word.text.as_str())
}

fn unit(words: &[Word], place: usize) -> bool {
    words.get(place).is_some_and(|word| ["dollar", "buck", "usd"].iter().any(|unit| word.is(unit)))
}

/// `642.47`, `1,250`, `80`.
fn decimal(text: &str) -> Option<i64> {
    // `18,50` is written with a comma where others write a point.
    let text = match text.rsplit_once(',') {
        Some((dollars, cents)) if cents.len() == 2 && !text.contains('.') => format!("{dollars}.{cents}"),
        _ => text.replace(',', ""),
    };
    let (dollars, cents) = text.split_once('.').unwrap_or((&text, "00"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if dollars.is_empty() || dollars.len() > 7 || !digits(dollars) || !digits(cents) || !(1..=2).contains(&cents.len())
    {
        return None;
    }
    let cents: i64 = format!("{cents:0<2}").parse().ok()?;
    Some(dollars.parse::<i64>().ok()? * 100 + cents)
}
