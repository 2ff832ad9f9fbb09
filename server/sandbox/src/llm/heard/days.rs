//! Days and nights: `tomorrow for two nights`, `the 24th of March`, `fri to sun`, `since 1 March`.

mod day;
mod mentions;

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::numbers::of;
use super::words::Word;
pub use day::day;
use day::month;
use mentions::{Lead, Mention, When, mentions};

/// How far back a day without a year may lie before the next year's is meant.
const LOOK_BACK: i32 = 31;

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
    /// How often there is such a day.
    rhythm: Rhythm,
}

/// How often a day that is named comes round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Rhythm {
    /// A weekday.
    Week,
    /// `the 28th`.
    Month,
    /// A day with its month.
    #[default]
    Year,
}

impl Span {
    /// Reads them as of today.
    pub fn read(words: &[Word], today: Date) -> Self {
        let mentions = mentions(words, today);
        let month = mentions.iter().rev().find_map(|mention| match mention.when {
            When::InMonth(_, month) => Some(month),
            _ => None,
        });
        let month = month.or_else(|| whole_month(words, today).map(|(first, _)| first.month()));
        let dated = |mention: &Mention| date(mention, month, today);
        let end = mentions.iter().position(|mention| mention.lead == Lead::To);
        let start = mentions.iter().position(|mention| mention.lead != Lead::To);
        let first = start.and_then(|place| dated(&mentions[place]));
        let mut last = end.and_then(|place| dated(&mentions[place]));
        if last.is_none() && mentions.len() > 1 {
            last = mentions.iter().skip(1).find_map(dated).filter(|last| first.is_some_and(|first| *last > first));
        }
        // `Next Monday to Wednesday`: the end comes after the beginning.
        if let (Some(first), Some(end)) = (first, last)
            && end <= first
            && first.until(end).is_ok_and(|span| span.get_days() > -14)
        {
            let weeks = (1..3).filter_map(|weeks| end.checked_add((7 * weeks).days()).ok());
            last = weeks.clone().find(|later| *later > first).or(last);
        }
        let mut span = Self {
            first,
            last,
            nights: nights(words),
            open: mentions.iter().any(|mention| mention.lead == Lead::Since),
            taken: mentions.iter().map(|mention| (mention.from, mention.to)).collect(),
            rhythm: mentions.first().map_or(Rhythm::Year, |mention| match mention.when {
                When::Day(_) => Rhythm::Week,
                When::OfMonth(_) if month.is_none() => Rhythm::Month,
                _ => Rhythm::Year,
            }),
        };
        span.of_nights(words);
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

    /// The same span where only what was is asked about: a month without a year is then the last one of its name.
    pub fn behind(&self, today: Date) -> Self {
        let step = match self.rhythm {
            Rhythm::Week => 7.days(),
            Rhythm::Month => 1.month(),
            Rhythm::Year => 1.year(),
        };
        let back = |day: Option<Date>| day.and_then(|day| day.checked_sub(step).ok());
        if self.first.is_none_or(|first| first <= today) {
            return self.clone();
        }
        Self { first: back(self.first), last: back(self.last), ..self.clone() }
    }

    /// Whether any day is named.
    pub fn any(&self) -> bool {
        self.first.is_some() || self.last.is_some()
    }

    /// `The nights of the 18th and the 19th` end on the morning after the last.
    fn of_nights(&mut self, words: &[Word]) {
        let Some(first) = self.first else { return };
        let of = words.windows(2).any(|pair| pair[0].is("night") && matches!(pair[1].text.as_str(), "of" | "on"));
        if of && self.nights.is_none() {
            self.last = self.last.unwrap_or(first).checked_add(1.day()).ok();
        }
    }

    fn weeks(&mut self, words: &[Word], today: Date) {
        if self.any() {
            return;
        }
        let two = |one: &str, other: &str| words.windows(2).any(|pair| pair[0].text == one && pair[1].text == other);
        let monday = today.checked_sub(i32::from(today.weekday().to_monday_zero_offset()).days()).unwrap_or(today);
        let said = |what: &str| words.iter().any(|word| word.text == what);
        let week = |from: Date| (Some(from), from.checked_add(6.days()).ok());
        let year = |year: i16| (Date::new(year, 1, 1).ok(), Date::new(year, 12, 31).ok());
        let ago = |days: i64| today.checked_sub(days.days()).ok();
        if two("last", "month") {
            let last = today.first_of_month().checked_sub(1.day()).unwrap_or(today);
            (self.first, self.last) = (Some(last.first_of_month()), Some(last));
        } else if two("next", "month") {
            let next = today.last_of_month().checked_add(1.day()).unwrap_or(today);
            (self.first, self.last) = (Some(next), Some(next.last_of_month()));
        } else if two("this", "year") {
            (self.first, self.last) = if said("so") || said("since") {
                (Some(today.first_of_year()), Some(today))
            } else {
                year(today.year())
            };
        } else if two("last", "year") {
            (self.first, self.last) = year(today.year() - 1);
        } else if (said("beginning") || said("start")) && said("since") {
            let from = if said("week") {
                monday
            } else if said("month") {
                today.first_of_month()
            } else {
                today.first_of_year()
            };
            (self.first, self.last, self.open) = (Some(from), None, true);
        } else if let Some(days) = back(words) {
            (self.first, self.last) = (ago(days), Some(today));
        } else if two("this", "week") {
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

/// `the last three days`, `the past week`: so many days back.
fn back(words: &[Word]) -> Option<i64> {
    let lead = words.iter().position(|word| matches!(word.text.as_str(), "last" | "past"))?;
    let (number, next) =
        super::numbers::whole(words, lead + 1).or_else(|| (words[lead].text == "past").then_some((1, lead + 1)))?;
    match words.get(next)?.text.as_str() {
        "day" | "days" => Some(number),
        "week" | "weeks" => Some(number * 7),
        _ => None,
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
        !said(place + 1, "after")
            && !["later", "earlier", "late", "early", "off"].iter().any(|word| said(place + 1, word))
            && !said(place.saturating_sub(2), "in")
            && !said(place.saturating_sub(2), "by")
    });
    days.map(|(days, _)| days).or_else(|| words.iter().any(|word| word.text == "tonight").then_some(1))
}
