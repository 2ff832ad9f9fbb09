//! Charges put on a folio, and taken off again.

use crate::llm::heard::Word;
use crate::llm::said::Call;

use super::{Ask, Family, Guess};

const VERBS: &str = "took | take | had | drank | ate | used | ordered | consumed | enjoyed | stick | chuck | whack | log | enter | record | slap | charge | put | add | post | bill | book | debit | onto | on";
/// Somebody pays: no charge is to be made.
const PAYS: &str = "pay | pays | agreed | paid | saved card | charge the card | his card | her card | owe \
    | check him out | check her out | check them out | refund";
/// What says nothing about what a charge is for.
const EMPTY: &[&str] = &[
    "please", "put", "add", "charge", "post", "bill", "book", "room", "the", "a", "an", "to", "on", "onto", "for",
    "of", "kindly", "could", "would", "you", "can", "dollar", "dollars", "his", "her", "their", "at", "in", "some",
];

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let (slots, whole) = (&heard.slots, &ask.whole.slots);
    if !ask.tools.offers("post_charge") {
        return None;
    }
    if let Some(charge) = slots.named.charges.first() {
        let call = Call::to("post_charge").with("charge_number", Some(charge.as_str())).with("void", Some(true));
        return Some(Guess::call(92, Family::Charge, call));
    }
    let target = slots.room().or(slots.booking()).or(whole.room()).or(whole.booking());
    let cents = slots.cents().or_else(|| bare(ask))?;
    if target.is_none() || heard.any(PAYS) || heard.asks() && !heard.begins("could | can | would") {
        return None;
    }
    let terse = heard.words.len() < 8;
    if !(heard.any(VERBS) || terse) {
        return None;
    }
    let booking = slots.booking().or(whole.booking());
    let call = Call::to("post_charge")
        .with("room_number", ask.room().filter(|_| booking.is_none()))
        .with("booking_number", booking)
        .with("amount", Some(cents))
        .with("description", Some(description(ask)));
    Some(Guess::call(88, Family::Charge, call))
}

/// A number that is no room, where something is put on one: `minibar 15 on 308`.
fn bare(ask: &Ask<'_>) -> Option<i64> {
    let heard = ask.heard;
    if !heard.any("charge | put | add | post | minibar | laundry | spa | parking") || heard.slots.days.any() {
        return None;
    }
    let number = |word: &Word| word.text.parse::<i64>().ok().filter(|_| word.text.len() < 4);
    let mut numbers = heard.words.iter().filter(|word| !heard.slots.rooms.contains(&word.text)).filter_map(number);
    let only = numbers.next()?;
    (numbers.next().is_none() && heard.slots.room().is_some() && heard.words.len() < 8).then_some(only * 100)
}

/// What it is for: what stands after `for`, or what is left without verb, amount and room.
fn description(ask: &Ask<'_>) -> String {
    let heard = ask.heard;
    let taken = |place: usize| heard.slots.amounts.iter().any(|amount| (amount.from..amount.to).contains(&place));
    let says = |place: usize| {
        let word = &heard.words[place];
        !taken(place)
            && !EMPTY.contains(&word.text.as_str())
            && !word.text.starts_with("bk-")
            && word.text.parse::<i64>().is_err()
            && !word.text.is_empty()
    };
    let after_for = heard.words.iter().position(|word| word.text == "for").map_or(0, |place| place + 1);
    let from = |start: usize| -> Vec<&str> {
        (start..heard.words.len()).filter(|place| says(*place)).map(|place| heard.words[place].text.as_str()).collect()
    };
    let words = Some(from(after_for)).filter(|words| !words.is_empty()).unwrap_or_else(|| from(0));
    let text = words.join(" ");
    let mut letters = text.chars();
    letters.next().map_or_else(|| "Charge".to_owned(), |first| first.to_uppercase().chain(letters).collect())
}
