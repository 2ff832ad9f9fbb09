//! Dates and nights: `tomorrow for two nights`, `the 24th of March`, `fri to sun`, `since 1 March`.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::entities::{Entity, Kind};
use super::numbers::{ordinal, whole};
use super::words::{Pause, Word, at, one_of};

/// A date without a year counts as this year's up to this many days in the past.
const LOOK_BACK: i64 = 31;
const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec";
const LONG_MONTHS: &str =
    "january february march april june july august september october november december";
const WEEKDAYS: &str = "mon tue wed thu fri sat sun";
const UNTIL: &str = "to until till";

/// Date as written.
#[derive(Clone, Copy)]
enum Named {
    Date(Date),
    /// `the 28th`, `the 28th of March`.
    Day(i8, Option<i8>),
}

/// Dates of a sentence.
#[derive(Clone, Debug, Default)]
pub struct Days {
    pub first: Option<Date>,
    pub last: Option<Date>,
    /// Whether it means everything since the first date.
    open: bool,
    nights: Option<i64>,
}

impl Days {
    /// Combines the dates of a sentence.
    pub fn read(words: &[Word], entities: &[Entity], today: Date) -> Self {
        let all = |kind: Kind| entities.iter().filter(move |entity| entity.kind == kind);
        let dates: Vec<&Entity> = all(Kind::Day).collect();
        let is_end = |date: &&&Entity| date.text == "to";
        let first = dates.iter().find(|date| !is_end(date));
        let first = first.and_then(|date| date.date);
        let later = || dates.iter().skip(1).find(|date| date.date > first);
        let end = dates.iter().find(is_end).or_else(later);
        let mut days = Self {
            first,
            last: end.and_then(|date| date.date),
            nights: all(Kind::Nights).next().map(|entity| entity.number),
            open: dates.first().is_some_and(|date| date.text == "since"),
        };
        // `Next Monday to Wednesday`: the end is after the start. Days in digits stay as they are.
        let spoken = |date: &Entity| !words[date.from].text.contains(|c: char| c.is_ascii_digit());
        let spoken = end.is_some_and(|end| spoken(end));
        if let (Some(first), Some(end), true) = (first, days.last, spoken) {
            let ends = [0, 7, 14].map(|more| add(end, more));
            days.last = ends.into_iter().find(|later| *later > first).or(days.last);
        }
        if dates.is_empty() {
            (0..words.len()).for_each(|place| days.period(words, place, today));
        }
        days
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

    /// `this week`, `last month`, `in April`: period that ends with a word.
    fn period(&mut self, words: &[Word], place: usize, today: Date) {
        let monday = add(today, -i64::from(today.weekday().to_monday_zero_offset()));
        let days = |from: i64, count: i64| Some((add(monday, from), add(monday, from + count)));
        let month = |date: Date| Some((date.first_of_month(), date.last_of_month()));
        let found = match (at(words, place.wrapping_sub(1)), at(words, place)) {
            ("past", "week") => Some((add(today, -7), today)),
            ("this", "week") => days(0, 6),
            ("last", "week") => days(-7, 6),
            ("next", "week") => days(7, 6),
            ("next", "weekend") => days(11, 2),
            (_, "weekend") => days(4, 2),
            ("this", "month") => month(today),
            ("last", "month") => month(add(today.first_of_month(), -1)),
            ("next", "month") => month(add(today.last_of_month(), 1)),
            ("of" | "the", "year") => Some((today.first_of_year(), today)),
            (_, "days" | "weeks") if one_of(at(words, place.wrapping_sub(2)), "last past") => {
                let unit = if words[place].is("day") { 1 } else { 7 };
                whole(words, place - 1).map(|(number, _)| (add(today, -number * unit), today))
            }
            ("in" | "during" | "for" | "of", _) => month_at(words, place).and_then(|number| {
                let year = today.year() + i16::from(number < today.month());
                month(Date::new(year, number, 1).ok()?)
            }),
            _ => None,
        };
        if let Some((first, last)) = found {
            (self.first, self.last) = (Some(first), Some(last));
        }
    }
}

/// Date a number of days later.
pub fn add(date: Date, days: i64) -> Date {
    date.checked_add(days.days()).unwrap_or(date)
}

/// All dates mentioned.
pub fn mentions(words: &[Word], today: Date) -> Vec<Entity> {
    let mut found: Vec<(Named, &str, usize, usize)> = Vec::new();
    let mut place = 0;
    while place < words.len() {
        // `Instead of Friday`: the previous value.
        let replaced =
            place > 1 && words[place - 2].text == "instead" && words[place - 1].text == "of";
        let Some((named, to)) = date(words, place, today).filter(|_| !replaced) else {
            place += 1;
            continue;
        };
        let before = found.last().map(|(_, lead, _, to)| (*lead, *to));
        found.push((named, lead(words, place, before), place, to));
        place = to;
        // In `Apr 3 to 6` the second number is a day because the first one is.
        let counts = words
            .get(to + 2)
            .is_some_and(|next| next.is("night people guest"));
        if let (Named::Day(_, Some(month)), Some(day)) = (named, number(words, to + 1))
            && one_of(at(words, to), UNTIL)
            && !counts
            && month_at(words, to + 2).is_none()
        {
            found.push((Named::Day(day, Some(month)), "to", to + 1, to + 2));
            place = to + 2;
        }
    }
    // `The 3rd to the 6th of May`, `the last week of May, the 23rd to the 28th`
    let own = found.iter().rev().find_map(|(named, ..)| match named {
        Named::Day(_, month) => *month,
        Named::Date(_) => None,
    });
    let of = |place: usize| month_at(words, place).filter(|_| at(words, place - 1) == "of");
    let month = own.or_else(|| (1..words.len()).find_map(of));
    let entity = |(named, lead, from, to): (Named, &str, usize, usize)| Entity {
        date: resolve(named, month, lead == "since", today),
        ..Entity::new(Kind::Day, (from, to), lead, 0)
    };
    found.into_iter().map(entity).collect()
}

fn resolve(named: Named, month: Option<i8>, since: bool, today: Date) -> Option<Date> {
    let (day, month) = match named {
        Named::Date(date) if since && date > today => return Some(add(date, -7)),
        Named::Date(date) => return Some(date),
        Named::Day(day, own) => (day, own.or(month)),
    };
    let Some(month) = month else {
        let next = add(today.last_of_month(), 1);
        let this = Date::new(today.year(), today.month(), day).ok();
        let this = this.filter(|date| since || *date >= today);
        return this.or_else(|| Date::new(next.year(), next.month(), day).ok());
    };
    let this = Date::new(today.year(), month, day).ok()?;
    if since || add(this, LOOK_BACK) >= today {
        Some(this)
    } else {
        Date::new(today.year() + 1, month, day).ok()
    }
}

/// Date that starts at a word, and the index after it.
fn date(words: &[Word], place: usize, today: Date) -> Option<(Named, usize)> {
    let text = |place: usize| at(words, place);
    let relative = |days: i64, to: usize| Some((Named::Date(add(today, days)), to));
    let iso = Some(text(place)).filter(|text| text.contains('-'));
    if let Some(Ok(date)) = iso.map(str::parse) {
        return Some((Named::Date(date), place + 1));
    }
    match (text(place), text(place + 1)) {
        ("today" | "tonight", _) => return relative(0, place + 1),
        ("tomorrow", _) => return relative(1, place + 1),
        ("yesterday", _) => return relative(-1, place + 1),
        ("last", "night") => return relative(-1, place + 2),
        ("day", "after") if text(place + 2) == "tomorrow" => return relative(2, place + 3),
        ("in", _) => {
            let (number, next) = whole(words, place + 1)?;
            return match text(next) {
                "day" | "days" => relative(number, next + 1),
                "week" | "weeks" => relative(number * 7, next + 1),
                _ => None,
            };
        }
        _ => {}
    }
    let Some(weekday) = weekday(text(place)) else {
        return in_month(words, place);
    };
    if let Some(dated) = in_month(words, place + 1 + usize::from(text(place + 1) == "the")) {
        return Some(dated);
    }
    let ahead = (i64::from(today.weekday().until(weekday)) + 6) % 7 + 1;
    match text(place.wrapping_sub(1)) {
        "last" => relative(ahead - 7, place + 1),
        _ => relative(ahead, place + 1),
    }
}

fn weekday(text: &str) -> Option<Weekday> {
    let text = text.trim_end_matches('s');
    let is = |day: &str| text == day || text.starts_with(day) && text.ends_with("day");
    let number = i8::try_from(WEEKDAYS.split(' ').position(is)?).ok()?;
    Weekday::from_monday_zero_offset(number).ok()
}

/// `March 24th`, `the 24th of March`, `24 March`, `the 24th`; in a range also `24 to 27 March`.
fn in_month(words: &[Word], place: usize) -> Option<(Named, usize)> {
    let text = |place: usize| at(words, place);
    let is_year = |text: &str| text.len() == 4 && text.starts_with("20");
    let year = |place: usize| place + usize::from(is_year(text(place)));
    if let (Some(month), Some(day)) = (month_at(words, place), number(words, place + 1)) {
        return Some((Named::Day(day, Some(month)), year(place + 2)));
    }
    let day = number(words, place)?;
    let of = place + 1 + usize::from(text(place + 1) == "of");
    if let Some(month) = month_at(words, of) {
        return Some((Named::Day(day, Some(month)), year(of + 1)));
    }
    let ordinal = text(place).ends_with(char::is_alphabetic)
        && !one_of(text(place + 1), "floor floors time night");
    let end = in_month(words, place + 2 + usize::from(text(place + 2) == "the"));
    let ranged = (one_of(text(place + 1), UNTIL) || text(place + 1) == "and")
        && matches!(end, Some((Named::Day(_, Some(_)), _)));
    (ordinal || ranged).then_some((Named::Day(day, None), place + 1))
}

/// Day of a month.
fn number(words: &[Word], place: usize) -> Option<i8> {
    let text = at(words, place);
    let digits = text.starts_with(|first: char| first.is_ascii_digit());
    let day = text
        .parse()
        .ok()
        .or_else(|| ordinal(text))
        .filter(|_| digits);
    i8::try_from(day?).ok().filter(|day| (1..=31).contains(day))
}

fn month_at(words: &[Word], place: usize) -> Option<i8> {
    let text = at(words, place);
    let known = one_of(text, MONTHS) || one_of(text, LONG_MONTHS);
    let named = |month: &str| known && text.starts_with(month);
    i8::try_from(MONTHS.split(' ').position(named)? + 1).ok()
}

/// Preposition before a date: `from`, `since`, `to`, or none.
fn lead(words: &[Word], place: usize, before: Option<(&str, usize)>) -> &'static str {
    const FROM: &str =
        "from between arriving arrive arrives arrival starting starts start after beginning in";
    const TO: &str = "until till til through leave leaves leaving depart departs departing departure by home ending ends end out";
    let between = words[..place].iter().rev();
    let skipped = between.take_while(|word| one_of(&word.text, "the next this last on about"));
    let place = place - skipped.count();
    let ranged = before.is_some_and(|(lead, to)| lead == "from" || to + 1 >= place);
    let mut all = words.iter();
    let extends = all.any(|word| word.is("extend prolong lengthen longer"));
    match at(words, place.wrapping_sub(1)) {
        "since" => "since",
        "to" if ranged || extends => "to",
        "and" if before.is_some_and(|(lead, _)| lead == "from") => "to",
        text if one_of(text, FROM) => "from",
        text if one_of(text, TO) => "to",
        _ => "",
    }
}

/// Whether a word ends a clause.
pub fn ends(word: Option<&Word>) -> bool {
    word.is_none_or(|word| word.pause > Pause::None)
}
