//! Formats dates and money in the hotel's locale (`HOTEL_LOCALE`), from CLDR data.

use std::{
    collections::HashMap,
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use icu_calendar::{Date as IcuDate, Gregorian};
use icu_datetime::{
    FixedCalendarDateTimeFormatter, NoCalendarFormatter,
    fieldsets::{MDE, T, YMD, YMDE},
    input::Time as IcuTime,
};
use icu_decimal::{DecimalFormatter, input::Decimal};
use jiff::civil::{Date, Time};

use crate::money::{Cents, Money};

/// The default: a hotel in the United States.
const DEFAULT: &str = "en-US";

static EN_US: LazyLock<Option<Locale>> = LazyLock::new(|| Locale::load(DEFAULT));

/// A locale and its formatters; cheap to clone.
#[derive(Clone)]
pub struct Locale {
    tag: Arc<str>,
    formatters: Option<Arc<Formatters>>,
}

/// Cache of locales by language and hotel locale; loading one is slow.
static IN_LANGUAGES: LazyLock<RwLock<HashMap<(String, String), Locale>>> =
    LazyLock::new(RwLock::default);

struct Formatters {
    day: FixedCalendarDateTimeFormatter<Gregorian, YMDE>,
    short_day: FixedCalendarDateTimeFormatter<Gregorian, MDE>,
    date: FixedCalendarDateTimeFormatter<Gregorian, YMD>,
    time: NoCalendarFormatter<T>,
    number: DecimalFormatter,
}

/// The text names no locale whose dates and numbers are known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a known locale; write a language and a region, such as en-US, en-GB, de-DE or pt-BR"
)]
pub struct UnknownLocale(String);

impl Locale {
    fn load(tag: &str) -> Option<Self> {
        let locale = icu_locale_core::Locale::try_from_str(tag).ok()?;
        let tag = Arc::from(locale.to_string());
        let formatters = Formatters::load(&locale)?;
        Some(Self {
            tag,
            formatters: Some(Arc::new(formatters)),
        })
    }

    /// How a language is written in this locale's country: Spanish in the United States is `es-US`.
    #[must_use]
    pub fn in_language(&self, language: &str) -> Self {
        let same = |tag: &str| tag.split('-').next() == Some(language);
        if same(self.tag()) {
            return self.clone();
        }
        let key = (language.to_owned(), self.tag().to_owned());
        let known = IN_LANGUAGES
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .cloned();
        known.unwrap_or_else(|| {
            let there = self.tag().rsplit_once('-');
            let there = there.and_then(|(_, region)| Self::load(&format!("{language}-{region}")));
            let locale = there
                .or_else(|| Self::load(language))
                .unwrap_or_else(|| self.clone());
            IN_LANGUAGES
                .write()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(key, locale.clone());
            locale
        })
    }

    /// Its name: `en-US`.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// `Fri, Nov 20, 2026`.
    #[must_use]
    pub fn day(&self, date: Date) -> String {
        self.written(date, |formatters, date| {
            formatters.day.format(date).to_string()
        })
    }

    /// `Fri, Nov 20`, where the year goes without saying.
    #[must_use]
    pub fn short_day(&self, date: Date) -> String {
        self.written(date, |formatters, date| {
            formatters.short_day.format(date).to_string()
        })
    }

    /// `Nov 20, 2026`.
    #[must_use]
    pub fn date(&self, date: Date) -> String {
        self.written(date, |formatters, date| {
            formatters.date.format(date).to_string()
        })
    }

    /// `2:03 PM`, or `14:03` where people write it so.
    #[must_use]
    pub fn time(&self, time: Time) -> String {
        let (hour, minute) = (time.hour().unsigned_abs(), time.minute().unsigned_abs());
        let known = IcuTime::try_new(hour, minute, 0, 0).ok();
        match (&self.formatters, known) {
            // Narrow spaces look like none in some fonts
            (Some(formatters), Some(known)) => formatters
                .time
                .format(&known)
                .to_string()
                .replace(['\u{202f}', '\u{a0}'], " "),
            _ => time.strftime("%H:%M").to_string(),
        }
    }

    /// Hour that the hotel states, `3 PM`, to a reader of English or of another language.
    #[must_use]
    pub fn stated_hour(&self, time: Time, in_english: bool) -> String {
        match (in_english, time.minute()) {
            (true, 0) => time.strftime("%-I %p").to_string(),
            (true, _) => time.strftime("%-I:%M %p").to_string(),
            (false, _) => self.time(time),
        }
    }

    fn written(
        &self,
        date: Date,
        write: impl FnOnce(&Formatters, &IcuDate<Gregorian>) -> String,
    ) -> String {
        let (month, day) = (date.month().unsigned_abs(), date.day().unsigned_abs());
        let known = IcuDate::try_new_gregorian(i32::from(date.year()), month, day).ok();
        match (&self.formatters, known) {
            (Some(formatters), Some(known)) => write(formatters, &known),
            _ => date.to_string(),
        }
    }

    /// Whether the bare sign is the US dollar to its readers: in English, and in the United States.
    fn knows_the_dollar(&self) -> bool {
        self.tag.starts_with("en") || self.tag.ends_with("-US")
    }

    /// `1,400`.
    #[must_use]
    pub fn count(&self, count: i64) -> String {
        match &self.formatters {
            Some(formatters) => formatters.number.format(&Decimal::from(count)).to_string(),
            None => count.to_string(),
        }
    }

    /// `$250.00`, `-£12.50`, `€ 250,00`, `250,00 €`; a currency without a sign of its own has its code
    /// behind the amount, which is read in every language.
    #[must_use]
    pub fn money(&self, money: Money) -> String {
        let amount = match &self.formatters {
            Some(formatters) => {
                let mut amount = Decimal::from(money.cents.0.unsigned_abs());
                amount.multiply_pow10(-2);
                formatters.number.format(&amount).to_string()
            }
            None => Cents(money.cents.0.saturating_abs()).to_decimal(),
        };
        let minus = if money.cents.0 < 0 { "−" } else { "" };
        let sign = money
            .currency
            .sign()
            .filter(|sign| *sign != "$" || self.knows_the_dollar());
        let language = self.tag.split('-').next().unwrap_or_default();
        match (sign, language) {
            (Some(sign @ ("kr" | "zł" | "Kč")), _) => format!("{minus}{amount} {sign}"),
            (Some(sign), "nl" | "pt") => format!("{minus}{sign} {amount}"),
            (Some(sign), "en" | "ja" | "zh" | "hi") => format!("{minus}{sign}{amount}"),
            (Some(sign), _) if self.tag.ends_with("-US") => format!("{minus}{sign}{amount}"),
            (Some(sign), _) => format!("{minus}{amount} {sign}"),
            (None, _) => format!("{minus}{amount} {}", money.currency.code().to_uppercase()),
        }
    }
}

impl Formatters {
    /// `None` for a locale that has no names of its own: it would write as the root does.
    fn load(locale: &icu_locale_core::Locale) -> Option<Self> {
        let own = Self::of(locale)?;
        let root = Self::of(&icu_locale_core::Locale::UNKNOWN)?;
        let sample = IcuDate::try_new_gregorian(2026, 11, 28).ok()?;
        let differs = own.day.format(&sample).to_string() != root.day.format(&sample).to_string();
        differs.then_some(own)
    }

    fn of(locale: &icu_locale_core::Locale) -> Option<Self> {
        Some(Self {
            day: FixedCalendarDateTimeFormatter::try_new(locale.into(), YMDE::medium()).ok()?,
            short_day: FixedCalendarDateTimeFormatter::try_new(locale.into(), MDE::medium())
                .ok()?,
            date: FixedCalendarDateTimeFormatter::try_new(locale.into(), YMD::medium()).ok()?,
            time: NoCalendarFormatter::try_new(locale.into(), T::hm()).ok()?,
            number: DecimalFormatter::try_new(locale.into(), Default::default()).ok()?,
        })
    }
}

impl Default for Locale {
    fn default() -> Self {
        EN_US.clone().unwrap_or_else(|| Self {
            tag: Arc::from(DEFAULT),
            formatters: None,
        })
    }
}

impl FromStr for Locale {
    type Err = UnknownLocale;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::load(text.trim()).ok_or_else(|| UnknownLocale(text.to_owned()))
    }
}

impl PartialEq for Locale {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}

impl Eq for Locale {}

impl fmt::Debug for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Locale").field(&self.tag).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    fn money(cents: i64, currency: &str) -> Money {
        Money {
            cents: Cents(cents),
            currency: currency.parse().unwrap(),
        }
    }

    #[test]
    fn us_locale_formats() {
        let locale = Locale::default();
        let day = "2026-11-28".parse().unwrap();
        assert_eq!(locale.day(day), "Sat, Nov 28, 2026");
        assert_eq!(locale.short_day(day), "Sat, Nov 28");
        assert_eq!(locale.date(day), "Nov 28, 2026");
        assert_eq!(locale.time(jiff::civil::time(14, 3, 9, 0)), "2:03 PM");
        assert_eq!(locale.time(jiff::civil::time(0, 30, 0, 0)), "12:30 AM");
        for (cents, text) in [
            (25000, "$250.00"),
            (-1250, "−$12.50"),
            (5, "$0.05"),
            (123_456_789, "$1,234,567.89"),
        ] {
            assert_eq!(locale.money(money(cents, "usd")), text);
        }
        for (cents, currency, text) in [
            (5, "eur", "€0.05"),
            (-123_456, "gbp", "−£1,234.56"),
            (700, "chf", "7.00 CHF"),
            (700, "cad", "7.00 CAD"),
            (700, "sek", "7.00 kr"),
        ] {
            assert_eq!(locale.money(money(cents, currency)), text);
        }
        assert_eq!(locale.tag(), "en-US");
        assert_eq!(Currency::USD.code(), "usd");
    }

    #[test]
    fn other_locale_formats() {
        let day = "2026-11-28".parse().unwrap();
        let of = |tag: &str| tag.parse::<Locale>().unwrap();
        assert_eq!(of("de-DE").short_day(day), "Sa., 28. Nov.");
        assert_eq!(of("en-GB").short_day(day), "Sat 28 Nov");
        let time = jiff::civil::time(14, 3, 0, 0);
        assert_eq!(of("de-DE").time(time), "14:03");
        assert_eq!(of("es-US").time(time), "2:03 p.m.");
        assert_eq!(of("de-DE").money(money(123_456, "eur")), "1.234,56 €");
        assert_eq!(of("es-US").short_day(day), "sáb, 28 de nov");
        assert_eq!(of("es-US").money(money(123_456, "usd")), "$1,234.56");
        assert_eq!(of("es-ES").money(money(123_456, "usd")), "1234,56 USD");
        assert_eq!(of("pt-BR").money(money(123_456, "brl")), "R$ 1.234,56");
        assert_eq!(of("en-GB").money(money(123_456, "gbp")), "£1,234.56");
        assert_eq!(of("es-ES").money(money(123_456, "gbp")), "1234,56 £");
    }

    #[test]
    fn an_unknown_locale_is_refused_with_valid_examples() {
        for text in ["", "xx-XX", "deutsch", "en US", "1", "C"] {
            let error = text.parse::<Locale>().unwrap_err().to_string();
            assert!(error.contains("such as en-US"), "{text}: {error}");
        }
    }
}
