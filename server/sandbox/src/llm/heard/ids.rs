//! Numbers that name something: bookings, rooms, cases, charges, executions, payments; and addresses.

use super::words::{Pause, Word};

/// What is named.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    /// `BK-0042`.
    pub bookings: Vec<String>,
    /// `00001002`.
    pub cases: Vec<String>,
    /// `PT-00003`.
    pub charges: Vec<String>,
    /// `exe_…`.
    pub executions: Vec<String>,
    /// `pi_…`.
    pub payments: Vec<String>,
    /// Email addresses.
    pub emails: Vec<String>,
    /// With the country code, or long enough to be nothing else.
    pub phone: Option<String>,
}

/// Reads them.
pub fn read(words: &[Word]) -> Named {
    let mut named = Named::default();
    for (place, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let after = |what: &[&str]| place > 0 && what.iter().any(|what| words[place - 1].is(what));
        if let Some(number) = booking(text) {
            named.bookings.push(number);
        } else if digits && (after(&["booking", "reservation", "bk"])) && text.len() < 5 && text.len() != 3 {
            named.bookings.push(format!("BK-{text:0>4}"));
        } else if text.starts_with("exe_") {
            named.executions.push(text.to_owned());
        } else if text.starts_with("pi_") {
            named.payments.push(word.raw.clone());
        } else if text.starts_with("pt-") {
            named.charges.push(text.to_uppercase());
        } else if text.contains('@') && text.contains('.') {
            named.emails.push(text.to_owned());
        } else if (digits && text.len() == 8) || (digits && after(&["case", "ticket", "job"]) && text.len() > 3) {
            named.cases.push(format!("{text:0>8}"));
        } else if text.starts_with('+') && named.phone.is_none() {
            named.phone = Some(phone(&words[place..]));
        } else if digits && text.len() > 8 && named.phone.is_none() {
            named.phone = Some(text.to_owned());
        }
    }
    named
}

fn booking(text: &str) -> Option<String> {
    let number = text.strip_prefix("bk")?.trim_start_matches('-');
    (number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit())).then(|| format!("BK-{number:0>4}"))
}

/// A number may be written in groups.
fn phone(words: &[Word]) -> String {
    let mut number = String::new();
    for word in words {
        if !word.text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'(' | b')')) {
            break;
        }
        if !number.is_empty() {
            number.push(' ');
        }
        number.push_str(&word.text);
        if word.pause != Pause::None {
            break;
        }
    }
    number
}

/// Words before a number that make it something else than a room.
const COUNTS: &[&str] = &["first", "top", "last", "max", "most", "limit", "latest", "dollar", "than"];
/// Words after a number that do.
const UNITS: &[&str] = &[
    "dollar", "buck", "usd", "cent", "night", "people", "person", "guest", "minute", "hour", "day", "week", "towel",
    "pillow", "percent", "euro", "adult", "hundred",
];

/// The rooms that are named, in order; `taken` says which words are part of something else.
pub fn rooms(words: &[Word], taken: &dyn Fn(usize) -> bool) -> Vec<String> {
    let mut rooms: Vec<String> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        let named = place > 0 && words[place - 1].is("room") && words[place - 1].pause == Pause::None;
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_room = digits
            && (text.len() == 3 && !text.starts_with('0') || named && text.len() < 5)
            && !taken(place)
            && (named || place == 0 || !COUNTS.iter().any(|count| words[place - 1].is(count)))
            && (named
                || words
                    .get(place + 1)
                    .is_none_or(|next| word.pause != Pause::None || !UNITS.iter().any(|unit| next.is(unit))));
        if is_room && !rooms.iter().any(|room| room == text) {
            rooms.push(text.to_owned());
        }
    }
    rooms
}
