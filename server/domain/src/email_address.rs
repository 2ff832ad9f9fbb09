//! Email addresses, normalized once.

use std::str::FromStr;

use crate::text_type::text_type;

/// Maximum length of an address.
const MAX_LENGTH: usize = 254;

text_type! {
    /// Email address: trimmed and in lower case, as the CRM and the store know it.
    EmailAddress
}

/// Normalizes any text.
impl From<&str> for EmailAddress {
    fn from(text: &str) -> Self {
        Self(text.trim().to_lowercase())
    }
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
        let parts = address.0.split_once('@');
        let plausible = parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
            && address.0.len() <= MAX_LENGTH
            && !address.0.contains(char::is_whitespace);
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
        for text in ["beth@example.com", " Beth@Example.COM\n"] {
            assert_eq!(text.parse(), Ok(beth.clone()));
            assert_eq!(EmailAddress::from(text), beth);
            assert_eq!(from_value::<EmailAddress>(json!(text)).unwrap(), beth);
        }
        assert_eq!(json!(beth), json!("beth@example.com"));
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
            "be th@example.com",
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
