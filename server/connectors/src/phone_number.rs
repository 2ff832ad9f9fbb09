//! Phone numbers as people write them, and as they are stored, dialed and texted. The only reader of
//! phone numbers: forms, tools, contacts and senders all come here.
//!
//! ```text
//! "(212) 555-0199" · "+44 (0)20 7946 0958" ─► libphonenumber ─► possible? ─► found in contacts as +12125550199
//!                                                                  └─ exists? ─► stored, texted, gets codes
//! ```

use std::str::FromStr;

use dewy_domain::one_line::OneLine;
use rlibphonenumber::{
    NumberLengthType, PHONE_NUMBER_UTIL, PhoneNumber as Parsed, PhoneNumberFormat,
    enums::{PhoneNumberType, Region},
};

/// Longest text that is read: no phone number needs more, however it is spaced.
const LONGEST: usize = 250;
/// Exit codes of most countries.
const EXIT_CODES: [&str; 2] = ["00", "011"];
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
    /// country's exit code (or those of most others, `00` and `011`) is read by the rules of its own
    /// country, any other by the rules of this one. Of several readings, one that exists counts first.
    /// `None` if no number of that country has this length.
    #[must_use]
    pub fn read(self, written: &str) -> Option<PhoneNumber> {
        if written.len() > LONGEST || written.contains('@') {
            return None;
        }
        // The library knows neither narrow spaces nor middle dots
        let written = OneLine::from(written).replace(['·', '‧', '・', '•'], ".");
        let digits = PHONE_NUMBER_UTIL.normalize_digits_only(&written);
        let abroad = EXIT_CODES.map(|exit| Some(format!("+{}", digits.strip_prefix(exit)?)));
        // `212-555-0124 (home)`: words after a number are a note
        let note = before_note(&written).map(str::to_owned);
        let spellings = abroad.into_iter().chain([note]).flatten();
        let read = self
            .with_own_code(&digits)
            .or_else(|| self.possible(&written));
        if read.as_ref().is_some_and(PhoneNumber::exists) {
            return read;
        }
        let others: Vec<PhoneNumber> = spellings.filter_map(|one| self.possible(&one)).collect();
        let existing = others.iter().find(|one| one.exists()).cloned();
        existing.or(read).or_else(|| others.into_iter().next())
    }

    /// `49 1512 3456789` in Germany: the country's own code without its `+`. Where national numbers are
    /// written with a prefix, few people leave out both.
    fn with_own_code(self, digits: &str) -> Option<PhoneNumber> {
        let code = PHONE_NUMBER_UTIL.get_country_code_for_region(self.0)?;
        let national = digits.strip_prefix(&code.to_string())?;
        let example = PHONE_NUMBER_UTIL.get_example_number(self.0).ok()?;
        let written = example.format_as(PhoneNumberFormat::National).into_owned();
        let written = PHONE_NUMBER_UTIL.normalize_digits_only(&written);
        let prefix = written.strip_suffix(&example.national_number.to_string())?;
        let has_prefix = !prefix.is_empty() && example.italian_leading_zero != Some(true);
        let number = self.possible(&format!("+{code}{national}"));
        number.filter(|number| has_prefix && number.exists())
    }

    fn possible(self, written: &str) -> Option<PhoneNumber> {
        let mut number = PHONE_NUMBER_UTIL.parse(written, Some(self.0)).ok()?;
        if !number.is_valid() {
            let today = renumbered(&number).into_iter().find(Parsed::is_valid);
            number = today.unwrap_or(number);
        }
        let possible = number.is_possible_with_reason();
        matches!(possible, Ok(NumberLengthType::IsPossible)).then(|| PhoneNumber {
            e164: number.format_as(PhoneNumberFormat::E164).into_owned(),
            exists: number.is_valid(),
            is_premium: number.get_type() == PhoneNumberType::PremiumRate,
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

/// The number as it may be dialed today, of one as it was until a country changed its plan; many are
/// still written so.
fn renumbered(number: &Parsed) -> Vec<Parsed> {
    let old = number.national_number;
    // What is before so many last digits, and these
    let split = |digits| (old / 10_u64.pow(digits), old % 10_u64.pow(digits));
    let today = match (number.country_code, split(10), split(8)) {
        // Mexico until 2019: a 1 before mobile numbers from abroad, 044 or 045 within; 01 before others
        (52, (1 | 44 | 45, today), _) => vec![today],
        // Brazil until 2016: mobile numbers had eight digits after the area, and got a 9 before them
        (55, _, (area @ 11..=99, own @ 60_000_000..)) => {
            vec![(area * 10 + 9) * 10_u64.pow(8) + own]
        }
        // Argentina: before mobile numbers a 9 from abroad, a 15 after the area within; some write both
        (54, (900..=999, _), _) => [8, 7, 6]
            .map(|own| (split(own), 10_u64.pow(own)))
            .into_iter()
            .filter(|((before, _), _)| before % 100 == 15)
            .map(|((before, own), width)| before / 100 * width + own)
            .collect(),
        _ => Vec::new(),
    };
    let like = |national_number| Parsed {
        national_number,
        italian_leading_zero: None,
        number_of_leading_zeros: None,
        ..number.clone()
    };
    today.into_iter().map(like).collect()
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
    exists: bool,
    is_premium: bool,
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

    /// Whether the numbering plan of its country has such numbers.
    #[must_use]
    pub const fn exists(&self) -> bool {
        self.exists
    }

    /// E.164, if there are such numbers; an extension can't be texted, premium rates never. The tables
    /// may miss a new range: its owner calls the front desk, and no stranger gets the message.
    #[must_use]
    pub fn texted(&self) -> Option<&str> {
        let can = self.exists && !self.is_premium && self.extension.is_none();
        can.then_some(self.e164.as_str())
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
        let mut wrong = Vec::new();
        for (country, written, number) in [
            ("US", "+44 (0)20 7946 0958", "+442079460958"),
            ("US", "011 44 (0)20 7946 0958", "+442079460958"),
            ("US", "0044 20 7946 0958", "+442079460958"),
            ("DE", "0044 (0)20 7946 0958", "+442079460958"),
            ("AU", "0011 44 20 7946 0958", "+442079460958"),
            ("JP", "010 44 20 7946 0958", "+442079460958"),
            ("GB", "020 7946 0958", "+442079460958"),
            ("DE", "+4915123456789", "+4915123456789"),
            ("DE", "4915123456789", "+4915123456789"),
            ("DE", "49 151 23456789", "+4915123456789"),
            ("DE", "49 (0)151 23456789", "+4915123456789"),
            ("DE", "04915 123456", "+494915123456"),
            ("DE", "49 30 12345678", "+493012345678"),
            ("JP", "81 90 1234 5678", "+819012345678"),
            ("US", "+49 0151 23456789", "+4915123456789"),
            ("US", "+7 8 912 345-67-89", "+79123456789"),
            ("IT", "06 1234 5678", "+390612345678"),
            ("US", "+39 06 1234 5678", "+390612345678"),
            ("US", "212 555 0199 ext. 4", "+12125550199 x4"),
            ("US", "(212) 555-0199 #4", "+12125550199 x4"),
            ("US", "+1-212-555-0199;ext=4", "+12125550199 x4"),
            ("US", "+52 1 55 1234 5678 ext. 4", "+525512345678 x4"),
            ("DE", "011 44 20 7946 0958", "+442079460958"),
            ("MX", "011 1 212 555 0199", "+12125550199"),
            ("US", "+52 1 55 1234 5678", "+525512345678"),
            ("US", "+5215512345678", "+525512345678"),
            ("US", "011 52 1 55 1234 5678", "+525512345678"),
            ("US", "+52 55 1234 5678", "+525512345678"),
            ("MX", "1 55 1234 5678", "+525512345678"),
            ("MX", "044 55 1234 5678", "+525512345678"),
            ("MX", "045 55 1234 5678", "+525512345678"),
            ("MX", "01 55 1234 5678", "+525512345678"),
            ("US", "+54 9 11 2345 6789", "+5491123456789"),
            ("US", "+54 11 15 2345 6789", "+5491123456789"),
            ("US", "+54 9 11 15 2345-6789", "+5491123456789"),
            ("AR", "011 15-2345-6789", "+5491123456789"),
            ("AR", "11 15 2345 6789", "+5491123456789"),
            ("US", "+54 (0)11 4321-1234", "+541143211234"),
            ("US", "+55 11 8765-4321", "+5511987654321"),
            ("US", "+55 (11) 98765-4321", "+5511987654321"),
            ("BR", "(11) 8765-4321", "+5511987654321"),
            ("BR", "0 15 11 98765-4321", "+5511987654321"),
            ("BR", "(11) 2345-6789", "+551123456789"),
            ("US", "+353 (0)87 123 4567", "+353871234567"),
            ("IE", "087 123 4567", "+353871234567"),
            ("US", "+39 (0)6 1234 5678", "+390612345678"),
            ("US", "+39 347 123 4567", "+393471234567"),
            ("IT", "０６ １２３４ ５６７８", "+390612345678"),
            ("US", "+٤٩ ١٥١٢ ٣٤٥٦٧٨٩", "+4915123456789"),
            ("US", "۰۰۴۹ ۱۵۱۲ ۳۴۵۶۷۸۹", "+4915123456789"),
        ] {
            for written in [written, number] {
                let read = country.parse::<Country>().unwrap().read(written);
                let read = read.filter(PhoneNumber::exists).map(|read| read.stored());
                wrong.extend((read.as_deref() != Some(number)).then_some((country, written, read)));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
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
            "+52 99 55 1234 5678",
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
