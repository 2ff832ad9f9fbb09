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
    /// Time zone of the hotel.
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

impl HotelCalendar {
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
