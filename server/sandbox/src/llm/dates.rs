//! Dates and nights: `tomorrow for two nights`, `the 24th of March`, `fri to sun`, `since 1 March`.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use regex::Captures;

use super::sentence::{Entity, number};

/// A date without a year counts as this year's up to this many days in the past.
const LOOK_BACK: i64 = 31;
const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec";
const WEEKDAYS: &str = "mon tue wed thu fri sat sun";
/// What can lead to a date, as groups of the patterns.
const LEADS: [&str; 5] = ["since", "from", "end", "to", "and"];

/// Place of the listed name that a text starts with, from one.
fn place(list: &str, text: &str) -> Option<i8> {
    let place = list.split(' ').position(|name| text.starts_with(name))?;
    i8::try_from(place + 1).ok()
}

/// Date that a sentence mentions.
pub struct Mention {
    entity: Entity,
    /// Day and month, if the date is not relative to today.
    day: Option<(i8, Option<i8>)>,
    lead: &'static str,
}

impl Mention {
    /// Mention found by a pattern.
    pub fn read(found: &Captures<'_>, mut entity: Entity, today: Date) -> Self {
        let group = |name: &str| found.name(name).map(|group| group.as_str());
        let month = group("month").and_then(|month| place(MONTHS, month));
        let weekday = group("weekday").and_then(|name| place(WEEKDAYS, name));
        let weekday = weekday.and_then(|day| Weekday::from_monday_one_offset(day).ok());
        let ahead = weekday.map_or(0, |day| (i64::from(today.weekday().until(day)) + 6) % 7 + 1);
        let date = add(today, entity.number + ahead);
        entity.date = Some(entity.text.parse().unwrap_or(date));
        let day = group("day").and_then(|day| i8::try_from(number(day)).ok());
        let day = day.map(|day| (day, month));
        let lead = LEADS.into_iter().find(|lead| group(lead).is_some());
        let lead = lead.unwrap_or_default();
        Self { entity, day, lead }
    }

    /// Dates of all mentions of a line, in any order.
    pub fn resolve(mut mentions: Vec<Self>, line: &str, today: Date) -> Vec<Entity> {
        mentions.sort_by_key(|mention| mention.entity.from);
        let mut longer = ["extend", "prolong", "lengthen", "longer"].into_iter();
        let extends = longer.any(|word| line.contains(word));
        // `The 3rd to the 6th of May`
        let month = mentions.iter().rev().find_map(|mention| mention.day?.1);
        let (mut before, mut end, mut found) = ("", None, Vec::new());
        for Self {
            mut entity,
            day,
            lead,
        } in mentions
        {
            before = match lead {
                "end" => "to",
                "to" if extends || end.is_some_and(|end| entity.from <= end + 3) => "to",
                "to" | "and" if before == "from" => "to",
                "to" | "and" => "",
                lead => lead,
            };
            if let Some((day, own)) = day {
                entity.date = date_of(day, own.or(month), before == "since", today);
            } else if before == "since" && entity.date > Some(today) {
                entity.date = entity.date.map(|date| add(date, -7));
            }
            end = Some(entity.to);
            // Days in digits stay as they are.
            let digits = entity.text.contains(|letter: char| letter.is_ascii_digit());
            entity.number = digits.into();
            before.clone_into(&mut entity.text);
            found.push(entity);
        }
        found
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

/// Dates of a sentence.
#[derive(Clone, Debug, Default)]
pub struct Days {
    pub first: Option<Date>,
    last: Option<Date>,
    nights: Option<i64>,
    /// Whether it means everything since the first date.
    open: bool,
}

impl Days {
    /// Combines the dates of a sentence.
    pub fn read(line: &str, entities: &[Entity], today: Date) -> Self {
        let all = |kind: &'static str| entities.iter().filter(move |entity| entity.kind == kind);
        let dates: Vec<&Entity> = all("Day").collect();
        let first = dates.iter().find(|date| date.text != "to");
        let first = first.and_then(|date| date.date);
        let later = || dates.iter().skip(1).find(|date| date.date > first);
        let end = dates.iter().find(|date| date.text == "to").or_else(later);
        let last = end.and_then(|date| {
            // `Next Monday to Wednesday`: the end is after the start.
            let weeks = if date.number == 0 && first.is_some() {
                3
            } else {
                1
            };
            let mut ends = (0..weeks).filter_map(|week| Some(add(date.date?, week * 7)));
            ends.find(|end| weeks == 1 || Some(*end) > first)
                .or(date.date)
        });
        let mut night = ["tonight", "tomorrow  night", "the  night"].into_iter();
        let night = night.any(|words| line.contains(words)).then_some(1);
        let nights = all("Nights").next().map(|entity| entity.number).or(night);
        let open = dates.first().is_some_and(|date| date.text == "since");
        let mut period = entities.iter().filter_map(|entity| period(entity, today));
        let (first, last) = match period.next().filter(|_| dates.is_empty()) {
            Some((first, last)) => (Some(first), Some(last)),
            None => (first, last),
        };
        Self {
            first,
            last,
            nights,
            open,
        }
    }

    /// Arrival and departure.
    pub fn stay(&self) -> (Option<Date>, Option<Date>) {
        let departure = || Some(add(self.first?, self.nights?));
        (self.first, self.last.or_else(departure))
    }

    /// First and last day of a search.
    pub fn range(&self) -> (Option<Date>, Option<Date>) {
        let only = self.first.filter(|_| !self.open);
        (self.first, self.last.or(only))
    }
}

/// First and last day of `this week`, `last month`, `in April`.
fn period(entity: &Entity, today: Date) -> Option<(Date, Date)> {
    let monday = add(today, -i64::from(today.weekday().to_monday_zero_offset()));
    let days = |from: i64, count: i64| Some((add(monday, from), add(monday, from + count)));
    let (year, number) = (today.first_of_year(), entity.number);
    let month = match entity.kind {
        "Week" => return days(number, 6),
        "Weekend" => return days(number, 2),
        "Past" => return Some((add(today, -number), today)),
        "Year" => return Some((year, today)),
        "Month" => today.first_of_month().checked_add(number.months()),
        "InMonth" => {
            let month = place(MONTHS, &entity.text)?;
            let ahead = if month < today.month() { 11 } else { -1 };
            year.checked_add((ahead + i64::from(month)).months())
        }
        _ => return None,
    };
    let month = month.ok()?;
    Some((month, month.last_of_month()))
}

/// Date a number of days later.
pub fn add(date: Date, days: i64) -> Date {
    date.checked_add(days.days()).unwrap_or(date)
}
