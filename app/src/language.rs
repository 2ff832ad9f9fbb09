//! Language of a request: what the guest chose, else what the browser prefers, else the hotel's.
//!
//! ```text
//! cookie ─► Accept-Language ─► HOTEL_LOCALE ─► RequestLanguage ─► t!("landing-our-rooms"), locale(): dates and money
//! ```
//! Staff pages are English.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use dewy_domain::{hotel_profile::HotelProfile, locale::Locale, sentence::Sentence};
pub(crate) use dewy_languages::{Language, Value};
use jiff::civil::Date;
use leptos::prelude::*;

use crate::{cookie, hotel_profile::hotel, hotel_time, http_request::with_request};

/// Cookie with the tag that the guest chose.
pub(crate) const COOKIE: &str = "dewy_language";

/// Begins and ends the place of a part that isn't text.
const PLACEHOLDER: char = '\u{1}';

/// Language and locale of a request.
#[derive(Clone, Debug)]
struct RequestLanguage {
    language: Language,
    locale: Locale,
}

/// Text of a message: `t!("landing-our-rooms")`, or with values `t!("nights", count = 2)`.
macro_rules! t {
    ($id:expr) => {
        $crate::language::text($id)
    };
    ($id:expr, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::language::format(
            $id,
            &[$((stringify!($name), $crate::language::Value::from($value))),+],
        )
    };
}
pub(crate) use t;

/// Finds the request's language and provides it; the server calls it once per request.
pub fn provide_language() {
    let hotel = hotel();
    let language = with_request(|parts| {
        if is_for_staff(parts.uri.path(), &parts.headers) {
            RequestLanguage {
                language: Language::english(),
                locale: hotel.locale.clone(),
            }
        } else {
            RequestLanguage::of(&parts.headers, &hotel)
        }
    });
    if let Some(language) = language {
        provide_context(language);
    }
}

/// Provides a guest's language where there is no request; the hotel's if it is not known.
pub(crate) fn provide_language_of(tag: Option<&str>) {
    let language = tag.and_then(Language::named);
    provide_context(RequestLanguage::reading(language, &hotel()));
}

/// Language of the reader of a response that is not a page.
#[must_use]
pub fn reader_language(path: &str, headers: &HeaderMap, hotel: &HotelProfile) -> Language {
    if is_for_staff(path, headers) {
        Language::english()
    } else {
        RequestLanguage::of(headers, hotel).language
    }
}

/// Language that a guest chose, or else their browser prefers.
#[must_use]
pub fn preferred_language(headers: &HeaderMap) -> Option<Language> {
    let chosen = cookie::read(headers, COOKIE).and_then(Language::named);
    chosen.or_else(|| {
        let header = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        Language::accepted(header)
    })
}

/// Whether staff read the answer: of a form, those who sent it.
fn is_for_staff(path: &str, headers: &HeaderMap) -> bool {
    let page = if path.starts_with("/form/") {
        let from = headers.get(header::REFERER);
        from.and_then(|from| from.to_str().ok())
            .and_then(|from| from.split_once("://"))
            .and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)))
            .unwrap_or_default()
    } else {
        path
    };
    page == "/staff" || page.starts_with("/staff/") || page.starts_with("/staff?")
}

impl RequestLanguage {
    fn of(headers: &HeaderMap, hotel: &HotelProfile) -> Self {
        Self::reading(preferred_language(headers), hotel)
    }

    /// That language, or else the hotel's.
    fn reading(language: Option<Language>, hotel: &HotelProfile) -> Self {
        match language.or_else(|| Language::named(hotel.locale.tag())) {
            Some(language) => Self {
                language,
                locale: hotel.locale.in_language(language.tag()),
            },
            // The hotel's own language has no file: English, with the dates people there write
            None => Self {
                language: Language::english(),
                locale: hotel.locale.clone(),
            },
        }
    }
}

/// Language of this request; English where there is none.
pub(crate) fn language() -> Language {
    with_context(|request: &RequestLanguage| request.language).unwrap_or_default()
}

pub(crate) fn locale() -> Locale {
    with_context(|request: &RequestLanguage| request.locale.clone())
        .or_else(|| with_context(|hotel: &Arc<HotelProfile>| hotel.locale.clone()))
        .unwrap_or_default()
}

/// Message without values.
pub(crate) fn text(id: &str) -> &'static str {
    language().text(id)
}

pub(crate) fn format(id: &str, values: &[(&str, Value<'_>)]) -> String {
    language().format(id, values)
}

/// `Sat, Nov 28` or `2026-11-28` as the reader writes it. The year of the former is the one near now
/// in which that is the day of the week.
fn short_day(english: &str) -> Option<String> {
    if let Ok(date) = Date::strptime("%Y-%m-%d", english) {
        return Some(locale().short_day(date));
    }
    let year = hotel_time::today()?.year();
    let mut years = [year, year + 1, year - 1, year + 2].into_iter();
    let date =
        years.find_map(|year| Date::strptime("%a, %b %d %Y", format!("{english} {year}")).ok())?;
    Some(locale().short_day(date))
}

/// A sentence of the backend as the reader reads it, with days as they write them.
pub(crate) fn told(sentence: &Sentence) -> String {
    sentence.told(short_day, |id, values| language().translation(id, values))
}

/// Entry of a list of the hotel or the backend, such as a bed or a tool's title, as the reader reads it.
pub(crate) fn named(list: &str, english: &str) -> String {
    told(&Sentence::named(list, english.to_owned()))
}

/// Message of an entry of a list that the program names, such as a tool, if there is one.
pub(crate) fn message_of(list: &str, name: &str) -> Option<&'static str> {
    let (id, language) = (Sentence::id_in(list, name), language());
    language.has(&id).then(|| language.text(&id))
}

/// Message whose variables in `parts` are views, such as a link or an amount in bold. Each language
/// puts them where it needs them.
pub(crate) fn rich(id: &str, parts: Vec<(&str, AnyView)>, values: &[(&str, Value<'_>)]) -> AnyView {
    let places = parts
        .iter()
        .enumerate()
        .map(|(n, (name, _))| (*name, Value::from(format!("{PLACEHOLDER}{n}{PLACEHOLDER}"))));
    let values: Vec<_> = places.chain(values.iter().cloned()).collect();
    let text = format(id, &values);
    let mut parts: Vec<_> = parts.into_iter().map(|(_, view)| Some(view)).collect();
    let mut views = Vec::new();
    for (n, piece) in text.split(PLACEHOLDER).enumerate() {
        // Between two marks is a number of a part, and around them are words
        if n % 2 == 0 {
            if !piece.is_empty() {
                views.push(piece.to_owned().into_any());
            }
        } else if let Some(view) = piece
            .parse::<usize>()
            .ok()
            .and_then(|n| parts.get_mut(n)?.take())
        {
            views.push(view);
        }
    }
    views.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cookie: &str, accept: &str, hotel: &str) -> (&'static str, String) {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::COOKIE, cookie), (header::ACCEPT_LANGUAGE, accept)] {
            if !value.is_empty() {
                headers.insert(name, value.parse().unwrap());
            }
        }
        let hotel = HotelProfile {
            locale: hotel.parse().unwrap(),
            ..HotelProfile::default()
        };
        let found = RequestLanguage::of(&headers, &hotel);
        (found.language.tag(), found.locale.tag().to_owned())
    }

    fn told(language: &'static str, locale: &str) -> (&'static str, String) {
        (language, locale.to_owned())
    }

    #[test]
    fn days_of_a_sentence_are_written_as_the_reader_writes_them() {
        let said = |tag, sentence: Sentence| {
            Owner::new().with(|| {
                provide_context(Arc::new(HotelProfile::default()));
                provide_language_of(Some(tag));
                super::told(&sentence)
            })
        };
        let changed = dewy_domain::said!(
            "booking-changed",
            booking = "BK-0034",
            room = "1205",
            from = "2026-11-25",
            to = "2026-11-28"
        );
        assert_eq!(
            said("en", changed.clone()),
            "Booking BK-0034: room 1205 from Wed, Nov 25 to Sat, Nov 28."
        );
        let spanish = said("es", changed);
        assert!(
            spanish.contains("1205") && !spanish.contains("2026-"),
            "{spanish}"
        );
        assert_eq!(
            said("en", "Something else, 2026-11-25".into()),
            "Something else, 2026-11-25"
        );
    }

    #[test]
    fn a_chosen_language_wins_over_the_browser_and_the_hotel() {
        assert_eq!(of("", "", "en-US"), told("en", "en-US"));
        assert_eq!(of("", "es-MX,es;q=0.9", "en-US"), told("es", "es-US"));
        assert_eq!(
            of("a=b; dewy_language=en", "es-MX", "en-US"),
            told("en", "en-US")
        );
        assert_eq!(of("dewy_language=es", "en", "en-GB"), told("es", "es-GB"));
        assert_eq!(
            of("dewy_language=xx", "fr, es;q=0.1", "en-US"),
            told("es", "es-US")
        );
        assert_eq!(of("", "fr", "es-ES"), told("es", "es-ES"));
        assert_eq!(of("", "", "de-DE"), told("en", "de-DE"));
        assert_eq!(of("", "en", "de-DE"), told("en", "en-DE"));
    }
}
