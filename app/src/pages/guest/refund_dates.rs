//! Expected arrival of a refund.

use jiff::{ToSpan, civil::Weekday};

use crate::pages::prelude::*;

/// Minimum number of business days …
const MIN_DAYS: u32 = 5;
/// … and maximum.
const MAX_DAYS: u32 = 10;

/// `Expected on your card between Fri, Nov 27 and Fri, Dec 4 (5 to 10 business days).`, for a
/// refund made that day.
pub fn expected(refunded: Date) -> Option<String> {
    let (first, last) = (
        business_days(refunded, MIN_DAYS)?,
        business_days(refunded, MAX_DAYS)?,
    );
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
    use jiff::civil::date;

    #[test]
    fn weekends_do_not_count() {
        let words = expected(date(2026, 11, 20)).unwrap();
        assert_eq!(
            words,
            "Expected on your card between Fri, Nov 27 and Fri, Dec 4 (5 to 10 business days)."
        );
    }
}
