//! Phone numbers in a country's format.

use std::str::FromStr;

use phonenumber::{Mode, country::Id};

/// Country by ISO 3166 code, for phone numbers without a country code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country(Id);

impl Default for Country {
    /// The United States.
    fn default() -> Self {
        Self(Id::US)
    }
}

impl FromStr for Country {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = text.to_ascii_uppercase().parse().ok().map(Self);
        known.ok_or_else(|| {
            format!("{text:?} is not a country: use its ISO 3166 code, such as US or GB")
        })
    }
}

impl Country {
    /// Number in any common format as E.164, `+15550100199`; `None` if it can't be dialed. Doesn't
    /// check whether the number is assigned at present: those tables are always outdated.
    #[must_use]
    pub fn e164(self, written: &str) -> Option<String> {
        let number = phonenumber::parse(Some(self.0), written.trim()).ok()?;
        let plain = number.format().mode(Mode::E164).to_string();
        // E.164 has up to 15 digits; no country has numbers shorter than 7 digits including its
        // code.
        let digits = plain.strip_prefix('+')?;
        let possible =
            (7..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        // North American numbers always have ten digits.
        let possible = possible && (number.code().value() != 1 || digits.len() == 11);
        possible.then_some(plain)
    }

    /// A contact's best number: the mobile number if it can be dialed, otherwise the other; as
    /// E.164 where possible. A number that only a person can read stays as it is.
    pub(crate) fn best(self, mobile: Option<String>, phone: Option<String>) -> Option<String> {
        let written: Vec<String> = [mobile, phone]
            .into_iter()
            .flatten()
            .filter(|one| !one.trim().is_empty())
            .collect();
        let callable = written.iter().find_map(|one| self.e164(one));
        callable.or_else(|| written.into_iter().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_forms_become_e164() {
        let us = Country::default();
        for written in [
            "(555) 010-0199",
            "555.010.0199",
            "+1 555 010 0199",
            "1-555-010-0199",
            "+1 (555) 010-0199",
            "5550100199",
        ] {
            assert_eq!(
                us.e164(written).as_deref(),
                Some("+15550100199"),
                "{written}"
            );
        }
        assert_eq!(
            us.e164("+44 20 7946 0018").as_deref(),
            Some("+442079460018")
        );
        assert_eq!(
            us.e164("011 44 20 7946 0018").as_deref(),
            Some("+442079460018")
        );
        let gb: Country = "gb".parse().unwrap();
        assert_eq!(gb.e164("020 7946 0018").as_deref(), Some("+442079460018"));
        for written in ["", "12", "ask her daughter", "n/a"] {
            assert_eq!(us.e164(written), None, "{written}");
        }
        assert!("XX".parse::<Country>().is_err() && "USA".parse::<Country>().is_err());
    }

    #[test]
    fn the_dialable_number_wins() {
        let best = |mobile: &str, phone: &str| {
            Country::default().best(Some(mobile.to_owned()), Some(phone.to_owned()))
        };
        assert_eq!(
            best("ask", "(555) 010-0199").as_deref(),
            Some("+15550100199")
        );
        assert_eq!(
            best("555 010 0001", "(555) 010-0199").as_deref(),
            Some("+15550100001")
        );
        assert_eq!(
            best("", "ask her daughter").as_deref(),
            Some("ask her daughter")
        );
    }
}
