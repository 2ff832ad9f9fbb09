//! Days and nights: `tomorrow for two nights`, `the 24th of March`, `fri to sun`, `since 1 March`.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::numbers::{of, whole};
use super::words::Word;

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

/// How far back a day without a year may lie before the next year's is meant.
const LOOK_BACK: i32 = 31;

/// What a word before a day makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    None,
    From,
    Since,
    To,
}

#[derive(Clone, Copy, Debug)]
enum When {
    Day(Date),
    /// `the 28th`: the month is told by another day, or is the next that has it ahead.
    OfMonth(i8),
    /// A day of a month, without a year.
    InMonth(i8, i8),
}

#[derive(Clone, Copy, Debug)]
struct Mention {
    when: When,
    lead: Lead,
    from: usize,
    to: usize,
}

/// The days of a sentence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// The first that is named, unless it is an end.
    pub first: Option<Date>,
    /// The end that is named.
    pub last: Option<Date>,
    /// For so many nights.
    pub nights: Option<i64>,
    /// Whether everything since the first day is meant.
    pub open: bool,
    /// The words that are part of a day.
    pub taken: Vec<(usize, usize)>,
}

impl Span {
    /// Reads them as of today.
    pub fn read(words: &[Word], today: Date) -> Self {
        let mentions = mentions(words, today);
        let month = mentions.iter().rev().find_map(|mention| match mention.when {
            When::InMonth(_, month) => Some(month),
            _ => None,
        });
        let dated = |mention: &Mention| date(mention, month, today);
        let end = mentions.iter().position(|mention| mention.lead == Lead::To);
        let start = mentions.iter().position(|mention| mention.lead != Lead::To);
        let first = start.and_then(|place| dated(&mentions[place]));
        let mut last = end.and_then(|place| dated(&mentions[place]));
        if last.is_none() && mentions.len() > 1 {
            last = mentions.iter().skip(1).find_map(dated).filter(|last| first.is_some_and(|first| *last > first));
        }
        let mut span = Self {
            first,
            last,
            nights: nights(words),
            open: mentions.iter().any(|mention| mention.lead == Lead::Since),
            taken: mentions.iter().map(|mention| (mention.from, mention.to)).collect(),
        };
        span.weeks(words, today);
        span
    }

    /// Arrival and departure, as far as they can be told.
    pub fn stay(&self) -> (Option<Date>, Option<Date>) {
        let (Some(first), None) = (self.first, self.last) else {
            return (self.first, self.last);
        };
        (self.first, self.nights.and_then(|nights| first.checked_add(nights.days()).ok()))
    }

    /// The days a list is asked for: from and to, each included.
    pub fn filter(&self) -> (Option<Date>, Option<Date>) {
        match (self.first, self.last) {
            (Some(first), None) if self.open => (Some(first), None),
            (Some(first), None) => (Some(first), Some(first)),
            both => both,
        }
    }

    /// Whether any day is named.
    pub fn any(&self) -> bool {
        self.first.is_some() || self.last.is_some()
    }

    fn weeks(&mut self, words: &[Word], today: Date) {
        if self.any() {
            return;
        }
        let two = |one: &str, other: &str| words.windows(2).any(|pair| pair[0].text == one && pair[1].text == other);
        let monday = today.checked_sub(i32::from(today.weekday().to_monday_zero_offset()).days()).unwrap_or(today);
        let week = |from: Date| (Some(from), from.checked_add(6.days()).ok());
        if two("this", "week") {
            (self.first, self.last) = week(monday);
        } else if two("last", "week") {
            (self.first, self.last) = week(monday.checked_sub(7.days()).unwrap_or(monday));
        } else if two("next", "week") {
            (self.first, self.last) = week(monday.checked_add(7.days()).unwrap_or(monday));
        } else if words.iter().any(|word| word.text == "weekend") {
            let friday = monday.checked_add(4.days()).unwrap_or(monday);
            let friday = if two("next", "weekend") { friday.checked_add(7.days()).unwrap_or(friday) } else { friday };
            (self.first, self.last) = (Some(friday), friday.checked_add(2.days()).ok());
        } else if let Some((first, last)) = whole_month(words, today) {
            (self.first, self.last) = (Some(first), Some(last));
        } else if two("this", "month") {
            (self.first, self.last) = (Some(today.first_of_month()), Some(today.last_of_month()));
        }
    }
}

/// `in april`: the month that is, or the next of that name.
fn whole_month(words: &[Word], today: Date) -> Option<(Date, Date)> {
    const BEFORE: &[&str] = &["in", "during", "for", "of", "throughout"];
    let place = (1..words.len())
        .find(|place| BEFORE.contains(&words[place - 1].text.as_str()) && month(words, *place).is_some())?;
    let month = month(words, place)?;
    let year = today.year() + i16::from(month < today.month());
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

fn date(mention: &Mention, month: Option<i8>, today: Date) -> Option<Date> {
    let ahead = |date: Date| date >= today || mention.lead == Lead::Since;
    match (mention.when, month) {
        (When::Day(date), _) => Some(date),
        (When::OfMonth(day), None) => {
            let this = Date::new(today.year(), today.month(), day).ok().filter(|date| ahead(*date));
            this.or_else(|| {
                let next = today.first_of_month().checked_add(1.month()).ok()?;
                Date::new(next.year(), next.month(), day).ok()
            })
        }
        (When::OfMonth(day), Some(month)) | (When::InMonth(day, month), _) => {
            let this = Date::new(today.year(), month, day).ok()?;
            let kept = ahead(this) || this.checked_add(LOOK_BACK.days()).is_ok_and(|later| later >= today);
            if kept { Some(this) } else { Date::new(today.year() + 1, month, day).ok() }
        }
    }
}

fn nights(words: &[Word]) -> Option<i64> {
    let two = |one: &str, other: &str| words.windows(2).any(|pair| pair[0].text == one && pair[1].text == other);
    if two("tonight", "only")
        || two("just", "tonight")
        || two("only", "tonight")
        || two("tomorrow", "night")
        || two("the", "night")
    {
        return Some(1);
    }
    if let Some((nights, _)) = of(words, &["night", "nite"]) {
        return Some(nights);
    }
    if words.iter().any(|word| word.text == "fortnight") {
        return Some(14);
    }
    let weeks = of(words, &["week"]).filter(|(_, place)| {
        let from = place.saturating_sub(3);
        !words[from..*place].iter().any(|word| matches!(word.text.as_str(), "in" | "this" | "last" | "next" | "per"))
    });
    if let Some((weeks, _)) = weeks {
        return Some(weeks * 7);
    }
    let days = of(words, &["day"]).filter(|(_, place)| {
        let said = |place: usize, what: &str| words.get(place).is_some_and(|word| word.text == what);
        !said(place + 1, "after") && !said(place.saturating_sub(2), "in") && !said(place.saturating_sub(2), "by")
    });
    days.map(|(days, _)| days).or_else(|| words.iter().any(|word| word.text == "tonight").then_some(1))
}

fn mentions(words: &[Word], today: Date) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut place = 0;
    while place < words.len() {
        if let Some((one, other, to)) = short_range(words, place) {
            found.push(Mention { when: one, lead: Lead::From, from: place, to });
            found.push(Mention { when: other, lead: Lead::To, from: place, to });
            place = to;
        } else if replaced(words, place) {
            place += 1;
        } else if let Some((when, to)) = day(words, place, today) {
            found.push(Mention { when, lead: lead(words, place, &found), from: place, to });
            place = to;
        } else {
            place += 1;
        }
    }
    found
}

/// `rather than the 13th`, `instead of friday`: what is said there is what it was before.
fn replaced(words: &[Word], place: usize) -> bool {
    let text = |back: usize| place.checked_sub(back).map_or("", |place| words[place].text.as_str());
    let at = if text(1) == "the" { 1 } else { 0 };
    text(at + 1) == "than" || (text(at + 1) == "of" && text(at + 2) == "instead")
}

/// `3-5 april`.
fn short_range(words: &[Word], place: usize) -> Option<(When, When, usize)> {
    let (at, month) = match (month(words, place), month(words, place + 1)) {
        // `apr 3-6`
        (Some(month), _) => (place + 1, month),
        (None, month) => (place, month?),
    };
    let (one, other) = words.get(at)?.text.split_once(['-', '–'])?;
    Some((When::InMonth(number(one)?, month), When::InMonth(number(other)?, month), place + 2))
}

fn day(words: &[Word], place: usize, today: Date) -> Option<(When, usize)> {
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
    if let Some(weekday) = weekday(words, place) {
        let the = usize::from(text(place + 1) == "the");
        if let Some((when, to)) = in_month(words, place + 1 + the) {
            return Some((when, to));
        }
        return Some((When::Day(coming(weekday, today, place > 0 && text(place - 1) == "next")), place + 1));
    }
    in_month(words, place)
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

fn number(text: &str) -> Option<i8> {
    text.parse().ok().filter(|day| (1..=31).contains(day) && !text.starts_with('+'))
}

fn month(words: &[Word], place: usize) -> Option<i8> {
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

fn lead(words: &[Word], place: usize, before: &[Mention]) -> Lead {
    const SKIPPED: &[&str] = &["the", "next", "this", "on", "about"];
    let mut at = place;
    while at > 0 && SKIPPED.contains(&words[at - 1].text.as_str()) {
        at -= 1;
    }
    let Some(word) = at.checked_sub(1).map(|at| words[at].text.as_str()) else {
        return Lead::None;
    };
    let ranged = before.last().is_some_and(|last| last.lead == Lead::From || last.to + 1 >= at);
    match word {
        "since" => Lead::Since,
        "from" | "between" | "arriving" | "arrive" | "starting" | "after" => Lead::From,
        "until" | "till" | "through" | "leave" | "leaving" | "departing" | "thru" | "by" => Lead::To,
        "to" if ranged || extends(words) => Lead::To,
        "and" if before.last().is_some_and(|last| last.lead == Lead::From) => Lead::To,
        _ => Lead::None,
    }
}

/// A stay that is lengthened is lengthened to its end.
fn extends(words: &[Word]) -> bool {
    words.iter().any(|word| ["extend", "prolong", "lengthen", "longer"].iter().any(|longer| word.is(longer)))
}
