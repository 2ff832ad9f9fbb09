//! Hotel time: the current date, and the time of day.

use dewy_domain::{hotel_calendar::HotelCalendar, ports::Clock};
use jiff::{
    Timestamp,
    civil::{Date, Time},
    tz::TimeZone,
};
use leptos::prelude::*;
use std::sync::Arc;

/// Time zone of pages. The server provides it like [`crate::TokenGenerator`]; without it times are
/// in UTC, and say so.
#[derive(Clone, Debug)]
pub struct HotelClock {
    /// Time zone of the hotel.
    pub zone: TimeZone,
    /// Time of day at which the hotel's day begins.
    pub day_changes_at: Time,
}

impl Default for HotelClock {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            day_changes_at: Time::midnight(),
        }
    }
}

impl HotelClock {
    /// Clock of a hotel.
    #[must_use]
    pub fn of(calendar: HotelCalendar) -> Self {
        Self {
            zone: calendar.time_zone,
            day_changes_at: calendar.day_changes_at,
        }
    }

    /// Clock of this request.
    pub(crate) fn here() -> Self {
        use_context().unwrap_or_default()
    }

    /// `14:03:22 UTC`.
    #[must_use]
    pub fn clock_time(&self, at: Timestamp) -> String {
        at.to_zoned(self.zone.clone())
            .strftime("%H:%M:%S %Z")
            .to_string()
    }

    /// The hotel's day: until it changes, still the day before.
    #[must_use]
    pub fn today(&self, now: Timestamp) -> Date {
        let calendar = HotelCalendar {
            time_zone: self.zone.clone(),
            day_changes_at: self.day_changes_at,
        };
        calendar.today(now)
    }

    /// Date in the hotel.
    #[must_use]
    pub fn day(&self, at: Timestamp) -> Date {
        at.to_zoned(self.zone.clone()).date()
    }
}

/// Current day of the hotel.
pub(crate) fn today() -> Option<Date> {
    now().map(|now| HotelClock::here().today(now))
}

/// Current time by the server's clock.
pub(crate) fn now() -> Option<Timestamp> {
    use_context::<Arc<dyn Clock>>().map(|clock| clock.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_use_the_hotels_time_zone() {
        let at: Timestamp = "2026-11-20T02:03:22.5Z".parse().unwrap();
        let utc = HotelClock::default();
        assert_eq!(utc.clock_time(at), "02:03:22 UTC");
        let west = HotelClock {
            zone: TimeZone::fixed(jiff::tz::offset(-10)),
            ..HotelClock::default()
        };
        assert_eq!(west.day(at).to_string(), "2026-11-19");
    }
}
