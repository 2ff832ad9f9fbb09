//! Claim: whether an answer says that something was done just now, by its grammar: `I've cancelled
//! it`, `I have ordered towels`, `your booking has been cancelled`, `Done`. How things stand is no
//! claim: `You are checked in until Friday`.

use dewy_domain::caller::Persona;

use super::{
    DENIES, Named,
    clause::{self, Clause, clauses},
    one_of,
};

/// Words between an auxiliary and its participle, beside adverbs in `-ly`.
const BETWEEN: &str = " just now already also gone ahead and been ";
/// Participles that don't end in `-ed`.
const IRREGULAR: &str = " sent put made set done taken given brought booked undone written ";
/// What is done by reading.
const READING: &str = " looked searched reviewed verified noticed received listed tried asked wanted needed explained \
    mentioned included ";

/// Whether the text claims an act. After a read in the same turn, only what `I` or `we` did counts:
/// `has been cancelled` may be what was read.
pub(crate) fn claims_act(text: &str, has_read: bool) -> bool {
    let clauses = clauses(text, Persona::Guest, &Named::default());
    let mut stated = clauses.iter().filter(|clause| !clause.asks);
    stated.any(|clause| clause.claims(has_read))
}

impl Clause {
    fn claims(&self, has_read: bool) -> bool {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        // `I have changed nothing`
        if words.iter().any(|word| matches!(*word, "nothing" | "nada")) {
            return false;
        }
        // `once I have …`, `I have not …`
        let open = |word: &&str| !clause::begins_another(word) && !one_of(word, DENIES);
        let words: Vec<&str> = words.into_iter().take_while(open).collect();
        let whole = matches!(words.as_slice(), ["done"] | ["all", "done" | "set"]);
        whole
            || (0..words.len()).any(|at| {
                let rest = words.get(at..).unwrap_or_default();
                did(rest) || !has_read && was_done(rest)
            })
    }
}

/// `I have cancelled …`, `we just sent …`
fn did(words: &[&str]) -> bool {
    match words {
        ["i" | "we", "have", rest @ ..] | ["i" | "we", rest @ ..] => {
            let rest = after_adverbs(rest);
            let out = || rest.iter().take(4).any(|word| one_of(word, "in out"));
            match rest.first() {
                Some(&"checked") => out(),
                Some(word) => is_participle(word) && !one_of(word, READING),
                None => false,
            }
        }
        _ => false,
    }
}

/// `… has been cancelled`, `… is now cancelled`, `… are on their way`
fn was_done(words: &[&str]) -> bool {
    match words {
        ["has" | "have", rest @ ..] => {
            let done = after_adverbs(rest);
            let been = rest
                .iter()
                .take(rest.len() - done.len())
                .any(|word| *word == "been");
            been && done.first().is_some_and(|word| is_participle(word))
        }
        ["is" | "are", "now", rest @ ..] => after_adverbs(rest)
            .first()
            .is_some_and(|word| is_participle(word)),
        ["is" | "are", "on", "its" | "their" | "the", "way", ..] => true,
        ["he" | "hemos", done, ..] => ["ado", "ido", "cho", "sto"]
            .iter()
            .any(|end| done.ends_with(end)),
        ["ha" | "han", "sido", ..] => true,
        _ => false,
    }
}

pub(super) fn after_adverbs<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let between = |word: &&str| one_of(word, BETWEEN) || word.ends_with("ly");
    let start = words.iter().position(|word| !between(word));
    words
        .get(start.unwrap_or(words.len())..)
        .unwrap_or_default()
}

pub(super) fn is_participle(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") || one_of(word, IRREGULAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_claimed_by_what_was_done() {
        for text in [
            "I've cancelled your booking.",
            "I have ordered towels for you. Anything else?",
            "Sure, I just sent housekeeping to your room!",
            "As you wished, we have now posted $12.50 to 302.",
            "I've gone ahead and checked you out.",
            "I cancelled BK-0034",
            "Done! Is there anything else I can do?",
            "Okay, all set.",
            "Your booking has been cancelled",
            "The charge has already been successfully refunded.",
            "You are now checked out.",
            "Fresh towels are on their way",
            "He cancelado su reserva.",
            "Su reserva ha sido cancelada.",
        ] {
            assert!(claims_act(text, false), "{text}");
        }
        for text in ["I've cancelled it", "I have checked you in", "Done."] {
            assert!(claims_act(text, true), "{text}");
        }
    }

    #[test]
    fn how_things_stand_is_no_claim() {
        for text in [
            "You are checked in until Friday",
            "Your booking is cancelled.",
            "Your booking was cancelled yesterday.",
            "You were charged $250.00 once, and your stay ends on Friday.",
            "I have two rooms for you: 204 and 309.",
            "I have not cancelled anything.",
            "Once I have ordered them, they take ten minutes.",
            "I checked your bill: you owe $250.00.",
            "I've looked, and nothing is open.",
            "Have you been charged twice?",
            "Breakfast is served from 7 to 10 AM.",
            "I need the booking number.",
            "Please decide above.",
            "Nothing has been changed yet, and I have cancelled nothing.",
            "Su reserva está cancelada.",
        ] {
            assert!(!claims_act(text, false), "{text}");
        }
        for text in [
            "Your booking has been cancelled, on 3 March.",
            "He encontrado dos habitaciones.",
        ] {
            assert!(!claims_act(text, true), "{text}");
        }
    }
}
