//! The nights of a stay: from the day of arrival up to, and without, the day of departure.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// The longest stay that can be booked: beyond it a date is more likely a typing error.
const LONGEST: i32 = 365;

/// How far ahead a stay may begin.
const FARTHEST: i32 = 2 * 366;

/// A half-open span of days, so that one guest may leave a room on the day another one takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nights {
    /// The day of arrival.
    pub from: Date,
    /// The day of departure.
    pub to: Date,
}

impl Nights {
    /// How many nights; never negative.
    #[must_use]
    pub fn count(self) -> i64 {
        (self.to - self.from).get_days().max(0).into()
    }

    /// Whether both want the same room for at least one night.
    #[must_use]
    pub fn overlap(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// Each night, by the day it begins on.
    pub fn each(self) -> impl Iterator<Item = Date> {
        self.from
            .series(jiff::Span::new().days(1))
            .take_while(move |day| *day < self.to)
    }

    /// What is wrong with them as a wish, made on that day: (field, words), all of it.
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
                "check_out_date must be after check_in_date.".to_owned(),
            ));
        } else if self.count() > i64::from(LONGEST) {
            problems.push((
                "check_out_date",
                format!("A stay has at most {LONGEST} nights."),
            ));
        }
        if (self.from - today).get_days() > FARTHEST {
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
    fn each_night_is_named_by_its_evening() {
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
    fn every_fault_is_named() {
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
