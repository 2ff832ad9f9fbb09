//! The nights of a stay: from the day of arrival up to, but not including, the day of departure.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// Longest bookable stay, in days: a later date is more likely a typo.
const MAX_NIGHTS: i32 = 365;

/// Latest arrival, in days from today.
const MAX_ARRIVAL_DAYS_AHEAD: i32 = 2 * 366;

/// A half-open range of days: one guest may leave a room on the day another arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nights {
    /// Day of arrival.
    pub from: Date,
    /// Day of departure.
    pub to: Date,
}

impl Nights {
    /// Number of nights; never negative.
    #[must_use]
    pub fn count(self) -> i64 {
        (self.to - self.from).get_days().max(0).into()
    }

    /// Whether the two share at least one night.
    #[must_use]
    pub fn overlap(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// Each night, by its first day.
    pub fn each(self) -> impl Iterator<Item = Date> {
        self.from
            .series(jiff::Span::new().days(1))
            .take_while(move |day| *day < self.to)
    }

    /// All validation errors for a stay requested on that day, as (field, message).
    #[must_use]
    pub fn problems(self, today: Date) -> Vec<(&'static str, String)> {
        let mut problems = Vec::new();
        if self.from < today {
            problems.push((
                "check_in_date",
                format!("check_in_date is in the past; today is {today}."),
            ));
        }
        if self.to <= self.from {
            problems.push((
                "check_out_date",
                "check_out_date must be after check_in_date: a stay has at least one night. For day use, book one night and check out on the day of arrival.".to_owned(),
            ));
        } else if self.count() > i64::from(MAX_NIGHTS) {
            problems.push((
                "check_out_date",
                format!("A stay has at most {MAX_NIGHTS} nights."),
            ));
        }
        if (self.from - today).get_days() > MAX_ARRIVAL_DAYS_AHEAD {
            problems.push((
                "check_in_date",
                "check_in_date is more than two years ahead.".to_owned(),
            ));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn nights(from: i8, to: i8) -> Nights {
        Nights {
            from: date(2026, 3, from),
            to: date(2026, 3, to),
        }
    }

    #[test]
    fn a_room_is_left_and_taken_on_one_day() {
        assert!(!nights(8, 10).overlap(nights(10, 12)));
        assert!(!nights(10, 12).overlap(nights(8, 10)));
        assert!(nights(8, 10).overlap(nights(9, 11)));
        assert!(nights(8, 12).overlap(nights(9, 10)));
        assert!(nights(9, 10).overlap(nights(8, 12)));
    }

    #[test]
    fn each_night_is_identified_by_its_first_day() {
        let days: Vec<_> = nights(8, 10).each().collect();
        assert_eq!(days, [date(2026, 3, 8), date(2026, 3, 9)]);
        assert_eq!(
            (
                nights(8, 10).count(),
                nights(10, 8).count(),
                nights(10, 8).each().count()
            ),
            (2, 0, 0)
        );
    }

    #[test]
    fn every_validation_error_is_reported() {
        let today = date(2026, 3, 10);
        assert_eq!(nights(10, 12).problems(today), []);
        let fields: Vec<_> = nights(9, 9)
            .problems(today)
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        assert_eq!(fields, ["check_in_date", "check_out_date"]);
        assert_eq!(
            Nights {
                from: today,
                to: date(2028, 3, 10)
            }
            .problems(today)
            .len(),
            1
        );
        assert_eq!(
            Nights {
                from: date(2029, 3, 10),
                to: date(2029, 3, 11)
            }
            .problems(today)
            .len(),
            1
        );
    }
}
