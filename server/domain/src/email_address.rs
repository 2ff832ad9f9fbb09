//! Email addresses, normalized once.

use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;

use crate::{blank_text::is_invisible, full_width::narrow, text_type::text_type};

/// Maximum length of an address, in characters: what an email field of Salesforce holds.
const MAX_LENGTH: usize = 80;

text_type! {
    /// Email address in lower case, as the CRM and the store know it. It may have letters of any
    /// script.
    EmailAddress
}

/// Normalizes any text: the address in `Beth <mailto:Beth@Example.com>`, or in a sentence, without
/// invisible and full-width characters.
impl From<&str> for EmailAddress {
    fn from(text: &str) -> Self {
        let text: String = narrow(text)
            .chars()
            .filter(|c| c.is_whitespace() || !is_invisible(*c))
            .nfc()
            .collect();
        let text = text.to_lowercase();
        let text = bare(&text);
        let bracketed = text
            .strip_suffix('>')
            .and_then(|text| text.rsplit_once('<'));
        let address = match bracketed {
            Some((_, address)) if address.contains('@') => address,
            _ => text,
        };
        let address = match address.strip_prefix("mailto:") {
            Some(link) => link.split('?').next().unwrap_or_default(),
            None => address,
        };
        Self(address.trim().replace(['。', '｡'], "."))
    }
}

/// The text without what surrounds an address in a sentence.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_end_matches(['.', ',', ';', ':']);
    let quoted = |quotes: [char; 2]| text.strip_prefix(quotes[0])?.strip_suffix(quotes[1]);
    [['"', '"'], ['\'', '\''], ['“', '”'], ['(', ')']]
        .into_iter()
        .find_map(quoted)
        .unwrap_or(text)
}

impl From<String> for EmailAddress {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

/// The text cannot be an email address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not an email address")]
pub struct NotAnEmailAddress;

/// Reads what a person entered. The check is rough on purpose: only the mail system knows what is
/// valid.
impl FromStr for EmailAddress {
    type Err = NotAnEmailAddress;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let address = Self::from(text);
        let foreign = |c: char| c.is_whitespace() || "<>()[],;:\\\"".contains(c);
        let plausible = address.0.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty()
                && !host.contains('@')
                && host.contains('.')
                && host.split('.').all(|label| {
                    !label.is_empty() && !label.starts_with('-') && !label.ends_with('-')
                })
        }) && address.0.chars().count() <= MAX_LENGTH
            && !address.0.contains(foreign);
        if plausible {
            Ok(address)
        } else {
            Err(NotAnEmailAddress)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn addresses_are_trimmed_and_in_lower_case() {
        let beth = EmailAddress::from("beth@example.com");
        for text in [
            "beth@example.com",
            " Beth@Example.COM\n",
            "mailto:beth@example.com?subject=Hi",
            "Beth Gibbs <Beth@example.com>",
            "<mailto:beth@example.com>",
            "ｂｅｔｈ＠ｅｘａｍｐｌｅ．ｃｏｍ",
            "beth@example。com",
            "\u{202a}beth@\u{200b}example.com\u{202c}\u{feff}",
            "beth@example.com.",
            "(beth@example.com), ",
            "“Beth@example.com”",
        ] {
            assert_eq!(text.parse(), Ok(beth.clone()));
            assert_eq!(EmailAddress::from(text), beth);
            assert_eq!(from_value::<EmailAddress>(json!(text)).unwrap(), beth);
        }
        assert_eq!(json!(beth), json!("beth@example.com"));
    }

    #[test]
    fn addresses_have_letters_of_any_script() {
        for (text, address) in [
            ("jürgen@exämple.de", "jürgen@exämple.de"),
            ("Ju\u{308}rgen@EXÄMPLE.de", "jürgen@exämple.de"),
            ("用户@例子.广告", "用户@例子.广告"),
            ("o'brien+spam@example.co.uk", "o'brien+spam@example.co.uk"),
        ] {
            assert_eq!(text.parse::<EmailAddress>().unwrap(), *address);
        }
    }

    #[test]
    fn implausible_addresses_are_refused() {
        let longest = format!("{}@example.com", "x".repeat(MAX_LENGTH - 12));
        longest.parse::<EmailAddress>().unwrap();
        for text in [
            "",
            "beth",
            "@example.com",
            "beth@",
            "beth@localhost",
            "be th@example.com",
            "beth@nora@example.com",
            "beth@example.com,nora@example.com",
            "beth@example.com; nora",
            "beth@example..com",
            "beth@.com",
            "beth@-example.com",
            "<beth@example.com",
            "\u{200b}@example.com",
            &format!("x{longest}"),
        ] {
            assert_eq!(
                text.parse::<EmailAddress>(),
                Err(NotAnEmailAddress),
                "{text}"
            );
        }
    }
}
