//! The hotel's calendar: its time zone, and the time at which a new day begins for it.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, Time},
    tz::TimeZone,
};

/// Decides which day it is in the hotel. Who arrives after midnight comes for the night that has
/// begun, so a hotel's day changes later than the calendar's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotelCalendar {
    pub time_zone: TimeZone,
    /// Time of day at which the hotel's day begins.
    pub day_changes_at: Time,
}

impl Default for HotelCalendar {
    fn default() -> Self {
        Self {
            time_zone: TimeZone::UTC,
            day_changes_at: Time::midnight(),
        }
    }
}

/// The hotel's day and the calendar's date. Until the hotel's day changes, the calendar is one day
/// ahead, and both days run: who arrives then may come for either, and who leaves is not early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HotelDay {
    pub hotel: Date,
    pub calendar: Date,
}

/// A day outside these hours.
impl From<Date> for HotelDay {
    fn from(day: Date) -> Self {
        Self {
            hotel: day,
            calendar: day,
        }
    }
}

impl HotelDay {
    /// Days since then: none while that day runs, fewer than none before it.
    #[must_use]
    pub fn since(self, day: Date) -> i32 {
        let running = day.clamp(self.hotel, self.calendar.max(self.hotel));
        (running - day).get_days()
    }

    /// Whether a guest may arrive: from the day of arrival until the end of the day of departure.
    #[must_use]
    pub fn is_open(self, from: Date, to: Date) -> bool {
        self.since(from) >= 0 && self.since(to) <= 0
    }
}

impl HotelCalendar {
    /// The days that run at this moment.
    #[must_use]
    pub fn day(&self, now: Timestamp) -> HotelDay {
        HotelDay {
            hotel: self.today(now),
            calendar: self.date(now),
        }
    }

    /// The hotel's day at this moment: until the change, still the day before.
    #[must_use]
    pub fn today(&self, now: Timestamp) -> Date {
        let date = self.date(now);
        // Compared as moments: where clocks are set back, no day begins twice
        let has_begun = |day: &Date| {
            let begins = day.to_datetime(self.day_changes_at);
            let begins = begins.to_zoned(self.time_zone.clone());
            begins.is_ok_and(|begins| begins.timestamp() <= now)
        };
        [date.checked_add(1.day()), Ok(date)]
            .into_iter()
            .flatten()
            .find(has_begun)
            .or_else(|| date.checked_sub(1.day()).ok())
            .unwrap_or(date)
    }

    /// The calendar's date at this moment.
    #[must_use]
    pub fn date(&self, at: Timestamp) -> Date {
        at.to_zoned(self.time_zone.clone()).date()
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    fn calendar(zone: &str, hour: i8, minute: i8) -> HotelCalendar {
        HotelCalendar {
            time_zone: TimeZone::get(zone).unwrap(),
            day_changes_at: time(hour, minute, 0, 0),
        }
    }

    #[test]
    fn the_night_belongs_to_the_day_on_which_it_began() {
        let hotel = calendar("America/New_York", 4, 0);
        for (at, day) in [
            ("2026-11-26T04:59:00Z", 25),
            ("2026-11-26T05:30:00Z", 25),
            ("2026-11-26T08:59:59Z", 25),
            ("2026-11-26T09:00:00Z", 26),
            ("2026-11-26T17:00:00Z", 26),
        ] {
            assert_eq!(
                hotel.today(at.parse().unwrap()),
                date(2026, 11, day),
                "{at}"
            );
        }
        let midnight = calendar("America/New_York", 0, 0);
        let at = "2026-11-26T05:00:00Z".parse().unwrap();
        assert_eq!(midnight.today(at), date(2026, 11, 26));
        assert_eq!(midnight.date(at), date(2026, 11, 26));
    }

    #[test]
    fn both_days_run_until_the_hotels_day_changes() {
        let hotel = calendar("America/New_York", 4, 0);
        let [d24, d25, d26, d27] = [24, 25, 26, 27].map(|day| date(2026, 11, day));
        let since =
            |at: &str| [d24, d25, d26, d27].map(|day| hotel.day(at.parse().unwrap()).since(day));
        assert_eq!(since("2026-11-26T08:59:59Z"), [1, 0, 0, -1]);
        assert_eq!(since("2026-11-26T09:00:00Z"), [2, 1, 0, -1]);
        let night = hotel.day("2026-11-26T05:30:00Z".parse().unwrap());
        assert!(night.is_open(d26, d27) && night.is_open(d24, d25));
        assert!(!night.is_open(d27, d27) && !night.is_open(d24, d24));
    }

    #[test]
    fn days_follow_each_other_where_clocks_are_changed() {
        for (zone, hour, minute, from) in [
            // The hour from 1 to 2 comes twice
            ("America/New_York", 1, 30, "2026-11-01T03:00:00Z"),
            // There is no 2:30
            ("America/New_York", 2, 30, "2026-03-08T03:00:00Z"),
            // Midnight comes twice, or not at all
            ("America/Havana", 0, 0, "2026-11-01T02:00:00Z"),
            ("America/Havana", 0, 0, "2026-03-08T02:00:00Z"),
        ] {
            let hotel = calendar(zone, hour, minute);
            let from: Timestamp = from.parse().unwrap();
            let days: Vec<_> = (0..60)
                .map(|n| hotel.today(from + jiff::SignedDuration::from_mins(10 * n)))
                .collect();
            assert!(days.is_sorted(), "{zone} {hour}:{minute}: {days:?}");
            assert_eq!((days[59] - days[0]).get_days(), 1, "{zone} {hour}:{minute}");
        }
    }
}
