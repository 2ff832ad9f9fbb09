//! Two wishes in one sentence: `charge 308 nine dollars and show me the folio of …`. Where a second verb begins, each half is
//! understood by itself.

use crate::llm::heard::{Heard, Pause, Word};
use crate::llm::said::{Call, Said};

use super::{Ask, Guess, STRONG, best};

/// What may stand before the second verb.
const COURTESY: [&str; 9] = ["please", "kindly", "then", "also", "could", "can", "you", "afterwards", "just"];
/// Verbs that begin another wish after `and`, with what follows them at once.
const SHOWS: &str = "show me/us/the/all/every/his/her/their | give me/us a/the/all/every | list | tell me | find | look up | pull up | bring up | let me see/know \
    | display | show rooms/cases/bookings/requests";
const DOES: &str = "close/reopen case/ticket/job | set/mark/put room | charge | cancel booking | check _ in | check _ out \
    | log a/an | report a/an | file a/an | raise a/an | void | refund | compensate";

/// From here on what is said before a mere pause is a wish and no story.
const SURE: u8 = 80;

/// The calls of both halves, where both ask for something.
pub fn two(ask: &Ask<'_>) -> Option<Said> {
    let words = &ask.whole.words;
    let today = ask.talk.today();
    (1..words.len()).find_map(|place| {
        let begins = second(ask.whole, place)?;
        let left = Heard::part(&words[..place], today);
        let right = Heard::part(&words[begins..], today);
        both(ask, &left, &right, joins(&words[place]))
    })
}

/// Words that join two wishes; a pause alone may stand between a story and its wish.
fn joins(word: &Word) -> bool {
    matches!(word.text.as_str(), "and" | "then" | "also" | "plus")
}

/// Where the second wish begins if it is joined to the first at `place`.
fn second(whole: &Heard, place: usize) -> Option<usize> {
    let words = &whole.words;
    let joint = joins(&words[place]);
    let apart = words[place - 1].pause > Pause::None;
    if !joint && !apart {
        return None;
    }
    let skipped = |word: &&Word| COURTESY.contains(&word.text.as_str());
    let from = place + usize::from(joint);
    let verb = from + words.get(from..)?.iter().take_while(skipped).count();
    let begins = whole.fits(SHOWS, verb) || joint && whole.fits(DOES, verb) || closes(words, verb);
    begins.then_some(verb)
}

/// `Close 00001013`: the number is what makes it a wish of its own.
fn closes(words: &[Word], verb: usize) -> bool {
    const VERBS: [&str; 9] = ["close", "reopen", "set", "mark", "put", "cancel", "void", "check", "move"];
    let numbered = |word: &Word| {
        word.text.bytes().filter(u8::is_ascii_digit).count() > 2 && word.text.bytes().all(|byte| byte != b'@')
    };
    words.get(verb).is_some_and(|word| VERBS.contains(&word.text.as_str()))
        && words[verb..].iter().skip(1).take(2).any(numbered)
}

fn both(ask: &Ask<'_>, left: &Heard, right: &Heard, joined: bool) -> Option<Said> {
    // What the second half does not name it has from the first.
    let named = |heard: &Heard| {
        let slots = &heard.slots;
        slots.email().is_some() || !slots.names.is_empty() || slots.room().is_some() || slots.booking().is_some()
    };
    let calls = |guess: Guess| match guess.said {
        Said::Calls(calls) if guess.sure >= STRONG => Some(calls),
        _ => None,
    };
    let first = best(&Ask { heard: left, whole: left, ..*ask })?;
    let sure = first.sure;
    let first = calls(first)?;
    let whole = if named(right) { right } else { ask.whole };
    let second = best(&Ask { heard: right, whole, ..*ask }).and_then(calls)?;
    (!same(&first, &second) && (joined || sure >= SURE && first.iter().all(changes)))
        .then(|| Said::Calls(first.into_iter().chain(second).collect()))
}

/// Whether a call does something; one that only looks may be part of the story.
fn changes(call: &Call) -> bool {
    !["search", "get", "list"].iter().any(|verb| call.tool.starts_with(verb))
}

/// Whether both halves come to one wish: the same tool is called twice only for two things that each half names, and nobody
/// leaves twice.
fn same(first: &[Call], second: &[Call]) -> bool {
    const NAMES: [&str; 7] =
        ["case_number", "room_number", "booking_number", "guest_email", "query", "status_filter", "amount"];
    let named = |call: &Call, other: &Call| {
        NAMES.iter().any(|name| {
            let (one, two) = (call.arguments.get(*name), other.arguments.get(*name));
            one.is_some() && two.is_some() && one != two
        })
    };
    second.iter().any(|call| {
        first
            .iter()
            .any(|other| other.tool == call.tool && (call.tool == "process_guest_checkout" || !named(call, other)))
    })
}
