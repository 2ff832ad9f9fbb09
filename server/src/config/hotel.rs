//! The hotel's own facts.

use dewy_connectors::Country;
use dewy_domain::money::Currency;
use dewy_orchestrators::BookingLimit;
use jiff::tz::TimeZone;

use super::reader::Reader;

/// Place and money.
#[derive(Clone, Debug)]
pub struct House {
    /// `HOTEL_TIME_ZONE`: decides what "today" is.
    pub time_zone: TimeZone,
    /// `HOTEL_CURRENCY`.
    pub currency: Currency,
    /// `HOTEL_COUNTRY`: whose phone numbers people write without a country code.
    pub country: Country,
    /// `GUEST_OPEN_BOOKINGS`, `GUEST_OPEN_NIGHTS`: what one guest may book without the desk.
    pub booking_limit: BookingLimit,
}

impl House {
    pub(super) fn read(from: &mut Reader<'_>) -> Self {
        let time_zone = match from.text("HOTEL_TIME_ZONE") {
            None => TimeZone::UTC,
            Some(name) => TimeZone::get(&name).unwrap_or_else(|_| {
                from.problem("HOTEL_TIME_ZONE", format!("{name:?} is not an IANA name such as Europe/Berlin or UTC"));
                TimeZone::UTC
            }),
        };
        let currency = from
            .parsed("HOTEL_CURRENCY", "a three-letter code of a currency with two decimals, such as usd")
            .unwrap_or(Currency::USD);
        let country = from.text("HOTEL_COUNTRY").unwrap_or_else(|| "US".to_owned()).parse().unwrap_or_else(|words| {
            from.problem("HOTEL_COUNTRY", words);
            Country::default()
        });
        let usual = BookingLimit::default();
        let mut most = |variable: &str, usual: u32| {
            u32::try_from(from.number(variable, u64::from(usual), 1..=10_000)).unwrap_or(usual)
        };
        let booking_limit = BookingLimit {
            bookings: most("GUEST_OPEN_BOOKINGS", usual.bookings),
            nights: most("GUEST_OPEN_NIGHTS", usual.nights),
        };
        Self { time_zone, currency, country, booking_limit }
    }
}
