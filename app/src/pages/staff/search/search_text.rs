//! Interpretation of search text.

use dewy_domain::{
    auto_number::{find_matching_format, is_same, spellings},
    canonical_input::with_one_dash,
    email_address::EmailAddress,
    one_line::OneLine,
    payment_intent_id::PaymentIntentId,
    room_number::without_room_words,
    search_key::{search_key, search_words},
};

use crate::pages::prelude::*;

/// Kind of search text; text without a known format is words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// `exe_…`.
    Execution(String),
    Payment(PaymentIntentId),
    /// `bk 42`, as it was written, with every booking number that may be meant.
    Booking(String, Vec<String>),
    /// `302`, `00001001`: a room or a case.
    Number(String),
    Email(String),
    /// Anything else, in lower case.
    Words(String),
}

/// Parses the text; `None` when it is empty.
pub fn read(text: &str) -> Option<SearchKind> {
    let text = OneLine::from(with_one_dash(text));
    let text = text.as_str();
    // Stripe ids are case sensitive
    if let Ok(payment) = text.parse() {
        return Some(SearchKind::Payment(payment));
    }
    let lower = text.to_lowercase();
    let bookings = spellings(text);
    Some(match lower.as_str() {
        "" => return None,
        id if id.starts_with("exe_") => SearchKind::Execution(id.to_owned()),
        _ if !bookings.is_empty() => SearchKind::Booking(lower, bookings),
        number if number.bytes().all(|b| b.is_ascii_digit()) => {
            SearchKind::Number(number.to_owned())
        }
        email
            if email
                .split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && host.contains('.')) =>
        {
            SearchKind::Email(EmailAddress::from(email).to_string())
        }
        words => SearchKind::Words(words.to_owned()),
    })
}

/// `BK-00` is the beginning of `BK-0042`; `BK-4` is `BK-0004` and no beginning.
fn begins_with_zeros(written: &str, number: &str) -> bool {
    let head = written.trim_end_matches(|c: char| c.is_ascii_digit());
    let begins = number.get(..written.len());
    written[head.len()..].starts_with('0')
        && begins.is_some_and(|begins| begins.eq_ignore_ascii_case(written))
}

impl SearchKind {
    /// Inputs of `search_executions` that may find it: four digits are a room or the last digits of
    /// a card. `shown` are the booking numbers found elsewhere.
    pub fn executions(&self, shown: &[&str]) -> Vec<Value> {
        let by = |name: &str, value: &str| json!({ name: value, "limit": 8 });
        match self {
            Self::Payment(id) => vec![by("payment_intent_id", id.as_str())],
            Self::Booking(written, all) => {
                let itself = || shown.iter().find(|number| self.is_booking(number));
                let alike = || {
                    shown
                        .iter()
                        .find_map(|shown| find_matching_format(shown, all))
                };
                let number = itself()
                    .map(|number| (*number).to_owned())
                    .or_else(alike)
                    .unwrap_or_else(|| written.to_uppercase());
                vec![by("booking_number", &number)]
            }
            Self::Number(number) if number.len() == 4 => {
                vec![by("room_number", number), by("payment_intent_id", number)]
            }
            Self::Number(number) if number.len() <= 5 => vec![by("room_number", number)],
            Self::Email(email) => vec![by("guest_email", email)],
            Self::Words(_) => shown
                .iter()
                .find(|number| self.is_booking(number))
                .map(|number| by("booking_number", number))
                .into_iter()
                .collect(),
            Self::Number(_) | Self::Execution(_) => Vec::new(),
        }
    }

    /// Whether it may refer to people.
    pub const fn about_people(&self) -> bool {
        !matches!(self, Self::Execution(_) | Self::Payment(_))
    }

    /// Whether it refers to this room, or is the number in its name (`12` of `Suite 12`).
    pub fn is_room(&self, number: &str) -> bool {
        match self {
            Self::Number(asked) => search_words(number).contains(asked),
            Self::Words(asked) | Self::Booking(asked, _) => {
                let is = |asked: &str| search_key(number) == search_key(asked);
                is(asked) || without_room_words(asked).is_some_and(is)
            }
            _ => false,
        }
    }

    pub fn is_booking(&self, number: &str) -> bool {
        let is = |asked: &String| asked.eq_ignore_ascii_case(number);
        match self {
            Self::Booking(written, all) => {
                all.iter().any(is) || begins_with_zeros(written, number) || is_same(number, written)
            }
            // An org may number its bookings without any letters, or in a form of its own
            Self::Number(asked) | Self::Words(asked) => is(asked) || is_same(number, asked),
            _ => false,
        }
    }

    /// Whether it refers to this case; leading zeros may be left out.
    pub fn is_case(&self, number: &str) -> bool {
        let bare = |number: &str| number.trim_start_matches('0').to_owned();
        matches!(self, Self::Number(asked) if asked.len() >= 4 && bare(asked) == bare(number))
    }

    /// Whether the text contains every word, or is the email.
    pub fn matches_text(&self, text: &str) -> bool {
        match self {
            Self::Email(email) => text.to_lowercase() == *email,
            Self::Words(words) | Self::Booking(words, _) => {
                let text = search_key(text);
                search_key(words)
                    .split(|c: char| c.is_whitespace() || c == ',')
                    .all(|word| text.contains(word))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_kind_is_recognized_by_its_format() {
        for (text, reading) in [
            (
                " bk 42 ",
                SearchKind::Booking("bk 42".into(), spellings("bk 42")),
            ),
            (
                "Res-1234",
                SearchKind::Booking("res-1234".into(), spellings("Res-1234")),
            ),
            ("302", SearchKind::Number("302".into())),
            ("pi_3QAbC", SearchKind::Payment("pi_3QAbC".parse().unwrap())),
            ("EXE_01", SearchKind::Execution("exe_01".into())),
            (
                "Beth.Gibbs@Email.com",
                SearchKind::Email("beth.gibbs@email.com".into()),
            ),
            ("O'Brien Nora", SearchKind::Words("o'brien nora".into())),
            ("bka", SearchKind::Words("bka".into())),
        ] {
            assert_eq!(read(text), Some(reading), "{text}");
        }
        assert_eq!(read("   "), None);
    }

    #[test]
    fn bookings_are_found_in_any_number_format() {
        let asked = |text: &str| read(text).unwrap();
        assert!(asked("bk 42").is_booking("BK-0042") && asked("bk-0042").is_booking("BK-0042"));
        assert!(asked("res 42").is_booking("RES-000042") && !asked("bk 4").is_booking("BK-0042"));
        assert!(asked("004711").is_booking("004711") && !asked("4711").is_booking("BK-4711"));
        assert!(asked("0042").is_booking("BK-0042"));
        for text in [
            "BK–0042",
            "#42",
            "booking 42",
            "Booking no. 42",
            "reservation BK 42",
        ] {
            let found = asked(text).executions(&["BK-0041", "BK-0042"]);
            assert!(asked(text).is_booking("BK-0042"), "{text}");
            assert!(!asked(text).is_booking("BK-0421"), "{text}");
            assert_eq!(found.last().unwrap()["booking_number"], "BK-0042", "{text}");
        }
        for (shown, number) in [
            (&["BK-0041", "BK-0042"][..], "BK-0042"),
            (&["BK-0041"], "BK-0042"),
            (&[], "BK 42"),
        ] {
            let input = &asked("bk 42").executions(shown)[0];
            assert_eq!(input["booking_number"], number);
        }
        assert!(asked("unit 3").matches_text("AC unit 3 leaks"));
    }

    #[test]
    fn cases_match_without_leading_zeros_and_rooms_exactly() {
        let asked = |text: &str| read(text).unwrap();
        assert!(asked("1001").is_case("00001001") && asked("00001001").is_case("00001001"));
        assert!(!asked("302").is_case("00000302"));
        assert_eq!(
            asked("4242").executions(&[])[1],
            json!({ "payment_intent_id": "4242", "limit": 8 }),
            "the end of a card's number"
        );
        assert!(asked("302").is_room("302") && !asked("30").is_room("302"));
        for (text, room) in [
            ("casa azul", "Casa Azul"),
            ("suite 12", "Suite 12"),
            ("12", "Suite 12"),
            ("Room 302", "302"),
            ("rm302", "302"),
            ("a-101", "A-101"),
            ("romer 3", "Römer 3"),
            ("３０２", "302"),
        ] {
            assert!(asked(text).is_room(room), "{text}");
        }
        assert!(!asked("2").is_room("Suite 12") && !asked("casa").is_room("Casa Azul"));
        assert!(
            asked("nora o'b").matches_text("Nora O'Brien")
                && !asked("nora x").matches_text("Nora O'Brien")
        );
        assert!(asked("gibbs, beth").matches_text("Beth Gibbs"));
        assert!(asked("bk-00").is_booking("BK-0042") && asked("BK-004").is_booking("BK-0042"));
        assert!(!asked("bk-4").is_booking("BK-0042") && !asked("bk-00").is_booking("BK-1000"));
        assert!(
            asked("o’brien").matches_text("Nora O'Brien")
                && asked("nunez").matches_text("José Núñez")
        );
    }
}
