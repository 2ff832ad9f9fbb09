//! Wish: whether a person's own words ask the hotel, now, for what moves money or ends a stay.
//!
//! A wish has a form (`wish/forms.txt`): an order, `can you …`, `I want to …`, and the act right after
//! it. Complaints, reports, questions after a fact, refusals and other people's wishes have none of
//! these forms, so no list of them is needed. Where the form is in doubt, it is no wish, and the person
//! is asked.
//!
//! ```text
//! message ─► clauses (clause.rs) ─► form of the act, at the clause's start ─► nothing after it that reports or denies
//! ```

mod arrangement;
mod claim;
mod clause;

use std::{collections::BTreeMap, sync::LazyLock};

use dewy_domain::{caller::Persona, search_key::search_words};
use regex::{Captures, Regex};

pub(crate) use self::claim::claims_act;
use self::clause::{Clause, clauses};

/// What must be wished for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Check out, and pay.
    Leave,
    /// Leave earlier than booked.
    Shorten,
    Cancel,
    /// Mark a booking as a no-show.
    NoShow,
    Charge,
    Void,
    /// Give money back, or decide about an execution.
    Repair,
    /// Book, check in, or change the nights or the room of a booking.
    Arrange,
    /// Once more, or with another card: only after a first time.
    Again,
}

/// All acts that need a form of their own, but the repetition of one.
pub(crate) const ACTS: [Act; 7] = [
    Act::Leave,
    Act::Shorten,
    Act::Cancel,
    Act::NoShow,
    Act::Charge,
    Act::Void,
    Act::Repair,
];

impl Act {
    const fn name(self) -> &'static str {
        match self {
            Self::Leave => "leave",
            Self::Shorten => "shorten",
            Self::Cancel => "cancel",
            Self::NoShow => "noshow",
            Self::Charge => "charge",
            Self::Void => "void",
            Self::Repair => "repair",
            Self::Arrange => "arrange",
            Self::Again => "again",
        }
    }
}

/// Words by which a message can name what a proposal is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    /// Parts of the guest's email, room and booking number.
    pub names: Vec<String>,
    /// The amount, as people write it.
    pub amounts: Vec<String>,
}

/// Words that report, ask after a fact, or deny: finite auxiliaries and negations.
const REPORTS: &str = " is are was were am be been do does did has have had will says said say fails ha han he fue \
    esta estaba no not never nunca tampoco jamas nobody nadie without sin ";
/// Negations.
const DENIES: &str = " no not never nunca tampoco jamas nobody nadie ";
const ADVERSATIVES: &str = " but however although though pero aunque ";
/// What a stay can be named after: `my booking for Friday`.
const DAYS: &str = " tomorrow tonight monday tuesday wednesday thursday friday saturday sunday january february march april \
    may june july august september october november december ";
const QUESTIONS: &str = " why how what where who which whether como cual donde quien ";
const JOINTS: &str = " and y e + ";

/// Whether a message denies something or asks: it does not report that something is done.
pub(crate) fn leaves_open(said: &str) -> bool {
    let words = search_words(said);
    said.trim_end().ends_with('?') || words.iter().any(|word| one_of(word, DENIES))
}

/// Whether no part of a message reports, denies or asks: an order in other words, perhaps.
pub(crate) fn is_plain(said: &str) -> bool {
    let clauses = clauses(said, Persona::Staff, &Named::default());
    let plain = |one: &Clause| !one.asks && !one.words.iter().any(|word| is_report(word));
    !clauses.is_empty() && clauses.iter().all(plain)
}

fn one_of(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// Forms by who and act, and the beginnings of a request.
struct Forms {
    acts: BTreeMap<String, Vec<Regex>>,
    /// `can you`, `I want to`.
    request: Option<Regex>,
    /// `can you`: a question that is a request.
    question: Option<Regex>,
    /// `do you want to`.
    offer: Option<Regex>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| read(include_str!("wish/forms.txt")));

fn read(text: &str) -> Forms {
    let mut parts: BTreeMap<&str, String> = BTreeMap::new();
    let mut acts: BTreeMap<String, Vec<Regex>> = BTreeMap::new();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let expand = |pattern: &str, parts: &BTreeMap<&str, String>| {
        parts.iter().fold(pattern.to_owned(), |text, (name, part)| {
            let repeated = text.replace(&format!("{{{name}}}*"), &format!("(?:{part} )*"));
            repeated.replace(&format!("{{{name}}}"), part)
        })
    };
    let form = |pattern: &str| Regex::new(&format!("^(?:{pattern})")).ok();
    for line in lines {
        if let Some((name, pattern)) = line.split_once(" = ") {
            let pattern = expand(pattern, &parts);
            parts.insert(name, pattern);
        } else if let Some((head, pattern)) = line.split_once(": ") {
            let form = form(&expand(pattern, &parts));
            acts.entry(head.to_owned()).or_default().extend(form);
        }
    }
    let start = "(?:(?:{OPEN}|{ABRE}) )*";
    Forms {
        request: form(&expand(
            &format!("{start}(?:{{WANT}}|{{MAY}}|{{QUIERO}}|{{PUEDO}}) "),
            &parts,
        )),
        question: form(&expand(&format!("{start}(?:{{MAY}}|{{PUEDO}}) "), &parts)),
        offer: form(&expand("(?:{OFFER} |{OFREZCO})", &parts)),
        acts,
    }
}

/// Whether the message asks for the act.
pub(crate) fn wishes(persona: Persona, act: Act, said: &str, named: &Named) -> bool {
    let who = match persona {
        Persona::Guest => "guest",
        Persona::Staff => "staff",
    };
    let clauses = clauses(said, persona, named);
    if act == Act::Arrange {
        return arrangement::may_be_meant(persona, &clauses);
    }
    let mut wished = false;
    for (n, clause) in clauses.iter().enumerate() {
        match clause.wishes(who, act, n + 1 == clauses.len()) {
            Some(found) => wished |= found,
            // `…, but it failed` takes it back
            None => wished = false,
        }
        wished &= !clause.takes_back();
    }
    wished
}

/// Whether the last question of a text offers the act.
pub(crate) fn offers(act: Act, text: &str) -> bool {
    let clauses = clauses(text, Persona::Guest, &Named::default());
    let last = clauses.last().filter(|clause| clause.asks);
    last.is_some_and(|clause| {
        (0..clause.words.len()).any(|at| {
            let rest = written(clause.words.get(at..).unwrap_or_default());
            form_end("offer", act, &rest).is_some()
        })
    })
}

/// The text without the questions that offer an act, alone or among others; `None` if there are none.
pub(crate) fn without_offers(text: &str) -> Option<String> {
    let (mut kept, mut start, mut found) = (String::new(), 0, false);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '\n' => true,
            '?' => next.is_none_or(|next| !next.is_alphanumeric()),
            '.' | '!' => next.is_none_or(char::is_whitespace),
            _ => next.is_none(),
        };
        if !ends {
            continue;
        }
        let end = at + letter.len_utf8();
        let sentence = text.get(start..end).unwrap_or_default();
        start = end;
        if letter == '?' && offers_any(sentence) {
            found = true;
        } else {
            kept.push_str(sentence);
        }
    }
    // `**Do you want to check out?**`
    let says = kept.chars().any(char::is_alphanumeric);
    found.then(|| {
        if says {
            kept.trim().to_owned()
        } else {
            String::new()
        }
    })
}

/// Whether a question offers an act, also as the second of its choices: `… check in, or cancel it?`
fn offers_any(question: &str) -> bool {
    let clauses = clauses(question, Persona::Guest, &Named::default());
    let or = |word: &String| one_of(word, JOINTS) || one_of(word, "or o");
    let mut parts = clauses.iter().flat_map(|clause| clause.words.split(or));
    let mut led = false;
    let offered = |words: &str| {
        ACTS.into_iter()
            .any(|act| form_end("offer", act, words).is_some())
    };
    parts.any(|part| {
        let choice = written(part);
        let choices = ["do you want to", "quiere"].map(|lead| format!("{lead} {choice}"));
        let begins = (0..part.len()).map(|at| written(part.get(at..).unwrap_or_default()));
        let found = begins.clone().any(|words| offered(&words))
            || led && choices.iter().any(|words| offered(words));
        let leads = |words: &str| {
            FORMS
                .offer
                .as_ref()
                .is_some_and(|form| form.is_match(words))
        };
        led |= begins.clone().any(|words| leads(&words));
        found
    })
}

/// End of the form at the start of a clause's words.
fn form_end(who: &str, act: Act, words: &str) -> Option<usize> {
    let forms = FORMS.acts.get(&format!("{who} {}", act.name()))?;
    let fits = |found: &Captures<'_>| {
        let who = found.name("who").map_or("", |who| who.as_str());
        !who.split(' ').any(is_report)
    };
    let mut found = forms.iter().filter_map(|form| form.captures(words));
    let found = found.find(fits)?;
    found.get(0).map(|all| all.end())
}

/// Each word with a space after it.
fn written(words: &[String]) -> String {
    words.iter().map(|word| format!("{word} ")).collect()
}

fn is_report(word: &str) -> bool {
    one_of(word, REPORTS) || clause::begins_another(word) || word.len() > 3 && word.ends_with("ed")
}

impl Clause {
    /// Whether a part of it wishes for the act; `None` if a `but` follows the wish.
    fn wishes(&self, who: &str, act: Act, is_last: bool) -> Option<bool> {
        let (mut wished, mut leads, mut joint) = (false, false, "");
        let joins = |word: &String| one_of(word, JOINTS) || one_of(word, ADVERSATIVES);
        let main = self.main();
        for part in main.split_inclusive(joins) {
            let (words, next) = match part.split_last() {
                Some((last, words)) if joins(last) => (words, last.as_str()),
                _ => (part, ""),
            };
            if wished && one_of(joint, ADVERSATIVES) {
                return None;
            }
            let text = written(words);
            let begins =
                |form: &Option<Regex>| form.as_ref().is_some_and(|form| form.is_match(&text));
            let requests = begins(&FORMS.request);
            // What follows an `and` is ordered only after a request
            let own = joint.is_empty()
                || leads
                || requests
                || text.starts_with("please ")
                || one_of(joint, ADVERSATIVES)
                || who == "staff";
            // `check out why …` is something else
            let fits = |end: usize| {
                let object = next.is_empty() && end == text.len() && self.asks_within();
                ends_well(who, &text, end) && !object
            };
            let found = own && form_end(who, act, &text).is_some_and(fits);
            // An order with a question mark: `Check me out?`
            let ordered = || {
                let me = words.iter().any(|word| one_of(word, "me us please favor"));
                is_last && !requests && me && who == "guest"
            };
            wished |= found && (!self.asks || begins(&FORMS.question) || ordered());
            leads |= wished || requests || joint.is_empty() && text.starts_with("please ");
            joint = next;
        }
        if wished && one_of(joint, ADVERSATIVES) {
            return None;
        }
        Some(wished)
    }

    /// Whether its second part is a question after a fact.
    fn asks_within(&self) -> bool {
        let next = self.words.get(self.main().len());
        next.is_some_and(|word| one_of(word, QUESTIONS))
    }

    /// Whether it takes back what was wished before it: `but …`, `no thanks`, `I never …`.
    fn takes_back(&self) -> bool {
        let word = |at: usize| self.words.get(at).map_or("", String::as_str);
        one_of(word(0), ADVERSATIVES)
            || one_of(word(0), DENIES) && self.words.len() < 3
            || matches!(
                (word(0), word(1)),
                ("do" | "did", "not") | ("i" | "we", "never" | "did") | ("wait", "no")
            )
    }
}

/// Whether what follows the form neither reports nor denies, nor names somebody else.
fn ends_well(who: &str, text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let rest = rest.split_ascii_whitespace();
    // `check me out I have a taxi`: another sentence, without a pause
    let rest: Vec<&str> = rest
        .take_while(|word| !matches!(*word, "i" | "we"))
        .collect();
    let somebody = match rest.as_slice() {
        ["of" | "for" | "de", whose, ..] => {
            let own = one_of(whose, "me us this that today the la hoy next")
                || one_of(whose, DAYS)
                || whose.contains(|letter: char| letter.is_ascii_digit());
            who == "guest" && !own
        }
        _ => false,
    };
    !somebody && !rest.into_iter().any(is_report)
}

#[cfg(test)]
mod tests;
