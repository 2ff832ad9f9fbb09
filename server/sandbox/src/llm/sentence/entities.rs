//! Named entities: numbers, addresses, rooms, amounts, dates, people.

use jiff::civil::Date;

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

/// Phrases that retract everything before them, and those that replace the preceding entity.
const WITHDRAW: [&str; 5] = [
    "scratch that",
    "strike that",
    "forget that",
    "never mind that",
    "ignore what i said",
];
const REPLACE: [&str; 9] = [
    "no wait",
    "no sorry",
    "i mean",
    "or rather",
    "make it",
    "actually",
    "sorry",
    "wait",
    "no",
];

/// Words after the last `scratch that`.
pub fn without_withdrawn(mut words: Vec<Word>) -> Vec<Word> {
    let last = (0..words.len())
        .rev()
        .find_map(|place| said(&words, place, &WITHDRAW));
    words.drain(..last.filter(|end| *end < words.len()).unwrap_or(0));
    words
}

/// End of the phrase that starts at a word.
fn said(words: &[Word], place: usize, phrases: &[&str]) -> Option<usize> {
    let fits = |phrase: &&&str| {
        phrase
            .split(' ')
            .enumerate()
            .all(|(more, part)| at(words, place + more) == part)
    };
    phrases
        .iter()
        .find(fits)
        .map(|phrase| place + phrase.split(' ').count())
}

/// Removes what was corrected: in `room 204, no, 205` the first room, in `$20, sorry, 25` the
/// number.
pub fn correct(words: &[Word], entities: &mut Vec<Entity>) {
    for place in 1..words.len() {
        let Some(after) = said(words, place, &REPLACE) else {
            continue;
        };
        let apart = words[place - 1].pause > Pause::None
            || words[after - 1].pause > Pause::None
            || after > place + 1;
        let Some(new) = entities
            .iter()
            .position(|entity| entity.from >= after)
            .filter(|_| apart)
        else {
            continue;
        };
        let with = entities[new].clone();
        let bare = with.kind == Kind::Number;
        let fits = |old: &Entity| {
            let counts = matches!(old.kind, Kind::People | Kind::Nights | Kind::Money);
            old.to <= place && (old.kind == with.kind || bare && counts)
        };
        let Some(old) = entities[..new].iter().rposition(fits) else {
            continue;
        };
        if bare {
            entities[old].number = if entities[old].kind == Kind::Money {
                with.number * 100
            } else {
                with.number
            };
            entities.remove(new);
            continue;
        }
        let range =
            with.kind == Kind::Day && entities.get(new + 1).is_some_and(|next| next.text == "to");
        if with.kind == Kind::Day && !range {
            entities[new].text = entities[old].text.clone();
        }
        let first = old
            .checked_sub(1)
            .filter(|first| range && entities[*first].kind == Kind::Day);
        entities.drain(first.unwrap_or(old)..=old);
    }
}

/// Entities of a sentence, in order.
pub fn read(words: &[Word], today: Date) -> Vec<Entity> {
    let mut found = dates::mentions(words, today);
    let mut place = 0;
    while place < words.len() {
        let date = found
            .iter()
            .find(|date| (date.from..date.to).contains(&place))
            .map(|date| date.to);
        let entity = if date.is_none() {
            one(words, place)
        } else {
            None
        };
        place = date
            .or(entity.as_ref().map(|entity| entity.to))
            .unwrap_or(place + 1);
        found.extend(entity);
    }
    let one_night = |pair: &[Word]| pair[0].is("tomorrow the") && pair[1].text == "night";
    let tonight =
        words.iter().any(|word| word.text == "tonight") || words.windows(2).any(one_night);
    if tonight && !found.iter().any(|entity| entity.kind == Kind::Nights) {
        found.push(Entity::new(Kind::Nights, (words.len(), words.len()), "", 1));
    }
    found.extend(names::read(words, &found));
    found.sort_by_key(|entity| (entity.from, entity.to));
    found
}

fn one(words: &[Word], place: usize) -> Option<Entity> {
    let (word, before) = (&words[place], at(words, place.wrapping_sub(1)));
    let text = word.text.as_str();
    let digits = if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.len()
    } else {
        0
    };
    let booking = text
        .strip_prefix("bk")
        .map_or(text, |number| number.trim_start_matches('-'));
    let is_booking = booking.parse::<u32>().is_ok();
    let is_booking = is_booking
        && (booking != text
            || digits != 3 && digits < 5 && one_of(before, "booking reservation bk"));
    let capital = |name: &str| format!("{}{}", name[..1].to_uppercase(), &name[1..]);
    let (kind, text) = match text {
        _ if is_booking => (Kind::Booking, format!("BK-{booking:0>4}")),
        _ if text.starts_with("exe_") => (Kind::Execution, text.to_owned()),
        _ if text.starts_with("pi_") => (Kind::Payment, word.raw.clone()),
        _ if text.starts_with("pt-") => (Kind::Charge, text.to_uppercase()),
        _ if text.contains('@') && text.contains('.') => (Kind::Email, text.to_owned()),
        _ if digits == 8 || digits > 3 && one_of(before, "case ticket job") => {
            (Kind::Case, format!("{text:0>8}"))
        }
        _ if text.starts_with('+') || digits > 8 => {
            let number = |word: &&Word| {
                word.text
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || b"+-()".contains(&byte))
            };
            let parts: Vec<&str> = words[place..]
                .iter()
                .take_while(number)
                .map(|word| word.text.as_str())
                .collect();
            return Some(Entity::new(
                Kind::Phone,
                (place, place + parts.len()),
                parts.join(" "),
                0,
            ));
        }
        _ if word.is("standard deluxe suite penthouse") => {
            (Kind::RoomType, capital(text.trim_end_matches('s')))
        }
        "low" | "medium" | "high" | "urgent" => (Kind::Priority, capital(text)),
        _ => {
            let number = || {
                whole(words, place)
                    .map(|(number, to)| Entity::new(Kind::Number, (place, to), text, number))
            };
            return money(words, place)
                .or_else(|| counted(words, place))
                .or_else(|| room(words, place))
                .or_else(number);
        }
    };
    Some(Entity::new(kind, (place, place + 1), text, 0))
}

/// `$42.50`, `15.50`, `80 dollars`, `two hundred fifty dollars`, `one hundred thirty nine fifty`.
fn money(words: &[Word], place: usize) -> Option<Entity> {
    let text = at(words, place);
    let dollar = |place: usize| {
        words
            .get(place)
            .is_some_and(|word| word.is("dollar buck usd"))
    };
    let found = |cents: i64, to: usize| Some(Entity::new(Kind::Money, (place, to), "", cents));
    let signed = text
        .strip_prefix('$')
        .or(text.strip_suffix('$'))
        .or(Some(text).filter(|text| text.contains('.')));
    if let Some(cents) = signed.and_then(cents) {
        return found(cents, place + 1 + usize::from(dollar(place + 1)));
    }
    let (dollars, next) = whole(words, place)?;
    let (named, spoken) = (
        dollar(next),
        !text.starts_with(|first: char| first.is_ascii_digit()),
    );
    let and = next + usize::from(named) + usize::from(named && at(words, next + 1) == "and");
    let cents = whole(words, and).filter(|(cents, _)| (1..100).contains(cents));
    // Spoken prices omit the unit, and times of day sound the same.
    let clock = one_of(
        at(words, place.wrapping_sub(1)),
        "at by until till around before after room",
    );
    match cents {
        Some((cents, to)) if named && words.get(to).is_some_and(|word| word.is("cent")) => {
            found(dollars * 100 + cents, to + 1)
        }
        Some((cents, to))
            if cents > 9
                && (named && words[next].pause == Pause::None || spoken && !clock && !named) =>
        {
            found(dollars * 100 + cents, to)
        }
        _ if named => found(dollars * 100, next + 1),
        _ => None,
    }
}

/// Number of nights, people or results, or a floor.
fn counted(words: &[Word], place: usize) -> Option<Entity> {
    let text = |place: usize| at(words, place);
    let (word, before) = (text(place), text(place.wrapping_sub(1)));
    let found =
        |kind: Kind, to: usize, number: i64| Some(Entity::new(kind, (place, to), "", number));
    let both = one_of(text(place + 1), "and") || text(place.wrapping_sub(2)) == "and";
    match word {
        "floor" => {
            let number = whole(words, place + 1)
                .map(|(number, _)| number)
                .or_else(|| ordinal(text(place + 1)))?;
            return found(Kind::Floor, place + 2, number);
        }
        "fortnight" => return found(Kind::Nights, place + 1, 14),
        "couple" | "pair" if text(place + 1) != "of" || one_of(text(place + 2), "us them") => {
            return found(Kind::People, place + 1, 2);
        }
        "wife" | "husband" | "partner" if both => return found(Kind::People, place + 1, 2),
        _ => {}
    }
    if let (Some(number), "floor") = (ordinal(word), text(place + 1)) {
        return found(Kind::Floor, place + 2, number);
    }
    let article = one_of(word, "a an another");
    let (number, next) = match word {
        "couple" | "pair" => (2, place + 2),
        _ if article => (1, place + 1),
        _ => whole(words, place)?,
    };
    let noun = next
        + usize::from(one_of(
            text(next),
            "more extra whole full additional further low high open single",
        ));
    let ends = words
        .get(next - 1)
        .is_none_or(|word| word.pause > Pause::None)
        || next >= words.len();
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
        "people" | "person" | "guests" | "guest" | "adults" | "adult"
            if !article && noun == next =>
        {
            let children = (noun..words.len())
                .find(|place| one_of(text(*place), "child children kid kids toddler"));
            let more = children
                .and_then(|place| whole(words, place - 1))
                .map_or(0, |(number, _)| number);
            return found(Kind::People, noun + 1, number + more);
        }
        "of" if one_of(text(noun + 1), "us them") => return found(Kind::People, noun + 2, number),
        _ if article => return None,
        _ => {}
    }
    let party =
        before == "of" && one_of(text(place.wrapping_sub(2)), "party family group crew team");
    let goes_on = one_of(
        text(next),
        "from on tonight tomorrow this next please in with and until now instead",
    );
    let for_some = number < 11 && one_of(before, "for be us") && (ends || goes_on);
    if party || for_some || one_of(before, "sleeps sleep making so") {
        return found(Kind::People, next, number);
    }
    const LISTS: &str = "rooms cases bookings guests executions compensations stays requests jobs";
    let led = one_of(
        before,
        "first top last latest max maximum limit newest most than just only",
    );
    let listed =
        !ends && before != "room" && (next..next + 3).any(|place| one_of(text(place), LISTS));
    if number < 101 && (led || listed) {
        found(Kind::Limit, next, number)
    } else {
        None
    }
}

/// Three digits that count nothing, or any number after `room`.
fn room(words: &[Word], place: usize) -> Option<Entity> {
    const UNITS: &str = "night people person guest minute hour day week towel pillow percent euro";
    let word = &words[place];
    let named = place > 0 && words[place - 1].is("room") && words[place - 1].pause == Pause::None;
    let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
    let counts =
        word.pause == Pause::None && words.get(place + 1).is_some_and(|next| next.is(UNITS));
    let fits = digits && (word.text.len() == 3 && !counts || named && word.text.len() < 5);
    fits.then(|| Entity::new(Kind::Room, (place, place + 1), word.text.as_str(), 0))
}
