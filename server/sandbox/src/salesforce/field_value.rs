//! Value of a record's field.

use std::cmp::Ordering;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use super::decimal::Decimal;
use super::id::SfId;

/// Field value; cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// Null; Salesforce also stores empty text as null.
    Null,
    /// Text, picklist values, emails, phone numbers.
    Text(Arc<str>),
    Bool(bool),
    /// Number or amount.
    Number(Decimal),
    Date(Date),
    DateTime(Timestamp),
    /// Id of the record or of another one.
    Id(SfId),
}

impl FieldValue {
    /// Text, or null if it is empty.
    #[must_use]
    pub fn text(text: &str) -> Self {
        if text.is_empty() {
            Self::Null
        } else {
            Self::Text(text.into())
        }
    }

    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Text, if it is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    #[must_use]
    pub fn as_id(&self) -> Option<SfId> {
        match self {
            Self::Id(id) => Some(*id),
            _ => None,
        }
    }

    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Text(text) => Value::String(text.to_string()),
            Self::Bool(yes) => Value::Bool(*yes),
            Self::Number(number) => number.to_json(),
            Self::Date(date) => Value::String(date.to_string()),
            Self::DateTime(moment) => Value::String(show_moment(*moment)),
            Self::Id(id) => Value::String(id.as_str().to_owned()),
        }
    }

    /// Compares two values of one field; null comes first. Text ignores case by default.
    #[must_use]
    pub fn compare(&self, other: &Self, case_sensitive: bool) -> Ordering {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) if !case_sensitive => fold(a).cmp(fold(b)),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.cmp(b),
            (Self::Date(a), Self::Date(b)) => a.cmp(b),
            (Self::DateTime(a), Self::DateTime(b)) => a.cmp(b),
            (Self::Id(a), Self::Id(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Number(_) => 2,
            Self::Date(_) => 3,
            Self::DateTime(_) => 4,
            Self::Id(_) => 5,
            Self::Text(_) => 6,
        }
    }
}

/// Characters of a text with folded case.
pub fn fold(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
}

/// `2026-03-10T12:00:00.000+0000`, the timestamp format of all Salesforce responses.
#[must_use]
pub fn show_moment(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S.%3f+0000").to_string()
}

/// Parses a timestamp with an offset (`Z`, `+00:00` or `+0000`), to the millisecond.
#[must_use]
pub fn read_moment(text: &str) -> Option<Timestamp> {
    if !text.contains(['T', 't']) {
        return None;
    }
    to_millisecond(text.parse().ok()?)
}

/// Timestamp truncated to milliseconds.
#[must_use]
pub fn to_millisecond(moment: Timestamp) -> Option<Timestamp> {
    Timestamp::from_millisecond(moment.as_millisecond()).ok()
}

/// Parses a date in the exact format `YYYY-MM-DD`.
#[must_use]
pub fn read_date(text: &str) -> Option<Date> {
    let shape = text.bytes().enumerate().all(|(i, b)| {
        if matches!(i, 4 | 7) {
            b == b'-'
        } else {
            b.is_ascii_digit()
        }
    });
    if text.len() == 10 && shape {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_round_trip() {
        for text in [
            "2026-03-10T12:00:00Z",
            "2026-03-10T12:00:00.000+0000",
            "2026-03-10T14:00:00+02:00",
        ] {
            assert_eq!(
                show_moment(read_moment(text).unwrap()),
                "2026-03-10T12:00:00.000+0000",
                "{text}"
            );
        }
        assert!(
            read_moment("2026-03-10").is_none() && read_moment("2026-03-10T12:00:00").is_none()
        );
        assert!(
            read_date("2026-02-30").is_none()
                && read_date("20260210").is_none()
                && read_date("2026-02-10").is_some()
        );
    }
}
