//! Expected arrival of a refund.

use jiff::{ToSpan, civil::Date, civil::Weekday};

use crate::language::{locale, t};

/// Minimum number of business days …
const MIN_DAYS: u32 = 5;
/// … and maximum.
const MAX_DAYS: u32 = 10;

/// `Expected on your card between Fri, Nov 27 and Fri, Dec 4 (5 to 10 business days).`, of the day it
/// of the refund.
pub fn expected(given_back: &str) -> Option<String> {
    let day: Date = given_back.parse().ok()?;
    let (first, last) = (business_days(day, MIN_DAYS)?, business_days(day, MAX_DAYS)?);
    let locale = locale();
    Some(t!(
        "refund-expected",
        first = locale.short_day(first),
        last = locale.short_day(last),
        soonest = MIN_DAYS,
        latest = MAX_DAYS
    ))
}

/// Date after this many business days; holidays differ from bank to bank and are ignored.
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
            "Expected on your card between Fri, Nov 27 and Fri, Dec 4 (5 to 10 business days)."
        );
        assert_eq!(expected("soon"), None);
    }
}
