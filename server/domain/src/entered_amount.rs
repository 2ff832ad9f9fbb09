//! Amounts of money as people type them into a form.

use crate::{
    blank_text::is_invisible,
    decimal_digits::with_ascii_digits,
    full_width::narrow,
    locale::Locale,
    money::{Cents, Currency, Money, SIGNS},
};

impl Locale {
    /// Amount in the hotel's currency, as this locale writes numbers: `1,234.50` and `1.234,50`. A
    /// comma or point that can only be the other one, as in `12,5`, is read as that. `None` for what
    /// is no amount, names another currency, or has a fraction of a cent.
    #[must_use]
    pub fn read_amount(&self, typed: &str, currency: Currency) -> Option<Cents> {
        let text = with_ascii_digits(&narrow(typed));
        let text: String = text
            .chars()
            .filter(|c| c.is_whitespace() || !is_invisible(*c))
            .collect();
        let number = without_currency(text.trim(), currency).trim();
        let (whole, fraction) = match self.decimal_separator(number)? {
            Some(at) => {
                let (whole, rest) = number.split_at(at);
                (whole, rest.trim_start_matches(['.', ',', ARABIC_POINT]))
            }
            None => (number, ""),
        };
        let digits = ungrouped(whole)?;
        if digits.is_empty() && fraction.is_empty() {
            return None;
        }
        Cents::from_decimal(&format!("0{digits}.{fraction}"))
    }

    /// Where the fraction begins, if there is one; `None` if that can't be told.
    fn decimal_separator(&self, number: &str) -> Option<Option<usize>> {
        if let Some(at) = number.find(ARABIC_POINT) {
            return Some(Some(at));
        }
        let (Some(last), Some(first)) = (number.rfind(['.', ',']), number.find(['.', ','])) else {
            return Some(None);
        };
        let of = |at: usize| number.get(at..=at);
        let after = number.len() - last - 1;
        let mixed = of(first) != of(last);
        if mixed || (first == last && of(last) == Some(self.point())) {
            return (after > 0 && number.matches(of(last)?).count() == 1).then_some(Some(last));
        }
        // Of one kind, and not what this locale writes before a fraction
        Some((first == last && after < 3).then_some(last))
    }

    /// What this locale writes before a fraction.
    fn point(&self) -> &'static str {
        let half = Money {
            cents: Cents(50),
            currency: Currency::USD,
        };
        if self.money(half).contains(',') {
            ","
        } else {
            "."
        }
    }
}

const ARABIC_POINT: char = '\u{66b}';

fn without_currency(text: &str, currency: Currency) -> &str {
    let code = currency.code();
    let signs = SIGNS.iter().filter(|(_, codes)| codes.contains(&code));
    for sign in signs.map(|(sign, _)| *sign).chain([code]) {
        let fits = |part: Option<&str>| part.is_some_and(|p| p.eq_ignore_ascii_case(sign));
        if fits(text.get(..sign.len())) {
            return text.get(sign.len()..).unwrap_or_default();
        }
        let rest = text.len().saturating_sub(sign.len());
        if fits(text.get(rest..)) {
            return text.get(..rest).unwrap_or_default();
        }
    }
    text
}

/// Digits of a whole number, whose groups have three digits (in India two, but for the last).
fn ungrouped(whole: &str) -> Option<String> {
    let separates = |c: char| c.is_whitespace() || matches!(c, '.' | ',' | '\'' | '’' | '\u{66c}');
    let groups: Vec<&str> = whole.split(separates).collect();
    let digits = groups.concat();
    let (first, rest) = groups.split_first()?;
    let grouped = match rest.split_last() {
        None => true,
        Some((last, middle)) => {
            (1..=3).contains(&first.len())
                && last.len() == 3
                && middle.iter().all(|group| matches!(group.len(), 2 | 3))
        }
    };
    (grouped && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(locale: &str, currency: &str, typed: &str) -> Option<i64> {
        let locale: Locale = locale.parse().unwrap();
        let amount = locale.read_amount(typed, currency.parse().unwrap());
        amount.map(|amount| amount.0)
    }

    #[test]
    fn amounts_are_read_as_the_locale_writes_them() {
        for (locale, currency, typed, cents) in [
            ("en-US", "usd", "12.50", 1250),
            ("en-US", "usd", " 12.5 ", 1250),
            ("en-US", "usd", "$18", 1800),
            ("en-US", "usd", "18 USD", 1800),
            ("en-US", "usd", ".5", 50),
            ("en-US", "usd", "1,234", 123_400),
            ("en-US", "usd", "1,234,567.8", 123_456_780),
            ("en-US", "usd", "12,5", 1250),
            ("en-US", "usd", "1.234,50", 123_450),
            ("en-US", "usd", "１２．５０", 1250),
            ("en-US", "usd", "＄１８", 1800),
            ("en-US", "usd", "\u{202a}12.50\u{202c}", 1250),
            ("en-US", "usd", "٢٥٠٫٥", 25050),
            ("de-DE", "eur", "1.234,50", 123_450),
            ("de-DE", "eur", "1 234,50", 123_450),
            ("de-DE", "eur", "1\u{202f}234,50 €", 123_450),
            ("de-DE", "eur", "12,5", 1250),
            ("de-DE", "eur", "12.50", 1250),
            ("de-DE", "eur", "1.234", 123_400),
            ("de-DE", "eur", "1,234.50", 123_450),
            ("de-DE", "eur", "eur 12", 1200),
            ("de-CH", "chf", "1’234.50", 123_450),
            ("fr-FR", "eur", "1\u{a0}234,50", 123_450),
            ("pt-BR", "brl", "R$ 1.234,50", 123_450),
            ("en-IN", "inr", "₹12,34,567.50", 123_456_750),
            ("es-ES", "eur", "1234,5", 123_450),
        ] {
            assert_eq!(
                read(locale, currency, typed),
                Some(cents),
                "{locale} {typed}"
            );
        }
    }

    #[test]
    fn what_may_mean_two_amounts_is_refused() {
        for (locale, currency, typed) in [
            ("en-US", "usd", ""),
            ("en-US", "usd", "$"),
            ("en-US", "usd", "-5"),
            ("en-US", "usd", "12."),
            ("en-US", "usd", "1.005"),
            ("en-US", "usd", "1e3"),
            ("en-US", "usd", "12 50"),
            ("en-US", "usd", "12²"),
            ("en-US", "usd", "½"),
            ("en-US", "usd", "twelve"),
            ("en-US", "usd", "€18"),
            ("en-US", "usd", "1,23,4"),
            ("en-US", "usd", "1.2.3,4,5"),
            ("de-DE", "eur", "1,234"),
            ("de-DE", "eur", "$18"),
            ("de-DE", "eur", "99999999999999999999"),
        ] {
            assert_eq!(read(locale, currency, typed), None, "{locale} {typed}");
        }
    }
}
