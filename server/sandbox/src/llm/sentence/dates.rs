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

/// Date as written.
#[derive(Clone, Copy)]
enum Named {
    Date(Date),
    /// `the 28th`.
    OfMonth(i8),
    /// Day and month.
    InMonth(i8, i8),
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
        let dates: Vec<&Entity> = entities
            .iter()
            .filter(|entity| entity.kind == Kind::Day)
            .collect();
        let nights = entities
            .iter()
            .find(|entity| entity.kind == Kind::Nights)
            .map(|entity| entity.number);
        let first = dates
            .iter()
            .find(|date| date.text != "to")
            .and_then(|date| date.date);
        let end = dates
            .iter()
            .find(|date| date.text == "to")
            .or(dates.iter().skip(1).find(|date| date.date > first));
        let mut days = Self {
            first,
            last: end.and_then(|date| date.date),
            nights,
            open: false,
        };
        days.open = dates.first().is_some_and(|date| date.text == "since");
        // `Next Monday to Wednesday`: the end is after the start.
        if let (Some(first), Some(end)) = (first, days.last) {
            days.last = [0, 7, 14]
                .into_iter()
                .map(|more| back(end, -more))
                .find(|later| *later > first)
                .or(days.last);
        }
        if dates.is_empty() {
            (0..words.len()).for_each(|place| days.period(words, place, today));
        }
        if words
            .windows(2)
            .any(|pair| pair[0].text == "nights" && pair[1].text == "of")
        {
            days.last = days.last.map(|last| back(last, -1));
        }
        days
    }

    /// Arrival and departure.
    pub fn stay(&self) -> (Option<Date>, Option<Date>) {
        let departure = self
            .first
            .and_then(|first| self.nights.map(|nights| back(first, -nights)));
        (self.first, self.last.or(departure))
    }

    /// First and last day of a search; a search of the past takes the most recent such days.
    pub fn range(&self, past: bool, today: Date) -> (Option<Date>, Option<Date>) {
        let ahead = self.first.filter(|first| past && *first > today);
        let weeks = ahead.is_some_and(|first| back(first, 7) <= today);
        let before = |date: Date| {
            if weeks {
                back(date, 7)
            } else {
                date.checked_sub(1.year()).unwrap_or(date)
            }
        };
        let shift = |date: Option<Date>| {
            if ahead.is_some() {
                date.map(before)
            } else {
                date
            }
        };
        (
            shift(self.first),
            shift(self.last).or(shift(self.first).filter(|_| !self.open)),
        )
    }

    /// `this week`, `last month`, `in April`, `since the beginning of the year`: period that ends
    /// with a word.
    fn period(&mut self, words: &[Word], place: usize, today: Date) {
        let monday = back(today, i64::from(today.weekday().to_monday_zero_offset()));
        let days = |from: Date, days: i64| Some((from, back(from, -days)));
        let month = |date: Date| Some((date.first_of_month(), date.last_of_month()));
        let before = at(words, place.wrapping_sub(1));
        let found = match (before, at(words, place)) {
            ("past", "week") => days(back(today, 7), 7),
            ("this", "week") => days(monday, 6),
            ("last", "week") => days(back(monday, 7), 6),
            ("next", "week") => days(back(monday, -7), 6),
            ("next", "weekend") => days(back(monday, -11), 2),
            (_, "weekend") => days(back(monday, -4), 2),
            ("this", "month") => month(today),
            ("last", "month") => month(back(today.first_of_month(), 1)),
            ("next", "month") => month(back(today.last_of_month(), -1)),
            ("of" | "the", "year") => days(today.first_of_year(), 0),
            ("of" | "the", "month") => days(today.first_of_month(), 0),
            (_, "days" | "weeks") if one_of(at(words, place.wrapping_sub(2)), "last past") => {
                let unit = if words[place].is("day") { 1 } else { 7 };
                whole(words, place - 1).map(|(number, _)| (back(today, number * unit), today))
            }
            ("in" | "during" | "for" | "of" | "throughout", _) => {
                month_at(words, place).and_then(|number| {
                    month(
                        Date::new(today.year() + i16::from(number < today.month()), number, 1)
                            .ok()?,
                    )
                })
            }
            _ => None,
        };
        if let Some((first, last)) = found {
            self.open = first == last;
            (self.first, self.last) = (Some(first), Some(last).filter(|_| !self.open));
        }
    }
}

/// Date a number of days before or after another.
pub fn back(date: Date, days: i64) -> Date {
    date.checked_sub(days.days()).unwrap_or(date)
}

/// All dates mentioned.
pub fn mentions(words: &[Word], today: Date) -> Vec<Entity> {
    let mut found: Vec<(Named, &str, usize, usize)> = Vec::new();
    let mut place = 0;
    while place < words.len() {
        // `Rather than the 13th`, `instead of Friday`: the previous value.
        let the = usize::from(place > 0 && at(words, place - 1) == "the");
        let before = |back: usize| at(words, place.wrapping_sub(back + the));
        let replaced = before(1) == "than" || before(1) == "of" && before(2) == "instead";
        let Some((named, to)) = date(words, place, today).filter(|_| !replaced) else {
            place += 1;
            continue;
        };
        found.push((
            named,
            lead(
                words,
                place,
                found.last().map(|(_, lead, _, to)| (*lead, *to)),
            ),
            place,
            to,
        ));
        place = to;
        // In `Apr 3 to 6` the second number is a day because the first one is.
        let counts = !at(words, to + 2).is_empty()
            && words[to + 1].pause == Pause::None
            && words[to + 2].is("night people guest");
        if let (Named::InMonth(_, month), Some(day)) = (named, number(words, to + 1))
            && one_of(at(words, to), "to until till")
            && !counts
            && month_at(words, to + 2).is_none()
        {
            found.push((Named::InMonth(day, month), "to", to + 1, to + 2));
            place = to + 2;
        }
    }
    let named = |(named, ..): &(Named, &str, usize, usize)| {
        if let Named::InMonth(_, month) = named {
            Some(*month)
        } else {
            None
        }
    };
    let of = |place: usize| (at(words, place - 1) == "of").then(|| month_at(words, place))?;
    let month = found
        .iter()
        .rev()
        .find_map(named)
        .or_else(|| (1..words.len()).find_map(of));
    let entity = |(named, lead, from, to): (Named, &str, usize, usize)| {
        let date = resolve(named, month, lead == "since", today);
        Entity {
            date,
            ..Entity::new(Kind::Day, (from, to), lead, 0)
        }
    };
    found.into_iter().map(entity).collect()
}

fn resolve(named: Named, month: Option<i8>, since: bool, today: Date) -> Option<Date> {
    match (named, month) {
        (Named::Date(date), _) => Some(if since && date > today {
            back(date, 7)
        } else {
            date
        }),
        (Named::OfMonth(day), None) => {
            let next = back(today.last_of_month(), -1);
            let this = Date::new(today.year(), today.month(), day)
                .ok()
                .filter(|date| since || *date >= today);
            this.or_else(|| Date::new(next.year(), next.month(), day).ok())
        }
        (Named::OfMonth(day), Some(month)) | (Named::InMonth(day, month), _) => {
            let this = Date::new(today.year(), month, day).ok()?;
            let kept = since || back(this, -LOOK_BACK) >= today;
            if kept {
                Some(this)
            } else {
                Date::new(today.year() + 1, month, day).ok()
            }
        }
    }
}

/// Date that starts at a word, and the index after it.
fn date(words: &[Word], place: usize, today: Date) -> Option<(Named, usize)> {
    let text = |place: usize| at(words, place);
    let relative = |days: i64, to: usize| Some((Named::Date(back(today, -days)), to));
    let counted = |place: usize| {
        let (number, next) =
            whole(words, place).or_else(|| (text(place) == "a").then_some((1, place + 1)))?;
        let unit = if one_of(text(next), "day days") { 1 } else { 7 };
        one_of(text(next), "day days week weeks").then_some((number * unit, next + 1))
    };
    if let Some((days, next)) = counted(place).filter(|(_, next)| text(*next) == "ago") {
        return relative(-days, next + 1);
    }
    match (text(place), text(place + 1)) {
        (text, _) if text.contains('-') && text.parse::<Date>().is_ok() => {
            return Some((Named::Date(text.parse().ok()?), place + 1));
        }
        ("today" | "tonight", _) => return relative(0, place + 1),
        ("tomorrow", _) => return relative(1, place + 1),
        ("yesterday", _) => return relative(-1, place + 1),
        ("last", "night") => return relative(-1, place + 2),
        ("day", "after") if text(place + 2) == "tomorrow" => return relative(2, place + 3),
        ("in", _) => return counted(place + 1).and_then(|(days, next)| relative(days, next)),
        (text, _) if text.contains('/') => {
            let (one, other) = text.split_once('/')?;
            let (one, other): (i8, i8) =
                (one.parse().ok()?, other.split('/').next()?.parse().ok()?);
            return Some((
                if other < 13 {
                    Named::InMonth(one, other)
                } else {
                    Named::InMonth(other, one)
                },
                place + 1,
            ));
        }
        _ => {}
    }
    let Some(weekday) = weekday(words, place) else {
        return in_month(words, place);
    };
    if let Some(dated) = in_month(words, place + 1 + usize::from(text(place + 1) == "the")) {
        return Some(dated);
    }
    // `Friday 13`
    let day = number(words, place + 1).filter(|_| one_of(text(place + 2), " to until for and"));
    let months = [today, back(today.last_of_month(), -1)];
    let dates = months
        .iter()
        .filter_map(|month| Date::new(month.year(), month.month(), day?).ok());
    if let Some(date) = dates.clone().find(|date| date.weekday() == weekday) {
        return Some((Named::Date(date), place + 2));
    }
    let ahead = (i64::from(today.weekday().until(weekday)) + 6) % 7 + 1;
    let later = weekday.to_monday_zero_offset() > today.weekday().to_monday_zero_offset();
    match text(place.wrapping_sub(1)) {
        "last" => relative(if ahead == 7 { -7 } else { ahead - 7 }, place + 1),
        "next" if later => relative(ahead + 7, place + 1),
        _ => relative(ahead, place + 1),
    }
}

fn weekday(words: &[Word], place: usize) -> Option<Weekday> {
    let text = at(words, place).trim_end_matches('s');
    let number = WEEKDAYS
        .split(' ')
        .position(|day| text == day || text.starts_with(day) && text.ends_with("day"))?;
    let beside = |place: usize| {
        one_of(
            at(words, place),
            "from to on until till this next and or fri friday",
        )
    };
    let sure = text.len() > 3 || beside(place + 1) || beside(place.wrapping_sub(1));
    Weekday::from_monday_zero_offset(i8::try_from(number).ok()?)
        .ok()
        .filter(|_| sure)
}

/// `March 24th`, `the 24th of March`, `24 March`, `the 24th`; in a range also `24 to 27 March`.
fn in_month(words: &[Word], place: usize) -> Option<(Named, usize)> {
    let text = |place: usize| at(words, place);
    let year =
        |place: usize| place + usize::from(text(place).len() == 4 && text(place).starts_with("20"));
    if let (Some(month), Some(day)) = (month_at(words, place), number(words, place + 1)) {
        return Some((Named::InMonth(day, month), year(place + 2)));
    }
    let day = number(words, place)?;
    let of = place + 1 + usize::from(text(place + 1) == "of");
    if let Some(month) = month_at(words, of) {
        return Some((Named::InMonth(day, month), year(of + 1)));
    }
    let ordinal = text(place).ends_with(char::is_alphabetic)
        && !one_of(text(place + 1), "floor floors time night");
    let end = in_month(words, place + 2 + usize::from(text(place + 2) == "the"));
    let ranged = one_of(text(place + 1), "to until till and")
        && matches!(end, Some((Named::InMonth(..), _)));
    (ordinal || ranged).then_some((Named::OfMonth(day), place + 1))
}

/// Day of a month.
fn number(words: &[Word], place: usize) -> Option<i8> {
    let text = at(words, place);
    let day = text
        .parse()
        .ok()
        .or_else(|| i8::try_from(ordinal(text)?).ok());
    day.filter(|day| {
        text.starts_with(|first: char| first.is_ascii_digit()) && (1..=31).contains(day)
    })
}

fn month_at(words: &[Word], place: usize) -> Option<i8> {
    let text = at(words, place);
    let named = |month: &str| {
        one_of(text, MONTHS) && text == month
            || one_of(text, LONG_MONTHS) && text.starts_with(month)
    };
    i8::try_from(MONTHS.split(' ').position(named)? + 1).ok()
}

/// Preposition before a date: `from`, `since`, `to`, or none.
fn lead(words: &[Word], place: usize, before: Option<(&str, usize)>) -> &'static str {
    const FROM: &str =
        "from between arriving arrive arrives arrival starting starts start after beginning in";
    const TO: &str = "until till til through leave leaves leaving depart departs departing departure by home ending ends end out";
    let skipped = words[..place]
        .iter()
        .rev()
        .take_while(|word| one_of(&word.text, "the next this last on about"))
        .count();
    let place = place - skipped;
    let ranged = before.is_some_and(|(lead, to)| lead == "from" || to + 1 >= place);
    let extends = || {
        words
            .iter()
            .any(|word| word.is("extend prolong lengthen longer"))
    };
    match at(words, place.wrapping_sub(1)) {
        "since" => "since",
        "to" if ranged || extends() => "to",
        "and" if before.is_some_and(|(lead, _)| lead == "from") => "to",
        text if one_of(text, FROM) => "from",
        text if one_of(text, TO) => "to",
        _ => "",
    }
}
