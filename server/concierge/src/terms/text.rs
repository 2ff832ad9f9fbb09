//! Formats dates and counts of a proposal.

use jiff::civil::Date;
use serde_json::Value;

pub(super) fn nights(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}

/// `Sat, Nov 28`.
pub(super) fn day(date: Date) -> String {
    date.strftime("%a, %b %-d").to_string()
}

pub(super) fn named_day(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    text.parse().map_or_else(|_| text.to_owned(), day)
}

pub(super) fn counted(count: i64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
