//! Amounts of money: whole cents and a currency, never a float.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::output_schema::plain_schema;

plain_schema!("string": Currency);
plain_schema!("integer": Cents);

/// An ISO 4217 code in lower case, as Stripe writes it (`usd`). Two-decimal currencies only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

impl Currency {
    /// US dollars, the default.
    pub const USD: Self = Self(*b"usd");

    /// The sign that is written instead of the code, where there is one. Many countries have dollars.
    #[must_use]
    pub fn sign(&self) -> Option<&'static str> {
        let mut signs = SIGNS
            .iter()
            .filter(|(_, codes)| codes.contains(&self.code()));
        let sign = signs.next().map(|(sign, _)| *sign);
        sign.filter(|sign| *sign != "$" || *self == Self::USD)
    }

    /// Code as sent in requests: `usd`.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("usd")
    }
}

/// Signs that are written instead of a currency's code.
pub(crate) const SIGNS: [(&str, &[&str]); 8] = [
    ("$", &["usd", "cad", "aud", "nzd", "sgd", "hkd", "mxn"]),
    ("€", &["eur"]),
    ("£", &["gbp"]),
    ("₹", &["inr"]),
    ("R$", &["brl"]),
    ("kr", &["sek", "nok", "dkk"]),
    ("zł", &["pln"]),
    ("Kč", &["czk"]),
];

/// Currencies whose minor unit is not a hundredth; their amounts would be off by a factor.
const NOT_TWO_DECIMALS: [&str; 21] = [
    "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv",
    "xaf", "xof", "xpf", "bhd", "jod", "kwd", "omr", "tnd",
];

/// The text is not a supported currency.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a three-letter code of a currency with two decimals")]
pub struct NotACurrency(String);

impl FromStr for Currency {
    type Err = NotACurrency;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let code = text.to_ascii_lowercase();
        match code.as_bytes() {
            &[a, b, c]
                if code.chars().all(|l| l.is_ascii_lowercase())
                    && !NOT_TWO_DECIMALS.contains(&code.as_str()) =>
            {
                Ok(Self([a, b, c]))
            }
            _ => Err(NotACurrency(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = NotACurrency;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// An amount in cents; negative when the hotel owes the guest.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Cents(pub i64);

impl Cents {
    /// Parses Salesforce's decimal text (`250`, `250.0`, `249.99`). More than two significant
    /// decimals are refused.
    #[must_use]
    pub fn from_decimal(text: &str) -> Option<Self> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let plain = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || fraction.len() > 2 || !plain(whole) || !plain(fraction) {
            return None;
        }
        let whole: i64 = whole.parse().ok()?;
        let cents: i64 = format!("{fraction:0<2}").parse().ok()?;
        whole
            .checked_mul(100)?
            .checked_add(cents)
            .map(|c| Self(sign * c))
    }

    /// Decimal text for Salesforce: `250.00`.
    #[must_use]
    pub fn to_decimal(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        format!(
            "{sign}{}.{:02}",
            self.0.unsigned_abs() / 100,
            self.0.unsigned_abs() % 100
        )
    }
}

/// Minimum charge of the card networks (Stripe's minimum for dollars).
pub const SMALLEST_CHARGE: Cents = Cents(50);

impl Cents {
    /// Whether a balance of this amount cannot be settled by card: it is overpaid, or less than the
    /// minimum charge.
    #[must_use]
    pub const fn needs_front_desk(self) -> bool {
        self.0 != 0 && self.0 < SMALLEST_CHARGE.0
    }
}

impl std::ops::Add for Cents {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Cents {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::iter::Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self(0), |sum, amount| sum + amount)
    }
}

/// An amount with its currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    /// Amount in cents.
    pub cents: Cents,
    pub currency: Currency,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_text_becomes_cents_without_floats() {
        for (text, cents) in [
            ("250", 25000),
            ("250.0", 25000),
            ("249.99", 24999),
            ("0.1", 10),
            ("-3.05", -305),
            ("1.1000", 110),
        ] {
            assert_eq!(Cents::from_decimal(text), Some(Cents(cents)), "{text}");
        }
        for text in ["", ".", "1.001", "1e3", "abc", "--1", "9223372036854775807"] {
            assert_eq!(Cents::from_decimal(text), None, "{text}");
        }
        assert_eq!(Cents(-305).to_decimal(), "-3.05");
    }

    #[test]
    fn a_currency_has_two_decimals() {
        assert!("EUR".parse::<Currency>().is_ok());
        assert!("jpy".parse::<Currency>().is_err());
    }
}
