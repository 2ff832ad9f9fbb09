//! Work on cases: status, priority, type, comment, assignee; and cases opened.

use crate::llm::heard::Heard;
use crate::llm::said::{Call, Said};

use super::{Ask, Family, Guess, service, topics};

/// How many words may stand between `open` and `case`.
const BETWEEN: usize = 4;

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    if !ask.tools.offers("manage_cases") {
        return None;
    }
    opened(ask).or_else(|| worked_on(ask)).or_else(|| mended(ask))
}

fn opened(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.whole;
    if !opens(heard) || !heard.slots.named.cases.is_empty() {
        return None;
    }
    let kind =
        topics::case_type(heard).or_else(|| service::kind(heard, true).map(|(kind, _)| kind)).unwrap_or("Housekeeping");
    let description = heard.tidy();
    let subject = quoted(&heard.source).unwrap_or_else(|| subject(heard));
    let call = Call::to("manage_cases")
        .with("type", Some(kind))
        .with("subject", Some(subject))
        .with("description", Some(description))
        .with("room_number", heard.slots.room())
        .with("status", heard.any("new").then_some("New"))
        .with("priority", topics::priority(heard))
        .with("guest_email", heard.slots.email());
    Some(Guess::call(96, Family::Work, call))
}

/// `Open a new Concierge case`, and no list of open cases.
pub fn opens(heard: &Heard) -> bool {
    const VERBS: &[&str] = &["open", "create", "start", "make", "log", "file", "raise", "new"];
    heard.words.iter().enumerate().any(|(place, word)| {
        VERBS.contains(&word.text.as_str())
            && heard.words[place + 1..].iter().take(BETWEEN).any(|word| word.text == "case")
            && (word.text != "new" || place == 0)
    })
}

/// The part that says what it is about: the one that opens the case says nothing else.
fn subject(heard: &Heard) -> String {
    let parts: Vec<&str> =
        heard.source.split([':', '.', '!', ';', ',']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let tells = |part: &&&str| {
        let lower = part.to_lowercase();
        !["case", "won't believe", "please", "morning"].iter().any(|word| lower.contains(word))
    };
    let part = parts.iter().filter(tells).max_by_key(|part| part.len()).or(parts.first());
    part.map_or_else(|| heard.tidy(), |part| (*part).to_owned()).chars().take(255).collect()
}

fn quoted(source: &str) -> Option<String> {
    let pairs = [(" '", "'"), (" \"", "\""), (" “", "”"), (" ‘", "’")];
    pairs.iter().find_map(|(open, close)| {
        let (_, rest) = source.split_once(open)?;
        rest.split_once(close).map(|(quoted, _)| quoted.trim().to_owned()).filter(|quoted| !quoted.is_empty())
    })
}

fn worked_on(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let number = heard.slots.named.cases.first()?;
    let (status, priority) = (status(heard), priority(heard));
    let retyped = heard.any(
        "retype | retyped | change the type | type | is not | not | should be | belongs to | is for | one for \
            | hand it to",
    );
    let retyped = retyped || heard.any("wrong department | wrong team") || (status.is_none() && priority.is_none());
    let kind = retyped.then(|| first_type(heard)).flatten();
    let email = heard.slots.email().filter(|_| heard.any("assign | assigned | give | hand | takes | pass | for"));
    let comment = comment(ask, status);
    let nothing = status.is_none() && priority.is_none() && kind.is_none() && email.is_none() && comment.is_none();
    let question = heard.asks()
        && heard
            .begins("what | when | who | how | is | are | has | have | was | where | why | which | did | show | any");
    if (nothing || question && email.is_none())
        && (heard.asks()
            || heard.begins(
                "status | state | progress | update | news | show | find | see | look up | open up | pull up | details",
            ))
    {
        let call = Call::to("search_cases_on_behalf_of_staff").with("case_number", Some(number.as_str()));
        return Some(Guess::call(89, Family::Cases, call));
    }
    if heard.slots.named.cases.len() > 1 && !(nothing || question) {
        return Some(each(ask, status, priority));
    }
    let call = Call::to("manage_cases")
        .with("case_number", Some(number.as_str()))
        .with("status", status)
        .with("priority", priority)
        .with("type", kind)
        .with("assignee", email)
        .with("comment", if nothing { Some(ask.whole.tidy()) } else { comment });
    Some(Guess::call(91, Family::Work, call))
}

/// Several cases: of each what its part of the sentence tells, or what the whole sentence does.
fn each(ask: &Ask<'_>, whole_status: Option<&str>, whole_priority: Option<&str>) -> Guess {
    let parts = ask.heard.clauses(ask.talk.today());
    let call = |number: &String| {
        let part = parts.iter().find(|part| part.slots.named.cases.contains(number));
        let own = part.map(|part| (status(part), priority(part))).filter(|own| *own != (None, None));
        let (status, priority) = own.unwrap_or((whole_status, whole_priority));
        let kind = first_type(ask.heard).filter(|_| (status, priority) == (None, None));
        Call::to("manage_cases")
            .with("case_number", Some(number.as_str()))
            .with("status", status)
            .with("priority", priority)
            .with("type", kind)
            .with("assignee", ask.heard.slots.email())
    };
    let calls = ask.heard.slots.named.cases.iter().map(call).collect();
    Guess { sure: 91, family: Family::Work, said: Said::Calls(calls) }
}

/// The first type that is named: `is maintenance, not facilities`.
fn first_type(heard: &Heard) -> Option<&'static str> {
    const TYPES: [(&str, &str); 5] = [
        ("maintenance", "Maintenance"),
        ("facilities", "Facilities"),
        ("housekeeping", "Housekeeping"),
        ("concierge", "Concierge"),
        ("room service", "Room Service"),
    ];
    let denied = |at: usize| at > 0 && heard.words[at - 1].text == "not";
    let mut found: Vec<(usize, &str)> = TYPES
        .iter()
        .filter_map(|(word, kind)| heard.at(word).filter(|at| !denied(*at)).map(|at| (at, *kind)))
        .collect();
    found.sort_unstable();
    found.first().map(|(_, kind)| *kind)
}

fn status(heard: &Heard) -> Option<&'static str> {
    if heard.any(
        "reopen | reopened | in progress | start on | started on | starting | working on | am/are fixing/repairing/handling/doing | looking into | on the case | under way | begun \
            | open again | on it | not fixed | back again",
    ) {
        return Some("In Progress");
    }
    let closed = "close | closed | done | fixed | finished | solved | resolved | completed | any more | sorted \
        | delivered | repaired";
    heard.any(closed).then_some("Closed")
}

fn priority(heard: &Heard) -> Option<&'static str> {
    if heard.any("can wait | low priority | to low | not urgent") && !heard.any("medium") {
        return Some("Low");
    }
    topics::priority(heard)
}

/// What is to be said about it: after `comment`, `note` or a colon; and what came with the closing.
fn comment(ask: &Ask<'_>, status: Option<&str>) -> Option<String> {
    let heard = ask.heard;
    let asked = heard.any("comment | note | write | add to");
    let after = heard
        .source
        .split_once(':')
        .map(|(_, rest)| rest)
        .or_else(|| heard.source.split_once(',').map(|(_, rest)| rest).filter(|_| status == Some("Closed")));
    let that = heard.source.split_once(" that ").map(|(_, rest)| rest).filter(|_| asked);
    let text = after
        .filter(|_| asked || status == Some("Closed"))
        .or(that)
        .map(str::trim)
        .filter(|text| text.len() > 2 && !bare(text));
    let quoted = asked.then(|| quoted(&heard.source)).flatten();
    quoted.or_else(|| text.map(str::to_owned)).or_else(|| asked.then(|| heard.tidy()))
}

/// `Please close it` says nothing that was not said.
fn bare(text: &str) -> bool {
    const SAID: [&str; 12] =
        ["please", "close", "it", "thanks", "thank", "you", "can", "could", "that", "one", "now", "kindly"];
    let letters = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    text.split_whitespace().all(|word| SAID.contains(&letters(word).as_str()))
}

/// Something is fixed in a room: which case that was has to be looked up.
fn mended(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let room = heard.slots.room()?;
    let fixed =
        heard.any("fixed | repaired | mended | sorted | works again | working again | no longer leaks | replaced");
    let thing = heard.words.len() > 3 && !heard.any("ready | clean | vacant | to cleaning | set | housekeeping");
    if !fixed || !thing || heard.asks() || !ask.tools.offers("search_cases_on_behalf_of_staff") {
        return None;
    }
    let call = Call::to("search_cases_on_behalf_of_staff").with("room_number", Some(room));
    Some(Guess::call(82, Family::Work, call))
}
