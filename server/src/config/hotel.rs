//! Facts about the hotel.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use dewy_connectors::Country;
use dewy_domain::{
    hotel_calendar::HotelCalendar,
    hotel_profile::HotelProfile,
    locale::{Locale, UnknownLocale},
    money::{Cents, Currency},
};
use dewy_orchestrators::BookingLimit;
use jiff::{civil::Time, tz::TimeZone};

use super::{
    hotel_documents::{DEMO_PRIVACY, DEMO_TERMS, document},
    variable_reader::Reader,
};

pub const PHOTO_PATH: &str = "/hotel-photo";
/// Room types that can have a photo of their own.
const ROOM_TYPES: [&str; 4] = ["Standard", "Deluxe", "Suite", "Penthouse"];
/// Media types of the photo by file extension.
const PHOTO_TYPES: [(&str, &str); 5] = [
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
];
/// Phone number of the seed, for a demo that configures none.
const DEMO_PHONE: &str = "+1 (212) 555-0190";

/// Time zone of a demo that configures none: times on receipts are a hotel's, not a server's.
const DEMO_TIME_ZONE: &str = "America/New_York";

/// Usual time at which a hotel's day begins: who arrives before it comes for the night that has begun.
const USUAL_DAY_CHANGE: Time = Time::constant(4, 0, 0, 0);
/// Latest one: at noon the night is over everywhere.
const LATEST_DAY_CHANGE: Time = Time::constant(12, 0, 0, 0);

/// Most that can be held for a night beside the balance.
const MAX_HOLD_CENTS: u64 = 100_000;

/// Amenities of a demo that configures none.
const DEMO_AMENITIES: &str = "Free Wi-Fi, Air conditioning, Coffee and tea, Room safe";
/// Amenities of its room types, in a demo that configures none.
const DEMO_ROOM_AMENITIES: &str = "Deluxe=Bathrobes, Balcony; Suite=Living room, Bathtub, Balcony; \
    Penthouse=Roof terrace, Living room, Bathtub, Dining table";
/// Maximum length of an amenity.
const MAX_AMENITY_LENGTH: usize = 40;
/// Maximum number of amenities in a list.
const MAX_AMENITIES: usize = 12;

/// Location, currency and profile.
#[derive(Clone, Debug)]
pub struct HotelConfig {
    /// `HOTEL_TIME_ZONE`: decides the current date.
    pub time_zone: TimeZone,
    /// `HOTEL_DAY_CHANGES_AT`: when the hotel's day begins; until then it is still the day before.
    pub day_changes_at: Time,
    /// `HOTEL_CURRENCY`.
    pub currency: Currency,
    /// `HOTEL_COUNTRY`: country of phone numbers written without a country code.
    pub country: Country,
    /// `GUEST_OPEN_BOOKINGS`, `GUEST_OPEN_NIGHTS`: what one guest may book without the front desk.
    pub booking_limit: BookingLimit,
    /// `HOTEL_HOLD_CENTS`: added to a hold at check-in for each remaining night; `None` places no
    /// holds.
    pub hold_per_night: Option<Cents>,
    /// `HOTEL_NAME`, `HOTEL_TAGLINE`, `HOTEL_ADDRESS`, `HOTEL_PHONE`, `HOTEL_EMERGENCY_NUMBER`, `HOTEL_LOCALE`.
    pub profile: HotelProfile,
    /// `HOTEL_PHOTO`: path of the file.
    pub photo: Option<PathBuf>,
    /// `HOTEL_ROOM_PHOTOS`: paths of the files by room type.
    pub room_photos: BTreeMap<String, PathBuf>,
}

impl HotelConfig {
    pub(super) fn read(from: &mut Reader<'_>, demo: bool) -> Self {
        let time_zone = match from.text("HOTEL_TIME_ZONE") {
            None if demo => TimeZone::get(DEMO_TIME_ZONE).unwrap_or(TimeZone::UTC),
            None => TimeZone::UTC,
            Some(name) => TimeZone::get(&name).unwrap_or_else(|_| {
                from.problem(
                    "HOTEL_TIME_ZONE",
                    format!("{name:?} is not an IANA name such as Europe/Berlin or UTC"),
                );
                TimeZone::UTC
            }),
        };
        let day_changes_at = day_changes_at(from);
        let currency = from
            .parsed(
                "HOTEL_CURRENCY",
                "a three-letter code of a currency with two decimals, such as usd",
            )
            .unwrap_or(Currency::USD);
        let code = from
            .text("HOTEL_COUNTRY")
            .unwrap_or_else(|| "US".to_owned());
        let country = code.parse().unwrap_or_else(|words| {
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
        let hold_per_night = from.text("HOTEL_HOLD_CENTS").map(|_| {
            let cents = from.number("HOTEL_HOLD_CENTS", 0, 0..=MAX_HOLD_CENTS);
            Cents(i64::try_from(cents).unwrap_or_default())
        });
        let photo = photo(from);
        let room_photos = room_photos(from);
        // A network of the hotel's own may be open
        let own_wifi = from.text("HOTEL_WIFI_NETWORK").is_some();
        let in_demo = |text: &'static str| demo.then_some(text);
        let amenities = from.text("HOTEL_AMENITIES");
        let own_amenities = amenities.is_some();
        let amenities = amenities.or_else(|| in_demo(DEMO_AMENITIES).map(str::to_owned));
        let demo_rooms = in_demo(DEMO_ROOM_AMENITIES).filter(|_| !own_amenities);
        let profile = HotelProfile {
            name: line(from, "HOTEL_NAME", 60).unwrap_or_else(|| HotelProfile::default().name),
            tagline: line(from, "HOTEL_TAGLINE", 160)
                .unwrap_or_else(|| HotelProfile::default().tagline),
            address: line(from, "HOTEL_ADDRESS", 200),
            phone: phone(from, "HOTEL_PHONE").or_else(|| demo.then(|| DEMO_PHONE.to_owned())),
            emergency_number: phone(from, "HOTEL_EMERGENCY_NUMBER")
                .or_else(|| emergency_number(&code)),
            photo: photo.is_some().then(|| PHOTO_PATH.to_owned()),
            room_photos: room_photos
                .keys()
                .map(|kind| (kind.clone(), room_photo_path(kind)))
                .collect(),
            amenities: list(from, "HOTEL_AMENITIES", &amenities.unwrap_or_default()),
            room_amenities: room_amenities(from, demo_rooms),
            check_in_from: hour(from, "HOTEL_CHECK_IN_FROM", in_demo("3 PM")),
            check_out_by: hour(from, "HOTEL_CHECK_OUT_BY", in_demo("11 AM")),
            breakfast: about_stay(
                from,
                "HOTEL_BREAKFAST",
                120,
                in_demo("7 to 10:30 AM, on the terrace above the pool"),
            ),
            wifi_network: about_stay(from, "HOTEL_WIFI_NETWORK", 32, in_demo("Dewy Guests")),
            wifi_password: about_stay(
                from,
                "HOTEL_WIFI_PASSWORD",
                63,
                in_demo("morning-dew").filter(|_| !own_wifi),
            ),
            directions: about_stay(
                from,
                "HOTEL_DIRECTIONS",
                300,
                in_demo("Ten minutes from the train station, along the coast road."),
            ),
            map_url: from.url("HOTEL_MAP_URL").map(String::from),
            privacy: document(from, "HOTEL_PRIVACY", in_demo(DEMO_PRIVACY)),
            terms: document(from, "HOTEL_TERMS", in_demo(DEMO_TERMS)),
            taxes: line(from, "HOTEL_TAXES", 300)
                .unwrap_or_default()
                .split(';')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
            tax_number: line(from, "HOTEL_TAX_NUMBER", 60),
            places_holds: hold_per_night.is_some(),
            locale: locale(from),
        };
        Self {
            time_zone,
            day_changes_at,
            currency,
            country,
            booking_limit,
            hold_per_night,
            profile,
            photo,
            room_photos,
        }
    }
}

/// Time of day at which the hotel's day begins.
fn day_changes_at(from: &mut Reader<'_>) -> Time {
    const NAME: &str = "HOTEL_DAY_CHANGES_AT";
    let Some(text) = from.text(NAME) else {
        return USUAL_DAY_CHANGE;
    };
    let time = Time::strptime("%H:%M", &text).ok();
    match time.filter(|time| *time <= LATEST_DAY_CHANGE) {
        Some(time) => time,
        None => {
            from.problem(
                NAME,
                format!("{text:?} is not a time from 00:00 to 12:00, such as 04:00"),
            );
            USUAL_DAY_CHANGE
        }
    }
}

impl HotelConfig {
    pub fn calendar(&self) -> HotelCalendar {
        HotelCalendar {
            time_zone: self.time_zone.clone(),
            day_changes_at: self.day_changes_at,
        }
    }
}

/// One line of text with a maximum length.
fn line(from: &mut Reader<'_>, name: &'static str, longest: usize) -> Option<String> {
    let text = from.text(name)?;
    if text.chars().count() > longest || text.chars().any(char::is_control) {
        from.problem(
            name,
            format!("must be one line of at most {longest} characters"),
        );
        return None;
    }
    Some(text)
}

/// One line about the stay; a demo has a fictional one.
fn about_stay(
    from: &mut Reader<'_>,
    name: &'static str,
    longest: usize,
    in_demo: Option<&str>,
) -> Option<String> {
    line(from, name, longest).or_else(|| in_demo.map(str::to_owned))
}

/// Hour of arrival or departure, `11 AM` or `11:00`; a demo has a fictional one.
fn hour(from: &mut Reader<'_>, name: &'static str, in_demo: Option<&str>) -> Option<Time> {
    let text = from.text(name).or_else(|| in_demo.map(str::to_owned))?;
    let words = text.to_ascii_uppercase().replace('.', "");
    let formats = ["%I %p", "%I:%M %p", "%H:%M"];
    let read = |format: &&str| Time::strptime(format, &words).ok();
    let time = formats.iter().find_map(read);
    if time.is_none() {
        let words = format!("{text:?} is not a time of day such as 11 AM or 11:30");
        from.problem(name, words);
    }
    time
}

/// Format of dates and money.
fn locale(from: &mut Reader<'_>) -> Locale {
    let Some(text) = from.text("HOTEL_LOCALE") else {
        return Locale::default();
    };
    text.parse().unwrap_or_else(|unknown: UnknownLocale| {
        from.problem("HOTEL_LOCALE", unknown.to_string());
        Locale::default()
    })
}

/// Phone number that can be dialed.
fn phone(from: &mut Reader<'_>, name: &'static str) -> Option<String> {
    let text = from.text(name)?;
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let plain = text
        .chars()
        .all(|c| c.is_ascii_digit() || " +-().".contains(c));
    if !plain || !(3..=15).contains(&digits) || text.rfind('+').is_some_and(|at| at > 0) {
        from.problem(
            name,
            format!("{text:?} is not a phone number such as +1 212 555 0190"),
        );
        return None;
    }
    Some(text)
}

/// Emergency number for countries with a single one; elsewhere the hotel must configure its own.
fn emergency_number(country: &str) -> Option<String> {
    matches!(country.to_ascii_uppercase().as_str(), "US" | "CA").then(|| "911".to_owned())
}

fn photo(from: &mut Reader<'_>) -> Option<PathBuf> {
    let file = PathBuf::from(from.text("HOTEL_PHOTO")?);
    if photo_type(&file).is_none() {
        from.problem(
            "HOTEL_PHOTO",
            "must be the path of a .jpg, .png, .webp or .avif file",
        );
        return None;
    }
    Some(file)
}

/// `Standard=path; Suite=path`.
fn room_photos(from: &mut Reader<'_>) -> BTreeMap<String, PathBuf> {
    let mut photos = BTreeMap::new();
    let text = from.text("HOTEL_ROOM_PHOTOS").unwrap_or_default();
    for pair in text
        .split(';')
        .map(str::trim)
        .filter(|pair| !pair.is_empty())
    {
        let read = pair
            .split_once('=')
            .map(|(kind, file)| (kind.trim(), PathBuf::from(file.trim())));
        match read.filter(|(kind, file)| ROOM_TYPES.contains(kind) && photo_type(file).is_some()) {
            Some((kind, file)) => drop(photos.insert(kind.to_owned(), file)),
            None => from.problem(
                "HOTEL_ROOM_PHOTOS",
                format!("{pair:?} is not a room type (Standard, Deluxe, Suite or Penthouse), =, and the path of a .jpg, .png, .webp or .avif file"),
            ),
        }
    }
    photos
}

/// `Free Wi-Fi, Air conditioning`.
fn list(from: &mut Reader<'_>, name: &'static str, text: &str) -> Vec<String> {
    let all = text.split(',').map(str::trim).filter(|one| !one.is_empty());
    let all: Vec<String> = all.map(str::to_owned).collect();
    let plain = |one: &String| {
        one.chars().count() <= MAX_AMENITY_LENGTH && !one.chars().any(char::is_control)
    };
    if all.len() > MAX_AMENITIES || !all.iter().all(plain) {
        from.problem(
            name,
            format!(
                "must be at most {MAX_AMENITIES} amenities of at most {MAX_AMENITY_LENGTH} characters, separated by commas"
            ),
        );
        return Vec::new();
    }
    all
}

/// `Deluxe=Bathrobes, Balcony; Suite=Bathtub`.
fn room_amenities(from: &mut Reader<'_>, in_demo: Option<&str>) -> BTreeMap<String, Vec<String>> {
    const NAME: &str = "HOTEL_ROOM_AMENITIES";
    let mut amenities = BTreeMap::new();
    let text = from.text(NAME).or_else(|| in_demo.map(str::to_owned));
    let text = text.unwrap_or_default();
    for pair in text
        .split(';')
        .map(str::trim)
        .filter(|pair| !pair.is_empty())
    {
        let read = pair.split_once('=').map(|(kind, all)| (kind.trim(), all));
        match read.filter(|(kind, _)| ROOM_TYPES.contains(kind)) {
            Some((kind, all)) => drop(amenities.insert(kind.to_owned(), list(from, NAME, all))),
            None => from.problem(
                NAME,
                format!("{pair:?} is not a room type (Standard, Deluxe, Suite or Penthouse), =, and its amenities"),
            ),
        }
    }
    amenities
}

/// Media type of a photo, by its extension.
pub fn photo_type(file: &Path) -> Option<&'static str> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    let found = PHOTO_TYPES.iter().find(|(known, _)| *known == ending);
    found.map(|(_, kind)| *kind)
}

pub fn room_photo_path(kind: &str) -> String {
    format!("{PHOTO_PATH}/{}", kind.to_lowercase())
}
