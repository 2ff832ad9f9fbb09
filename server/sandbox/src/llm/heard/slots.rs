//! Everything a sentence names.

use jiff::civil::Date;

use super::ids::{self, Named};
use super::money::{Amount, amounts};
use super::people;
use super::words::Word;
use super::{Span, names};

const TYPES: &[&str] = &["Standard", "Deluxe", "Suite", "Penthouse"];

/// What is named.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slots {
    /// Numbers and addresses.
    pub named: Named,
    /// Rooms, by number.
    pub rooms: Vec<String>,
    /// Amounts of money.
    pub amounts: Vec<Amount>,
    /// Days and nights.
    pub days: Span,
    /// Names of people.
    pub names: Vec<String>,
    /// How many people.
    pub people: Option<i64>,
    /// At most so many.
    pub limit: Option<i64>,
    /// The type of room.
    pub room_type: Option<&'static str>,
    /// The floor.
    pub floor: Option<i64>,
}

impl Slots {
    /// Reads them as of today.
    pub fn read(words: &[Word], today: Date) -> Self {
        let named = ids::read(words);
        let amounts = amounts(words);
        let days = Span::read(words, today);
        let limit = people::limit(words);
        let taken = |place: usize| {
            amounts.iter().any(|amount| (amount.from..amount.to).contains(&place))
                || days.taken.iter().any(|(from, to)| (*from..*to).contains(&place))
                || limit.is_some_and(|(_, at)| at == place)
                || named.phone.as_ref().is_some_and(|phone| phone.contains(&words[place].text))
        };
        let rooms = ids::rooms(words, &taken);
        let kind = |word: &Word| TYPES.iter().copied().find(|kind| word.is(&kind.to_lowercase()));
        Self {
            rooms,
            names: names::names(words),
            people: people::people(words),
            limit: limit.map(|(number, _)| number),
            room_type: words.iter().find_map(kind),
            floor: floor(words),
            named,
            amounts,
            days,
        }
    }

    /// The room that is named.
    pub fn room(&self) -> Option<&str> {
        self.rooms.first().map(String::as_str)
    }

    /// The booking that is named.
    pub fn booking(&self) -> Option<&str> {
        self.named.bookings.first().map(String::as_str)
    }

    /// The address that is named.
    pub fn email(&self) -> Option<&str> {
        self.named.emails.first().map(String::as_str)
    }

    /// The first amount, in cents.
    pub fn cents(&self) -> Option<i64> {
        self.amounts.first().map(|amount| amount.cents)
    }
}

/// `floor 2`, `the 4th floor`, `third floor`.
fn floor(words: &[Word]) -> Option<i64> {
    const ORDINALS: &[&str] = &["ground", "first", "second", "third", "fourth", "fifth", "sixth"];
    let place = words.iter().rposition(|word| word.is("floor") || word.is("storey"))?;
    let number = |word: &Word| {
        let digits: String = word.text.chars().take_while(char::is_ascii_digit).collect();
        let ordinal =
            || ORDINALS.iter().position(|name| *name == word.text).and_then(|place| i64::try_from(place).ok());
        let spoken = || super::numbers::whole(std::slice::from_ref(word), 0).map(|(number, _)| number);
        digits.parse().ok().filter(|number| *number < 100).or_else(ordinal).or_else(spoken)
    };
    let after = words.get(place + 1).and_then(number);
    after.or_else(|| place.checked_sub(1).and_then(|place| number(&words[place])))
}
