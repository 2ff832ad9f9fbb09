//! One day: a word, a weekday, a day of a month.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::mentions::When;
use crate::llm::heard::numbers::whole;
use crate::llm::heard::words::Word;

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The day that begins at `place`, and the place after it.
pub fn day(words: &[Word], place: usize, today: Date) -> Option<(When, usize)> {
    let text = |place: usize| words.get(place).map_or("", |word| word.text.as_str());
    let from_today = |days: i32| today.checked_add(days.days()).ok();
    if let Ok(date) = text(place).parse::<Date>() {
        return Some((When::Day(date), place + 1));
    }
    match text(place) {
        "day" if text(place + 1) == "after" && text(place + 2) == "tomorrow" => {
            return Some((When::Day(from_today(2)?), place + 3));
        }
        "today" | "tonight" => return Some((When::Day(today), place + 1)),
        "tomorrow" => return Some((When::Day(from_today(1)?), place + 1)),
        "last" if text(place + 1) == "night" => return Some((When::Day(from_today(-1)?), place + 2)),
        "yesterday" => return Some((When::Day(from_today(-1)?), place + 1)),
        "in" => {
            let (number, next) =
                whole(words, place + 1).or_else(|| (text(place + 1) == "a").then_some((1, place + 2)))?;
            let days = match text(next) {
                "day" | "days" => number,
                "week" | "weeks" => number * 7,
                _ => return None,
            };
            return Some((When::Day(from_today(i32::try_from(days).ok()?)?), next + 1));
        }
        _ => {}
    }
    if let Some((date, to)) = ago(words, place, today) {
        return Some((When::Day(date), to));
    }
    if let Some((day, month)) = slashed(text(place)) {
        return Some((When::InMonth(day, month), place + 1));
    }
    if let Some(weekday) = weekday(words, place) {
        if place > 0 && text(place - 1) == "last" {
            return Some((
                When::Day(
                    coming(weekday, today, false)
                        .checked_sub(7.days())
                        .ok()
                        .filter(|date| *date < today)
                        .or_else(|| from_today(-7))?,
                ),
                place + 1,
            ));
        }
        if let Some(date) = number(text(place + 1))
            .filter(|_| {
                !matches!(text(place + 2), "night" | "nights" | "people" | "guests" | "days" | "pm" | "am" | "of")
            })
            .and_then(|day| dated(weekday, day, today))
        {
            return Some((When::Day(date), place + 2));
        }
        let the = usize::from(text(place + 1) == "the");
        if let Some((when, to)) = in_month(words, place + 1 + the) {
            return Some((when, to));
        }
        return Some((When::Day(coming(weekday, today, place > 0 && text(place - 1) == "next")), place + 1));
    }
    in_month(words, place)
}

/// `friday 13`: the next day of that number that is such a weekday.
fn dated(weekday: Weekday, day: i8, today: Date) -> Option<Date> {
    let next = today.last_of_month().checked_add(1.day()).ok()?;
    [today, next]
        .into_iter()
        .filter_map(|month| Date::new(month.year(), month.month(), day).ok())
        .find(|date| date.weekday() == weekday)
}

/// `three days ago`, `a week ago`.
fn ago(words: &[Word], place: usize, today: Date) -> Option<(Date, usize)> {
    let text = |place: usize| words.get(place).map_or("", |word| word.text.as_str());
    let (number, next) =
        whole(words, place).or_else(|| matches!(text(place), "a" | "one").then_some((1, place + 1)))?;
    let days = match text(next) {
        "day" | "days" => number,
        "week" | "weeks" => number * 7,
        _ => return None,
    };
    (text(next + 1) == "ago").then(|| today.checked_sub(days.days()).ok().map(|date| (date, next + 2)))?
}

/// `14/3`, `14/03/2026`; `3/14` where the second number can be no month.
fn slashed(text: &str) -> Option<(i8, i8)> {
    let mut parts = text.split('/');
    let (one, other) = (number(parts.next()?)?, number(parts.next()?)?);
    match (one, other) {
        (day, month) if month < 13 => Some((day, month)),
        (month, day) if month < 13 => Some((day, month)),
        _ => None,
    }
}

/// The coming one; `next` means the one of the week after where that is another.
fn coming(weekday: Weekday, today: Date, next: bool) -> Date {
    let ahead = i32::from(today.weekday().until(weekday));
    let ahead = if ahead == 0 { 7 } else { ahead };
    let same_week = weekday.to_monday_zero_offset() > today.weekday().to_monday_zero_offset();
    let days = if next && same_week { ahead + 7 } else { ahead };
    today.checked_add(days.days()).unwrap_or(today)
}

fn in_month(words: &[Word], place: usize) -> Option<(When, usize)> {
    let text = |place: usize| words.get(place).map_or("", |word| word.text.as_str());
    if let Some(named) = month(words, place)
        && let Some(day) = number(ordinal(text(place + 1)).unwrap_or(text(place + 1)))
    {
        return Some((When::InMonth(day, named), year(words, place + 2)));
    }
    let ordinal = ordinal(text(place));
    let day = number(ordinal.unwrap_or(text(place)))?;
    let of = place + 1 + usize::from(text(place + 1) == "of");
    if let Some(named) = month(words, of) {
        return Some((When::InMonth(day, named), year(words, of + 1)));
    }
    // `27 to 29 March`: the first number is a day because the second one is.
    let bare_range = matches!(text(place + 1), "to" | "until" | "till" | "and" | "through")
        && matches!(in_month(words, place + 2), Some((When::InMonth(..), _)));
    let floor = matches!(text(place + 1), "floor" | "floors" | "storey" | "time");
    ((ordinal.is_some() && !floor) || bare_range).then_some((When::OfMonth(day), place + 1))
}

fn year(words: &[Word], place: usize) -> usize {
    place + usize::from(words.get(place).is_some_and(|word| word.text.len() == 4 && word.text.starts_with("20")))
}

fn ordinal(text: &str) -> Option<&str> {
    ["th", "st", "nd", "rd"].iter().find_map(|end| text.strip_suffix(end)).filter(|number| number.parse::<i8>().is_ok())
}

/// A day of a month.
pub fn number(text: &str) -> Option<i8> {
    text.parse().ok().filter(|day| (1..=31).contains(day) && !text.starts_with('+'))
}

/// The month that is named at `place`.
pub fn month(words: &[Word], place: usize) -> Option<i8> {
    let text = words.get(place)?.text.as_str();
    let place = MONTHS.iter().position(|month| *month == text || (text.len() == 3 && month.starts_with(text)))?;
    i8::try_from(place + 1).ok()
}

fn weekday(words: &[Word], place: usize) -> Option<Weekday> {
    let text = words.get(place)?.text.as_str();
    let whole = |text: &str| {
        Some(match text {
            "monday" | "mondays" => Weekday::Monday,
            "tuesday" | "tuesdays" => Weekday::Tuesday,
            "wednesday" | "wednesdays" | "wed" => Weekday::Wednesday,
            "thursday" | "thursdays" | "thu" => Weekday::Thursday,
            "friday" | "fridays" | "fri" => Weekday::Friday,
            "saturday" | "saturdays" => Weekday::Saturday,
            "sunday" | "sundays" => Weekday::Sunday,
            _ => return None,
        })
    };
    let short = match text {
        "mon" => Some(Weekday::Monday),
        "tue" => Some(Weekday::Tuesday),
        "sat" => Some(Weekday::Saturday),
        "sun" => Some(Weekday::Sunday),
        _ => None,
    };
    const BESIDE: &[&str] = &["from", "to", "on", "until", "till", "this", "next", "and", "friday"];
    let beside = |place: usize| words.get(place).is_some_and(|word| BESIDE.contains(&word.text.as_str()));
    whole(text).or_else(|| {
        short.filter(|_| beside(place + 1) || (place > 0 && (beside(place - 1) || words[place - 1].text == "fri")))
    })
}
