//! When a refund is to be seen: given back is not yet received.

use jiff::{ToSpan, civil::Date, civil::Weekday};

/// Banks take from so many business days …
const SOONEST: u32 = 5;
/// … to so many.
const LATEST: u32 = 10;

/// `Expected on your card between Fri 27 Nov and Fri 4 Dec (5 to 10 business days).`, of the day it
/// was given back.
pub fn expected(given_back: &str) -> Option<String> {
    let day: Date = given_back.parse().ok()?;
    let (first, last) = (business_days(day, SOONEST)?, business_days(day, LATEST)?);
    let words = |day: Date| day.strftime("%a %-d %b").to_string();
    Some(format!(
        "Expected on your card between {} and {} ({SOONEST} to {LATEST} business days).",
        words(first),
        words(last)
    ))
}

/// So many days later on which banks are open; holidays differ from bank to bank and are not known
/// here.
fn business_days(from: Date, count: u32) -> Option<Date> {
    let mut day = from;
    let mut left = count;
    while left > 0 {
        day = day.checked_add(1.day()).ok()?;
        if !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) {
            left -= 1;
        }
    }
    Some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekends_do_not_count() {
        let words = expected("2026-11-20").unwrap();
        assert_eq!(
            words,
            "Expected on your card between Fri 27 Nov and Fri 4 Dec (5 to 10 business days)."
        );
        assert_eq!(expected("soon"), None);
    }
}
