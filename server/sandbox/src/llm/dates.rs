//! Dates and nights: `tomorrow for two nights`, `the 24th of March`, `fri to sun`, `since 1 March`.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use regex::Captures;

use super::entity::{Entity, number};

/// A date without a year means this year if it is at most this many days in the past.
const LOOK_BACK: i64 = 31;
pub const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec";
const WEEKDAYS: &str = "mon tue wed thu fri sat sun";
/// Words that can precede a date; each is a capture group of the patterns.
const LEADS: [&str; 5] = ["since", "from", "end", "to", "and"];

/// First and last day, as far as they are known.
pub type Days = (Option<Date>, Option<Date>);

/// Place of the listed name that a text starts with, from one.
fn place(list: &str, text: &str) -> Option<i8> {
    let place = list.split(' ').position(|name| text.starts_with(name))?;
    i8::try_from(place + 1).ok()
}

/// Reads a date that a pattern found: relative to today, or a day of a month.
pub fn read(found: &Captures<'_>, entity: &mut Entity, today: Date) {
    let group = |name: &str| found.name(name).map(|group| group.as_str());
    let month = group("month").and_then(|month| place(MONTHS, month));
    let weekday = group("weekday").and_then(|name| place(WEEKDAYS, name));
    let weekday = weekday.and_then(|day| Weekday::from_monday_one_offset(day).ok());
    let ahead = weekday.map_or(0, |day| (i64::from(today.weekday().until(day)) + 6) % 7 + 1);
    let date = add(today, entity.number + ahead);
    entity.date = Some(entity.text.parse().unwrap_or(date));
    let day = group("day").and_then(|day| i8::try_from(number(day)).ok());
    entity.day = day.map(|day| (day, month));
    // Days in digits stay as they are.
    let digits = entity.text.contains(|letter: char| letter.is_ascii_digit());
    entity.number = digits.into();
    let lead = LEADS.into_iter().find(|lead| group(lead).is_some());
    lead.unwrap_or_default().clone_into(&mut entity.text);
}

/// Resolves the dates of a sentence by each other: `the 3rd to the 6th of May`.
pub fn resolve(entities: &mut [Entity], line: &str, today: Date) {
    let mut longer = ["extend", "prolong", "lengthen", "longer"].into_iter();
    let extends = longer.any(|word| line.contains(word));
    let month = entities.iter().rev().find_map(|entity| entity.day?.1);
    let (mut before, mut end) = ("", None);
    for entity in entities.iter_mut().filter(|entity| entity.kind == "Day") {
        before = match entity.text.as_str() {
            "end" => "to",
            "to" if extends || end.is_some_and(|end| entity.from <= end + 3) => "to",
            "to" | "and" if before == "from" => "to",
            "from" => "from",
            "since" => "since",
            _ => "",
        };
        if let Some((day, own)) = entity.day {
            entity.date = date_of(day, own.or(month), before == "since", today);
        } else if before == "since" && entity.date > Some(today) {
            entity.date = entity.date.map(|date| add(date, -7));
        }
        end = Some(entity.to);
        before.clone_into(&mut entity.text);
    }
}

fn date_of(day: i8, month: Option<i8>, since: bool, today: Date) -> Option<Date> {
    let Some(month) = month else {
        let next = add(today.last_of_month(), 1);
        let this = Date::new(today.year(), today.month(), day).ok();
        let this = this.filter(|date| since || *date >= today);
        return this.or_else(|| Date::new(next.year(), next.month(), day).ok());
    };
    let this = Date::new(today.year(), month, day).ok()?;
    let past = !since && add(this, LOOK_BACK) < today;
    Date::new(today.year() + i16::from(past), month, day).ok()
}

/// Arrival and departure, and the first and the last day of a search.
pub fn stay_and_range(line: &str, entities: &[Entity], today: Date) -> [Days; 2] {
    let days = entities.iter().filter(|entity| entity.kind == "Day");
    let days: Vec<&Entity> = days.collect();
    let mut weeks = entities.iter().filter_map(|entity| week(entity, today));
    if let Some(week) = weeks.next().filter(|_| days.is_empty()) {
        return [week; 2];
    }
    let first = days.iter().find(|day| day.text != "to");
    let first = first.and_then(|day| day.date);
    let later = || days.iter().skip(1).find(|day| day.date > first);
    let last = days.iter().find(|day| day.text == "to").or_else(later);
    let last = last.and_then(|last| {
        // `Next Monday to Wednesday`: the end is after the start.
        let mut weeks = (0..3).filter_map(|week| Some(add(last.date?, week * 7)));
        let after = weeks.find(|date| last.number > 0 || Some(*date) > first);
        after.or(last.date)
    });
    let mut night = ["tonight", "tomorrow  night", "the  night"].into_iter();
    let night = night.any(|words| line.contains(words)).then_some(1);
    let nights = entities.iter().find(|entity| entity.kind == "Nights");
    let nights = nights.map(|nights| nights.number).or(night);
    let departure = first.zip(nights).map(|(first, nights)| add(first, nights));
    // `Since Monday` has no end.
    let only = first.filter(|_| days.first().is_none_or(|day| day.text != "since"));
    [(first, last.or(departure)), (first, last.or(only))]
}

/// First and last day of `this week` or `next weekend`, which start at a number of days from Monday.
fn week(entity: &Entity, today: Date) -> Option<Days> {
    let length = match entity.kind {
        "Week" => 6,
        "Weekend" => 2,
        _ => return None,
    };
    let monday = i64::from(today.weekday().to_monday_zero_offset());
    let first = add(today, entity.number - monday);
    Some((Some(first), Some(add(first, length))))
}

/// Date a number of days later.
pub fn add(date: Date, days: i64) -> Date {
    date.checked_add(days.days()).unwrap_or(date)
}
