//! What a sentence asks for. Each family of wishes is one file and judges by itself; the surest wins, and where the
//! parts of a sentence ask for things that go together, all of them are done side by side.

mod arrive;
mod ask;
mod book;
mod cases;
mod change;
mod charge;
mod compensate;
mod contact;
mod exit;
mod find;
mod gist;
mod guard;
mod own;
mod rooms;
mod runs;
mod service;
mod status;
mod talk;
mod topics;
mod wish;
mod wishes;
mod work;

pub use ask::Ask;

use super::conversation::Conversation;
use super::heard::Heard;
use super::said::{Call, Said};
use super::toolbox::Toolbox;

/// What kind of wish it is; only some kinds are ever done side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The bill, and leaving.
    Exit,
    /// Checking in.
    Arrive,
    /// Rooms that are free, and bookings to be made.
    Book,
    /// Bookings to be changed.
    Change,
    /// Something is wanted or broken.
    Service,
    /// A room's status.
    Status,
    /// A case to be worked on.
    Work,
    /// A charge.
    Charge,
    /// Guests to be found.
    Find,
    /// Bookings to be listed.
    Bookings,
    /// Rooms to be listed.
    Rooms,
    /// Cases to be listed.
    Cases,
    /// Executions and compensations.
    Runs,
    /// Only words.
    Talk,
}

/// What a wish comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// How sure it is: 90 by number and verb, 70 by words that say it, 50 by words that hint.
    pub sure: u8,
    /// Its kind.
    pub family: Family,
    /// What is to be said or called.
    pub said: Said,
}

impl Guess {
    /// A call.
    pub fn call(sure: u8, family: Family, call: Call) -> Self {
        Self { sure, family, said: Said::Calls(vec![call]) }
    }

    /// Words.
    pub fn words(sure: u8, family: Family, words: impl Into<String>) -> Self {
        Self { sure, family, said: Said::Words(words.into()) }
    }
}

/// From here on a part of a sentence stands for itself.
const STRONG: u8 = 60;
/// Up to here it is only talk, and the gist is looked for.
const SMALL_TALK: u8 = 35;
/// Up to here what a whole message seems to ask for may come from its story.
const MIGHT_BE_STORY: u8 = 84;

type Intent = fn(&Ask<'_>) -> Option<Guess>;

const OF_GUESTS: [Intent; 8] =
    [runs::hear, exit::hear, arrive::hear, change::hear, book::hear, own::hear, service::hear, talk::hear];
const OF_STAFF: [Intent; 16] = [
    runs::hear,
    compensate::hear,
    compensate::list,
    charge::hear,
    contact::hear,
    work::hear,
    status::hear,
    exit::hear,
    arrive::hear,
    change::hear,
    book::hear,
    cases::hear,
    rooms::hear,
    service::hear,
    find::hear,
    talk::hear,
];

/// Understands what was said last.
pub fn understand(talk: &Conversation, tools: &Toolbox) -> Said {
    let said = once(&talk.said, talk, tools);
    match (&said, &talk.before) {
        // Asked back and answered: both together may say it.
        (None, Some(before)) => once(&format!("{before}. {}", talk.said), talk, tools),
        _ => said,
    }
    .or_else(|| {
        let heard = Heard::new(&talk.said, talk.today());
        gist::hear(&Ask { talk, tools, heard: &heard, whole: &heard }).map(|guess| guess.said)
    })
    .unwrap_or_else(|| Said::Words(talk::unclear(talk)))
}

fn once(text: &str, talk: &Conversation, tools: &Toolbox) -> Option<Said> {
    let whole = Heard::new(text, talk.today());
    let ask = Ask { talk, tools, heard: &whole, whole: &whole };
    if let Some(guarded) = guard::judge(&ask) {
        return Some(guarded);
    }
    let parts: Vec<Heard> = whole.clauses(talk.today());
    let guesses: Vec<Guess> = parts
        .iter()
        .filter_map(|part| best(&Ask { heard: part, ..ask }))
        .filter(|guess| guess.sure >= STRONG && matches!(guess.said, Said::Calls(_)))
        .collect();
    let best = best(&ask).map(|whole| by_sentence(&ask, &whole).unwrap_or(whole));
    let best = match best {
        Some(talk) if talk.sure <= SMALL_TALK => gist::hear(&ask).or(Some(talk)),
        best => best,
    };
    wishes::two(&ask).or_else(|| together(&guesses, best.as_ref())).or_else(|| best.map(|guess| guess.said))
}

/// Where there are several sentences and just one of them asks for something else than all of them together seem to, that one
/// is believed: the others tell a story.
fn by_sentence(ask: &Ask<'_>, whole: &Guess) -> Option<Guess> {
    let sentences = ask.whole.sentences(ask.talk.today());
    if sentences.len() < 2 || whole.sure > MIGHT_BE_STORY {
        return None;
    }
    let calls = |guess: &Guess| guess.sure >= STRONG && matches!(guess.said, Said::Calls(_));
    let mut guesses = sentences.iter().filter_map(|heard| best(&Ask { heard, ..*ask })).filter(calls);
    let only = guesses.next().filter(|only| only.family != whole.family)?;
    guesses.next().is_none().then_some(only)
}

fn best(ask: &Ask<'_>) -> Option<Guess> {
    let intents: &[Intent] = if ask.talk.is_guest() { &OF_GUESTS } else { &OF_STAFF };
    let mut best: Option<Guess> = None;
    for guess in intents.iter().filter_map(|intent| intent(ask)) {
        if best.as_ref().is_none_or(|best| guess.sure > best.sure) {
            best = Some(guess);
        }
    }
    best
}

/// Calls of two parts, where the two go together.
fn together(parts: &[Guess], whole: Option<&Guess>) -> Option<Said> {
    if whole.is_some_and(|whole| whole.sure > 95) {
        return None;
    }
    for (place, first) in parts.iter().enumerate() {
        for second in &parts[place + 1..] {
            if go_together(first, second) {
                let calls = [first, second].into_iter().flat_map(|guess| match &guess.said {
                    Said::Calls(calls) => calls.clone(),
                    Said::Words(_) => Vec::new(),
                });
                return Some(Said::Calls(calls.collect()));
            }
        }
    }
    None
}

fn go_together(first: &Guess, second: &Guess) -> bool {
    use Family::{Arrive, Book, Bookings, Cases, Change, Charge, Exit, Find, Rooms, Service, Status, Work};
    const PAIRS: [(Family, Family); 19] = [
        (Exit, Service),
        (Arrive, Service),
        (Change, Book),
        (Bookings, Cases),
        (Status, Service),
        (Work, Status),
        (Rooms, Rooms),
        (Find, Book),
        (Arrive, Charge),
        (Rooms, Cases),
        (Rooms, Bookings),
        (Exit, Cases),
        (Exit, Bookings),
        (Change, Service),
        (Find, Cases),
        (Status, Status),
        (Service, Service),
        (Charge, Charge),
        (Find, Service),
    ];
    let families = [(first.family, second.family), (second.family, first.family)];
    let differ = |field: &str| argument(first, field) != argument(second, field);
    PAIRS.iter().any(|pair| families.contains(pair))
        && match (first.family, second.family) {
            // The same wish in two parts of the sentence is one.
            // A defect told in two parts is one.
            (Service, Service)
                if is(first, "submit_maintenance_request") && is(second, "submit_maintenance_request") =>
            {
                differ("room_number")
            }
            (Service, Service) => differ("type"),
            (Status, Status) => differ("room_number"),
            (Status, Service) | (Service, Status) => {
                let status = argument(first, "status").or(argument(second, "status"));
                status.is_some_and(|status| status == "Vacant" || status == "Cleaning")
            }
            _ => first.said != second.said,
        }
}

fn is(guess: &Guess, tool: &str) -> bool {
    matches!(&guess.said, Said::Calls(calls) if calls.first().is_some_and(|call| call.tool == tool))
}

fn argument<'a>(guess: &'a Guess, name: &str) -> Option<&'a serde_json::Value> {
    match &guess.said {
        Said::Calls(calls) => calls.first()?.arguments.get(name),
        Said::Words(_) => None,
    }
}
