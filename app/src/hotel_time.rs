//! Hotel time: the current date, and the time of day.

use dewy_domain::{
    hotel_calendar::{HotelCalendar, HotelDay},
    ports::Clock,
};
use jiff::{Timestamp, civil::Date};
use leptos::prelude::*;
use std::sync::Arc;

/// Calendar of pages. The server provides it like [`crate::TokenGenerator`]; without it times are in
/// UTC, and say so.
#[derive(Clone, Debug, Default)]
pub struct HotelClock {
    pub calendar: HotelCalendar,
}

impl HotelClock {
    #[must_use]
    pub const fn of(calendar: HotelCalendar) -> Self {
        Self { calendar }
    }

    pub(crate) fn here() -> Self {
        use_context().unwrap_or_default()
    }

    /// `14:03:22 UTC`.
    #[must_use]
    pub fn clock_time(&self, at: Timestamp) -> String {
        at.to_zoned(self.calendar.time_zone.clone())
            .strftime("%H:%M:%S %Z")
            .to_string()
    }

    #[must_use]
    pub fn day(&self, at: Timestamp) -> Date {
        self.calendar.date(at)
    }
}

/// Current day of the hotel.
pub(crate) fn today() -> Option<Date> {
    now().map(|now| HotelClock::here().calendar.today(now))
}

/// Days that run in the hotel now.
pub(crate) fn hotel_day() -> Option<HotelDay> {
    now().map(|now| HotelClock::here().calendar.day(now))
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
        let west = HotelClock::of(HotelCalendar {
            time_zone: jiff::tz::TimeZone::fixed(jiff::tz::offset(-10)),
            ..HotelCalendar::default()
        });
        assert_eq!(west.day(at).to_string(), "2026-11-19");
    }
}
