//! Suffix of the line on a cardholder's statement, by Stripe's rules.

use std::{fmt, str::FromStr};

const LINE_LENGTH: usize = 22;

/// The whole line has at most 22 characters: the account's prefix (2 to 10), `* `, and the suffix.
/// A suffix of up to ten characters fits every prefix.
pub const MAX_LENGTH: usize = LINE_LENGTH - 2 - 2;

/// Characters that Stripe refuses.
const FORBIDDEN: [char; 6] = ['<', '>', '\\', '\'', '"', '*'];

/// Suffix of a statement descriptor, such as `ROOM AND STAY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementSuffix(String);

impl StatementSuffix {
    /// Whether the whole line is short enough with the account's prefix.
    #[must_use]
    pub fn fits(&self, prefix: &str) -> bool {
        prefix.chars().count() + 2 + self.0.len() <= LINE_LENGTH
    }

    /// Text to send.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StatementSuffix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reason why a text cannot be a suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnusableSuffix {
    /// Longer than the shortest prefix allows.
    #[error(
        "is longer than {MAX_LENGTH} characters (up to 10 always fit beside the account's prefix)"
    )]
    TooLong,
    #[error("needs at least one letter")]
    NoLetter,
    /// A character that statements cannot show.
    #[error("must have only unaccented Latin letters, digits and signs, and none of < > \\ ' \" *")]
    Character,
}

impl FromStr for StatementSuffix {
    type Err = UnusableSuffix;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let printable = |c: char| (c == ' ' || c.is_ascii_graphic()) && !FORBIDDEN.contains(&c);
        if !text.chars().all(printable) {
            Err(UnusableSuffix::Character)
        } else if !text.contains(|c: char| c.is_ascii_alphabetic()) {
            Err(UnusableSuffix::NoLetter)
        } else if text.len() > MAX_LENGTH {
            Err(UnusableSuffix::TooLong)
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_and_suffix_share_the_line() {
        let suffix: StatementSuffix = "OCT MARATHON".parse().unwrap();
        assert!(suffix.fits("RUNCLUB") && !suffix.fits("RUNNERCLUB"));
    }

    #[test]
    fn stripes_rules_are_checked_before_a_payment_is_refused_for_them() {
        for (text, expected) in [
            ("STAY", Ok("STAY")),
            ("  Room 302, 2 nights ", Ok("Room 302, 2 nights")),
            ("123456789012345678", Err(UnusableSuffix::NoLetter)),
            ("", Err(UnusableSuffix::NoLetter)),
            ("ABCDEFGHIJKLMNOPQR", Ok("ABCDEFGHIJKLMNOPQR")),
            ("ABCDEFGHIJKLMNOPQRS", Err(UnusableSuffix::TooLong)),
            ("STAY*", Err(UnusableSuffix::Character)),
            ("O'HARE", Err(UnusableSuffix::Character)),
            ("<STAY>", Err(UnusableSuffix::Character)),
            ("ST\\AY", Err(UnusableSuffix::Character)),
            ("ST\"AY", Err(UnusableSuffix::Character)),
            ("SÉJOUR", Err(UnusableSuffix::Character)),
            ("滞在", Err(UnusableSuffix::Character)),
            ("ST\tAY", Err(UnusableSuffix::Character)),
        ] {
            let read = text.parse::<StatementSuffix>();
            assert_eq!(
                read.as_ref().map(StatementSuffix::as_str),
                expected.as_ref().copied(),
                "{text:?}"
            );
        }
    }
}
