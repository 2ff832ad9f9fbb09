//! Named entities: numbers, addresses, rooms, amounts, dates, people.

use jiff::civil::Date;

use super::dates::ends;
use super::numbers::{cents, ordinal, whole};
use super::words::{Pause, Word, at, one_of};
use super::{dates, names};

/// Kind of an entity. The number of `Money` is in cents; the text of a `Day` is the preposition
/// before it; a `Limit` is the requested number of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Booking,
    Case,
    Charge,
    Execution,
    Payment,
    Email,
    Phone,
    Room,
    Money,
    Day,
    Nights,
    People,
    Limit,
    Floor,
    RoomType,
    Priority,
    Name,
    Number,
}

/// Named entity.
#[derive(Clone, Debug)]
pub struct Entity {
    pub kind: Kind,
    /// Index of its first word.
    pub from: usize,
    /// Index after its last word.
    pub to: usize,
    /// Value as an argument.
    pub text: String,
    pub number: i64,
    pub date: Option<Date>,
}

impl Entity {
    /// Entity without a date.
    pub fn new(
        kind: Kind,
        (from, to): (usize, usize),
        text: impl Into<String>,
        number: i64,
    ) -> Self {
        Self {
            kind,
            from,
            to,
            text: text.into(),
            number,
            date: None,
        }
    }
}

/// Phrases that replace the preceding entity.
const CORRECTIONS: &str = "no,sorry,wait,actually,i mean,or rather,make it,scratch that";

/// Removes what was corrected: in `room 204, no, 205` the first room.
pub fn correct(words: &[Word], entities: &mut Vec<Entity>) {
    let said = |place: usize, phrase: &str| {
        let mut parts = phrase.split(' ').enumerate();
        parts.all(|(more, part)| at(words, place + more) == part)
    };
    for place in 1..words.len() {
        let apart = words[place - 1].pause > Pause::None;
        if !apart || !CORRECTIONS.split(',').any(|phrase| said(place, phrase)) {
            continue;
        }
        let Some(new) = entities.iter().position(|entity| entity.from > place) else {
            continue;
        };
        let same = |old: &Entity| old.to <= place && old.kind == entities[new].kind;
        if let Some(old) = entities[..new].iter().rposition(same) {
            entities.remove(old);
        }
    }
}

/// Entities of a sentence, in order.
pub fn read(words: &[Word], today: Date) -> Vec<Entity> {
    let mut found = dates::mentions(words, today);
    let mut place = 0;
    while place < words.len() {
        let covers = |date: &&Entity| (date.from..date.to).contains(&place);
        let date = found.iter().find(covers).map(|date| date.to);
        let entity = date.map_or_else(|| one(words, place), |_| None);
        let to = date.or(entity.as_ref().map(|entity| entity.to));
        place = to.unwrap_or(place + 1);
        found.extend(entity);
    }
    let one_night = |pair: &[Word]| pair[0].is("tomorrow the") && pair[1].text == "night";
    let tonight = words.iter().any(|word| word.text == "tonight");
    let is_counted = found.iter().any(|entity| entity.kind == Kind::Nights);
    if (tonight || words.windows(2).any(one_night)) && !is_counted {
        found.push(Entity::new(Kind::Nights, (words.len(), words.len()), "", 1));
    }
    found.extend(names::read(words, &found));
    found.sort_by_key(|entity| (entity.from, entity.to));
    found
}

fn one(words: &[Word], place: usize) -> Option<Entity> {
    let (word, before) = (&words[place], at(words, place.wrapping_sub(1)));
    let text = word.text.as_str();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = if is_number { text.len() } else { 0 };
    let bare = text.strip_prefix("bk");
    let booking = bare.map_or(text, |number| number.trim_start_matches('-'));
    let is_booking = bare.is_some() || digits == 4 && one_of(before, "booking reservation bk");
    let capital = |name: &str| format!("{}{}", name[..1].to_uppercase(), &name[1..]);
    let (kind, text) = match text {
        _ if is_booking && booking.parse::<u32>().is_ok() => {
            (Kind::Booking, format!("BK-{booking:0>4}"))
        }
        _ if text.starts_with("exe_") => (Kind::Execution, text.to_owned()),
        _ if text.starts_with("pi_") => (Kind::Payment, word.raw.clone()),
        _ if text.starts_with("pt-") => (Kind::Charge, text.to_uppercase()),
        _ if text.contains('@') && text.contains('.') => (Kind::Email, text.to_owned()),
        _ if digits == 8 || digits > 3 && one_of(before, "case ticket job") => {
            (Kind::Case, format!("{text:0>8}"))
        }
        _ if text.starts_with('+') || digits > 8 => (Kind::Phone, text.to_owned()),
        _ if word.is("standard deluxe suite penthouse") => {
            (Kind::RoomType, capital(text.trim_end_matches('s')))
        }
        "low" | "medium" | "high" | "urgent" => (Kind::Priority, capital(text)),
        _ => {
            let number = || {
                let (number, to) = whole(words, place)?;
                Some(Entity::new(Kind::Number, (place, to), text, number))
            };
            return money(words, place)
                .or_else(|| counted(words, place))
                .or_else(|| room(words, place))
                .or_else(number);
        }
    };
    Some(Entity::new(kind, (place, place + 1), text, 0))
}

/// `$42.50`, `15.50`, `80 dollars`, `one hundred thirty nine fifty`.
fn money(words: &[Word], place: usize) -> Option<Entity> {
    let text = at(words, place);
    let dollar = |place: usize| {
        let word = words.get(place);
        word.is_some_and(|word| word.is("dollar buck usd"))
    };
    let found = |cents: i64, to: usize| Some(Entity::new(Kind::Money, (place, to), "", cents));
    let signed = text.strip_prefix('$').or(text.strip_suffix('$'));
    let signed = signed.or(Some(text).filter(|text| text.contains('.')));
    if let Some(cents) = signed.and_then(cents) {
        return found(cents, place + 1 + usize::from(dollar(place + 1)));
    }
    let (dollars, next) = whole(words, place)?;
    let named = usize::from(dollar(next));
    let and = next + named + usize::from(named > 0 && at(words, next + 1) == "and");
    let cents = whole(words, and).filter(|(cents, _)| (1..100).contains(cents));
    // Spoken prices omit the unit, and times of day sound the same.
    let spoken = !text.starts_with(|first: char| first.is_ascii_digit());
    let before = at(words, place.wrapping_sub(1));
    let clock = one_of(before, "at by until till around before after room");
    match cents {
        Some((cents, to)) if spoken && (named > 0 || !clock && cents > 9) => {
            found(dollars * 100 + cents, to)
        }
        _ if named > 0 => found(dollars * 100, next + 1),
        _ => None,
    }
}

/// Number of nights, people or results, or a floor.
fn counted(words: &[Word], place: usize) -> Option<Entity> {
    let text = |place: usize| at(words, place);
    let (word, before) = (text(place), text(place.wrapping_sub(1)));
    let found =
        |kind: Kind, to: usize, number: i64| Some(Entity::new(kind, (place, to), "", number));
    let floor = |at: usize| {
        let number = whole(words, at).map(|(number, _)| number);
        number.or_else(|| ordinal(text(at)))
    };
    match (word, text(place + 1)) {
        ("floor", _) => return found(Kind::Floor, place + 2, floor(place + 1)?),
        (_, "floor") => return found(Kind::Floor, place + 2, floor(place)?),
        ("fortnight", _) => return found(Kind::Nights, place + 1, 14),
        ("couple" | "pair", "of") if !one_of(text(place + 2), "us them") => {}
        ("couple" | "pair", _) => return found(Kind::People, place + 1, 2),
        ("wife" | "husband" | "partner", _) if text(place.wrapping_sub(2)) == "and" => {
            return found(Kind::People, place + 1, 2);
        }
        _ => {}
    }
    let article = one_of(word, "a an another");
    let (number, next) = match word {
        "couple" | "pair" => (2, place + 2),
        _ if article => (1, place + 1),
        _ => whole(words, place)?,
    };
    const MORE: &str = "more extra whole full additional further low high open single";
    let noun = next + usize::from(one_of(text(next), MORE));
    match text(noun) {
        "night" | "nights" => return found(Kind::Nights, noun + 1, number),
        "day" | "days"
            if !one_of(text(noun + 1), "later earlier late early off after") && before != "by" =>
        {
            return found(Kind::Nights, noun + 1, number);
        }
        "week" | "weeks" if !one_of(before, "this last next per") => {
            return found(Kind::Nights, noun + 1, number * 7);
        }
        _ if article => return None,
        "people" | "person" | "guests" | "guest" | "adults" | "adult" if noun == next => {
            return found(Kind::People, noun + 1, number);
        }
        "of" if one_of(text(noun + 1), "us them") => return found(Kind::People, noun + 2, number),
        _ => {}
    }
    const GOES_ON: &str = "from on tonight tomorrow this next please in with and until now instead";
    let last = ends(words.get(next - 1)) || next >= words.len();
    let party =
        before == "of" && one_of(text(place.wrapping_sub(2)), "party family group crew team");
    let for_some =
        number < 11 && one_of(before, "for be us") && (last || one_of(text(next), GOES_ON));
    if party || for_some || one_of(before, "sleeps sleep making so") {
        return found(Kind::People, next, number);
    }
    const LISTS: &str = "rooms cases bookings guests executions compensations stays requests jobs";
    const LEADS: &str = "first top last latest max maximum limit newest most than just only";
    let mut after = next..next + 3;
    let listed = !last && before != "room" && after.any(|place| one_of(text(place), LISTS));
    if number < 101 && (listed || one_of(before, LEADS)) {
        found(Kind::Limit, next, number)
    } else {
        None
    }
}

/// Three digits, or any number after `room`.
fn room(words: &[Word], place: usize) -> Option<Entity> {
    let word = &words[place];
    let named = place > 0 && words[place - 1].is("room");
    let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits && (word.text.len() == 3 || named && word.text.len() < 5);
    fits.then(|| Entity::new(Kind::Room, (place, place + 1), word.text.as_str(), 0))
}
