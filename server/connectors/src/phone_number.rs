//! Phone numbers as people write them, and as they are stored, dialed and texted. The only reader of
//! phone numbers: forms, tools, contacts and senders all come here.
//!
//! ```text
//! "(212) 555-0199" · "+44 (0)20 7946 0958" ─► libphonenumber ─► possible? ─► stored as +12125550199
//!                                                                  └─ valid? ─► texted, gets codes
//! ```

use std::str::FromStr;

use dewy_domain::one_line::OneLine;
use rlibphonenumber::{
    NumberLengthType, PHONE_NUMBER_UTIL, PhoneNumberFormat,
    enums::{PhoneNumberType, Region},
};

/// Longest text that is read: no phone number needs more, however it is spaced.
const LONGEST: usize = 250;
/// Fewest digits before a note.
const SHORTEST: usize = 7;

/// Country by ISO 3166 code, for phone numbers without a country code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country(Region);

impl Default for Country {
    /// The United States.
    fn default() -> Self {
        Self(Region::US)
    }
}

impl FromStr for Country {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let region = text.to_ascii_uppercase().parse::<Region>().ok();
        region
            .filter(|region| {
                PHONE_NUMBER_UTIL
                    .get_country_code_for_region(*region)
                    .is_some()
            })
            .map(Self)
            .ok_or_else(|| {
                format!("{text:?} is not a country: use its ISO 3166 code, such as US or GB")
            })
    }
}

impl Country {
    /// Reads a number in any form that people write. A number that begins with `+` or with this
    /// country's exit code (or `00`, which most countries use) is read by the rules of its own
    /// country, any other by the rules of this one. `None` if no number of that country has this
    /// length.
    #[must_use]
    pub fn read(self, written: &str) -> Option<PhoneNumber> {
        if written.len() > LONGEST || written.contains('@') {
            return None;
        }
        // The library knows neither narrow spaces nor middle dots
        let written = OneLine::from(written).replace(['·', '‧', '・', '•'], ".");
        let number = self.possible(&written).or_else(|| {
            let digits = PHONE_NUMBER_UTIL.normalize_digits_only(&written);
            self.possible(&format!("+{}", digits.strip_prefix("00")?))
        });
        // `212-555-0124 (home)`: words after a number are a note
        number.or_else(|| self.possible(before_note(&written)?))
    }

    fn possible(self, written: &str) -> Option<PhoneNumber> {
        let number = PHONE_NUMBER_UTIL.parse(written, Some(self.0)).ok()?;
        let possible = number.is_possible_with_reason();
        matches!(possible, Ok(NumberLengthType::IsPossible)).then(|| PhoneNumber {
            e164: number.format_as(PhoneNumberFormat::E164).into_owned(),
            valid: number.is_valid() && number.get_type() != PhoneNumberType::PremiumRate,
            extension: number.extension.filter(|digits| !digits.is_empty()),
        })
    }

    /// A contact's best number for people: the mobile number if it can be dialed, otherwise the
    /// other. A number that only a person can read stays as it is.
    pub(crate) fn best(self, mobile: Option<String>, phone: Option<String>) -> Option<String> {
        let written: Vec<String> = [mobile, phone]
            .into_iter()
            .flatten()
            .filter(|one| !one.trim().is_empty())
            .collect();
        let callable = written.iter().find_map(|one| self.read(one));
        callable
            .map(|number| number.stored())
            .or_else(|| written.into_iter().next())
    }

    /// A contact's number for text messages: the mobile number if it can be texted, otherwise the
    /// other.
    pub(crate) fn texted(self, mobile: Option<&str>, phone: Option<&str>) -> Option<String> {
        let written = [mobile, phone].into_iter().flatten();
        written
            .filter_map(|one| self.read(one))
            .find_map(|number| number.texted().map(str::to_owned))
    }
}

/// What stands before the first letter, if that is long enough for a number and no other follows.
fn before_note(written: &str) -> Option<&str> {
    let (number, note) = written.split_at(written.find(char::is_alphabetic)?);
    let digits = |text: &str| text.chars().filter(|one| one.is_numeric()).count();
    let fits = digits(number) >= SHORTEST && digits(note) == 0;
    fits.then(|| number.trim_end_matches(|one: char| !one.is_numeric()))
}

/// A phone number of a possible length in its country.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneNumber {
    e164: String,
    extension: Option<String>,
    valid: bool,
}

impl PhoneNumber {
    /// The one form in which numbers are stored: E.164, `+12125550199`, and the extension, if any:
    /// `+12125550199 x4`.
    #[must_use]
    pub fn stored(&self) -> String {
        match &self.extension {
            Some(extension) => format!("{} x{extension}", self.e164),
            None => self.e164.clone(),
        }
    }

    /// E.164, if the numbering plan of its country has assigned such numbers; an extension can't be
    /// texted, premium rates never. The tables may miss a new range: its owner calls the front desk, and no stranger gets
    /// the message.
    #[must_use]
    pub fn texted(&self) -> Option<&str> {
        (self.valid && self.extension.is_none()).then_some(self.e164.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(country: &str, written: &str) -> Option<String> {
        let country: Country = country.parse().unwrap();
        country.read(written).map(|number| number.stored())
    }

    #[test]
    fn what_people_type_and_paste_is_read() {
        for written in [
            "(212) 555-0199",
            "212.555.0199",
            "2125550199",
            "1-212-555-0199",
            "+1 (212) 555-0199",
            "tel:+1-212-555-0199",
            "+1\u{a0}212\u{202f}555\u{2011}0199",
            "\u{202a}+1 212-555-0199\u{202c}",
            "\u{2066}+1 212 555 0199\u{2069}\t",
            "\u{feff}+1212\u{200b}5550199",
            "＋１（２１２）５５５－０１９９",
            "+١ ٢١٢ ٥٥٥ ٠١٩٩",
            "२१२ ५५५ ०१९९",
            "212·555·0199",
            "\u{1d7d0}\u{1d7cf}\u{1d7d0} 555 0199",
            "001 212 555 0199",
            "+001 212 555 0199",
            "212-555-0199 (home)",
            "(212) 555-0199 – Elena, evenings",
        ] {
            assert_eq!(
                stored("US", written).as_deref(),
                Some("+12125550199"),
                "{written}"
            );
        }
        for (country, written, number) in [
            ("US", "+44 (0)20 7946 0958", "+442079460958"),
            ("US", "011 44 (0)20 7946 0958", "+442079460958"),
            ("US", "0044 20 7946 0958", "+442079460958"),
            ("DE", "0044 (0)20 7946 0958", "+442079460958"),
            ("AU", "0011 44 20 7946 0958", "+442079460958"),
            ("JP", "010 44 20 7946 0958", "+442079460958"),
            ("GB", "020 7946 0958", "+442079460958"),
            ("DE", "+4915123456789", "+4915123456789"),
            ("US", "+49 0151 23456789", "+4915123456789"),
            ("US", "+7 8 912 345-67-89", "+79123456789"),
            ("IT", "06 1234 5678", "+390612345678"),
            ("US", "+39 06 1234 5678", "+390612345678"),
            ("US", "212 555 0199 ext. 4", "+12125550199 x4"),
        ] {
            assert_eq!(
                stored(country, written).as_deref(),
                Some(number),
                "{country} {written}"
            );
            assert_eq!(stored(country, number).as_deref(), Some(number), "{number}");
        }
    }

    #[test]
    fn a_premium_rate_is_a_number_and_never_texted() {
        let country: Country = "US".parse().unwrap();
        let number = country.read("+1 (900) 555-0100").unwrap();
        assert_eq!(number.stored(), "+19005550100");
        assert_eq!(number.texted(), None);
    }

    #[test]
    fn what_is_no_number_is_not_guessed() {
        for written in [
            "",
            "12",
            "555-0199",
            "ask her daughter",
            "n/a",
            "2125550199@example.com",
            "+1 (0)212 555 0199",
            "+999 12345678",
            "212-555-0199 or 212-555-0198",
            &"1".repeat(30),
            &"2125550199 ".repeat(100),
        ] {
            assert_eq!(stored("US", written), None, "{written}");
        }
        for country in ["XX", "USA", "", "001", "ZZ"] {
            assert!(country.parse::<Country>().is_err(), "{country}");
        }
        assert_eq!("gb".parse::<Country>(), "GB".parse());
    }

    #[test]
    fn only_an_assigned_number_is_texted() {
        let us = Country::default();
        let texted = |written| us.read(written)?.texted().map(str::to_owned);
        assert_eq!(texted("(212) 555-0199"), Some("+12125550199".to_owned()));
        for written in ["+1 555 010 0001", "+1 123 456 7890", "(212) 555-0199 x4"] {
            assert!(us.read(written).is_some(), "{written}");
            assert_eq!(texted(written), None, "{written}");
        }
        let contact = |mobile, phone| us.texted(Some(mobile), Some(phone));
        let office = Some("+12125550101".to_owned());
        assert_eq!(contact("+1 555 010 0001", "(212) 555-0101"), office);
        assert_eq!(contact("(212) 555-0101", "(212) 555-0102"), office);
        assert_eq!(contact("", "ask"), None);
    }

    #[test]
    fn the_dialable_number_wins() {
        let best = |mobile: &str, phone: &str| {
            Country::default().best(Some(mobile.to_owned()), Some(phone.to_owned()))
        };
        assert_eq!(
            best("ask", "(212) 555-0199").as_deref(),
            Some("+12125550199")
        );
        assert_eq!(
            best("212 555 0101", "(212) 555-0199").as_deref(),
            Some("+12125550101")
        );
        assert_eq!(
            best("", "ask her daughter").as_deref(),
            Some("ask her daughter")
        );
    }
}
