//! Dates as the reader writes them.

use jiff::{
    Timestamp,
    civil::{Date, Time},
};

use crate::{
    hotel_time::HotelClock,
    http_request::is_staff_page,
    language::{language, locale, t},
};

/// `Nov 20, 2026, 2:03 PM UTC`.
pub fn moment(clock: &HotelClock, at: Timestamp) -> String {
    let there = at.to_zoned(clock.calendar.time_zone.clone());
    let locale = locale();
    let (date, time) = (locale.date(there.date()), locale.time(there.time()));
    format!("{date}, {time} {}", there.strftime("%Z"))
}

/// `2:03 PM`: for guests, who are in that zone and need no seconds.
pub fn hour(clock: &HotelClock, at: Timestamp) -> String {
    locale().time(at.to_zoned(clock.calendar.time_zone.clone()).time())
}

/// Hour that the hotel states, `3 PM`, as the reader writes it.
pub fn stated_hour(time: Time) -> String {
    locale().stated_hour(time, language().is_english())
}

/// Time of day: with seconds and zone for staff, who compare it with logs, and plain for guests.
pub(crate) fn clock_time_for_reader(at: Timestamp) -> String {
    let hotel = HotelClock::here();
    if is_staff_page() {
        hotel.clock_time(at)
    } else {
        hour(&hotel, at)
    }
}

/// `2026-11-20` as `Fri, Nov 20, 2026`; anything else as it is.
pub fn day(text: &str) -> String {
    text.parse::<Date>()
        .map_or_else(|_| text.to_owned(), |date| locale().day(date))
}

/// `Fri, Nov 20`, where the year is obvious.
pub fn short_day(text: &str) -> String {
    text.parse::<Date>()
        .map_or_else(|_| text.to_owned(), |date| locale().short_day(date))
}

/// `Wed, Nov 18 to Fri, Nov 20, 2026`: a shared year appears once.
pub fn date_range(from: Date, to: Date) -> String {
    let locale = locale();
    let first = if from.year() == to.year() {
        locale.short_day(from)
    } else {
        locale.day(from)
    };
    t!("days", from = first, to = locale.day(to))
}

/// [`date_range`] of dates as text; anything else as it is.
pub fn days(from: &str, to: &str) -> String {
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) => date_range(from, to),
        _ => t!("days", from = day(from), to = day(to)),
    }
}

/// The same for a stay, if its dates are known.
pub fn stay_days(from: Option<Date>, to: Option<Date>) -> Option<String> {
    Some(date_range(from?, to?))
}

#[cfg(test)]
mod tests {
    use dewy_domain::hotel_calendar::HotelCalendar;
    use jiff::tz::{TimeZone, offset};

    use super::*;

    #[test]
    fn times_use_and_name_the_hotels_time_zone() {
        let at: Timestamp = "2026-11-20T02:03:22.5Z".parse().unwrap();
        assert_eq!(
            moment(&HotelClock::default(), at),
            "Nov 20, 2026, 2:03 AM UTC"
        );
        let clock = HotelClock::of(HotelCalendar {
            time_zone: TimeZone::fixed(offset(-10)),
            ..HotelCalendar::default()
        });
        assert_eq!(hour(&clock, at), "4:03 PM");
        assert_eq!(moment(&clock, at), "Nov 19, 2026, 4:03 PM -10");
    }

    #[test]
    fn dates_include_the_weekday() {
        assert_eq!(day("2026-11-20"), "Fri, Nov 20, 2026");
        assert_eq!(day("soon"), "soon");
        assert_eq!(
            days("2026-11-18", "2026-11-20"),
            "Wed, Nov 18 to Fri, Nov 20, 2026"
        );
        assert_eq!(
            days("2026-11-28", "2026-12-02"),
            "Sat, Nov 28 to Wed, Dec 2, 2026"
        );
        assert_eq!(
            days("2026-12-30", "2027-01-02"),
            "Wed, Dec 30, 2026 to Sat, Jan 2, 2027"
        );
    }
}
