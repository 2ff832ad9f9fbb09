//! Arrangement: whether a message can mean a booking, other nights, another room, or a check-in. There are
//! too many ways to wish for one, so only what cannot be a wish is told apart, by its grammar: what might
//! have been, a refusal, a question or a report of the past, and what somebody else wants.

use dewy_domain::caller::Persona;

use super::{
    ADVERSATIVES, DENIES, FORMS, JOINTS,
    claim::{after_adverbs, is_participle},
    clause::Clause,
    one_of, written,
};

const SELF: &str = " i we ";
const OTHERS: &str = " you they he she somebody someone nobody ";
const AUXILIARIES: &str = " do does did will would am are is was were can could ";
const MODALS: &str = " could would should might ";
const ADVERBS: &str = " not also still really just please ";
/// Participles and verbs that are no request when somebody else is their subject.
const PAST: &str = " been had kept left gone slept come got ";
const WANTS: &str =
    " want wants wishes needs asks quiere quisiera quieren stay stays extend check checks book ";
/// First words of somebody else.
const DETERMINERS: &str = "my our the a an another other some her his mi nuestra nuestro";
const STAYS: &str = "room booking";
const ORDERS: &str = "move change extend put book add check give switch keep take";

/// Whether the message is no such refusal or report, or asks for something beside it.
pub(super) fn may_be_meant(persona: Persona, clauses: &[Clause]) -> bool {
    let joins = |word: &String| one_of(word, JOINTS) || one_of(word, ADVERSATIVES);
    let parts = clauses.iter().flat_map(|clause| clause.words.split(joins));
    let (ruled_out, open): (Vec<_>, Vec<_>) = parts
        .map(|words| words.iter().map(String::as_str).collect::<Vec<_>>())
        .partition(|words| is_ruled_out(persona, words));
    ruled_out.is_empty() || open.iter().any(|words| asks(words))
}

/// `can I …`, `move me …`
fn asks(words: &[&str]) -> bool {
    let owned: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let requests = FORMS.request.as_ref();
    requests.is_some_and(|form| form.is_match(&written(&owned)))
        || words.iter().take(3).any(|word| one_of(word, ORDERS))
}

fn is_ruled_out(persona: Persona, words: &[&str]) -> bool {
    might_have_been(words)
        || is_denied(words)
        || matches!(words, ["did" | "was" | "were" | "has", ..])
        || matches!(words, ["have", "i" | "we" | "you" | "they", ..])
        || persona == Persona::Guest
            && (reports(words) || wants_for_others(words) || checks_in_others(words))
}

/// `could I have stayed`, `I would have liked`, `I wish we had`, `podría haber`
fn might_have_been(words: &[&str]) -> bool {
    let between = |word: &&str| {
        [SELF, OTHERS, ADVERBS]
            .iter()
            .any(|list| one_of(word, list))
    };
    let unreal = |at: usize| {
        let rest = words.get(at + 1..).unwrap_or_default();
        let skipped = rest.iter().take_while(|word| between(word)).count();
        match rest.get(skipped..) {
            Some(["have", done @ ..]) => {
                let done = after_adverbs(done).first();
                done.is_some_and(|word| is_participle(word) || one_of(word, PAST))
            }
            Some([word, ..]) => word.starts_with("haber"),
            _ => false,
        }
    };
    let modal = |word: &str| {
        let spanish = ["podria", "deberia"]
            .iter()
            .any(|start| word.starts_with(start));
        one_of(word, MODALS) || spanish
    };
    let spanish = |word: &&str| {
        let starts = ["hubie", "habria"];
        starts.iter().any(|start| word.starts_with(start))
    };
    words
        .iter()
        .enumerate()
        .any(|(at, word)| modal(word) && unreal(at))
        || words.iter().any(spanish)
        || words
            .windows(3)
            .any(|three| matches!(three, ["wish", "i" | "we", "had"]))
}

/// `I do not want`, `never change`, `no more nights`; not `can not I stay` or `no, 305`.
fn is_denied(words: &[&str]) -> bool {
    let subject = |word: &&str| one_of(word, SELF) || one_of(word, OTHERS);
    let lead = |word: &&str| subject(word) || one_of(word, AUXILIARIES) || one_of(word, ADVERBS);
    let at = words.iter().position(|word| one_of(word, DENIES));
    let before = at.and_then(|at| words.get(..at)).unwrap_or_default();
    let after = at.and_then(|at| words.get(at + 1..)).unwrap_or_default();
    let inverted = !before.iter().any(subject) && after.first().is_some_and(subject);
    let led = !before.is_empty() && before.iter().all(lead);
    let leads = matches!(
        words,
        ["never" | "nunca", ..]
            | [
                "no",
                "more" | "other" | "another" | "quiero" | "necesito",
                ..
            ]
    );
    let wants = |three: &[&str]| {
        matches!(
            three,
            [
                "do" | "does" | "did" | "would",
                "not",
                "want" | "wish" | "need"
            ]
        )
    };
    leads || led && !inverted && !after.is_empty() || words.windows(3).any(wants)
}

/// `you changed my dates`, `I checked in yesterday`
fn reports(words: &[&str]) -> bool {
    match words {
        ["i" | "we", rest @ ..] => {
            let rest = rest.strip_prefix(&["have"]).unwrap_or(rest);
            let done = after_adverbs(rest).first();
            done.is_some_and(|word| matches!(*word, "checked" | "extended" | "moved" | "stayed"))
        }
        [who, rest @ ..] if one_of(who, OTHERS) => {
            rest.iter().take(3).any(|word| is_participle(word))
        }
        _ => false,
    }
}

/// `my sister wants`, `can other guests stay`, `my husband checks in for me`
fn wants_for_others(words: &[&str]) -> bool {
    // Not the last word: `for me`
    let before_last = words.split_last().map_or(words, |(_, before)| before);
    let own = before_last.iter().any(|word| is_own(word));
    let words = match words {
        ["can" | "could" | "may", rest @ ..] => rest,
        _ => words,
    };
    let other = words
        .first()
        .is_some_and(|word| one_of(word, DETERMINERS) || one_of(word, OTHERS));
    let wants = |at: usize| {
        let would = words.get(at..).unwrap_or_default();
        matches!(would, ["would", "like" | "love", ..])
            || would.first().is_some_and(|word| one_of(word, WANTS))
    };
    !own && other && words.first() != Some(&"you") && (1..words.len().min(6)).any(wants)
}

/// `check in my mother`, `check my parents in`; not `check in my booking`, `check my wife and me in`
fn checks_in_others(words: &[&str]) -> bool {
    let check = words.iter().position(|word| *word == "check");
    let rest = check.and_then(|at| words.get(at + 1..)).unwrap_or_default();
    let whom: Vec<&str> = rest.iter().copied().filter(|word| *word != "in").collect();
    let other = match whom[..] {
        [of, who, ..] => one_of(of, DETERMINERS) && !one_of(who, STAYS),
        _ => false,
    };
    other && whom.len() < rest.len() && !words.iter().any(|word| is_own(word))
}

fn is_own(word: &str) -> bool {
    one_of(word, SELF) || matches!(word, "me" | "us")
}
