//! Clauses of a message.

use std::sync::LazyLock;

use dewy_domain::{caller::Persona, search_key::search_key};
use regex::Regex;

use super::{Named, one_of};

/// Part of a message between pauses.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub words: Vec<String>,
    /// Whether it ends with a question mark.
    pub asks: bool,
}

/// Words that begin a clause of its own: a condition, a question after a fact.
const SUBORDINATES: &str = " when if before after once because since while until unless whether why how what where \
    who which cuando si porque antes despues como cual donde quien ";
/// Short forms, and what they stand for.
const SHORT: [(&str, &str); 11] = [
    ("dont", "do not"),
    ("cant", "can not"),
    ("wont", "will not"),
    ("im", "i am"),
    ("id", "i would"),
    ("lets", "let us"),
    ("let's", "let us"),
    ("it's", "it is"),
    ("wanna", "want to"),
    ("gonna", "going to"),
    ("cancle", "cancel"),
];
const ENDINGS: [(&str, &str); 6] = [
    ("n't", " not"),
    ("'d", " would"),
    ("'m", " am"),
    ("'re", " are"),
    ("'ll", " will"),
    ("'ve", " have"),
];

/// Spellings of "check … out", each with one word for it, and of leaving after a payment.
static SPELLINGS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let spellings = [
        ("(^| )checking(?: us| me)?[ -]out ", "${1}checkingout "),
        ("(^| )checks out ", "${1}checksout "),
        ("(^| )che?c?k[ -]?out ", "${1}checkout "),
        (
            "(^| )check ((?:(?:me|us|all|both|of) ){1,4})out ",
            "${1}checkout ${2}",
        ),
        ("(^| )check (?:[^ ]+ ){1,4}?out ", "${1}checkout them "),
        ("(^| )no[ -]show", "${1}noshow"),
        (
            "(^| )(pay|settle|settle up) and go (?:home )?",
            "${1}${2} and leave ",
        ),
    ];
    let spelling = |(form, word)| Some((Regex::new(form).ok()?, word));
    spellings.into_iter().filter_map(spelling).collect()
});

/// Whether the word begins a condition or a question.
pub(super) fn begins_another(word: &str) -> bool {
    one_of(word, SUBORDINATES)
}

impl Clause {
    /// Words before a condition or question in it: `check me out when you can`.
    pub fn main(&self) -> &[String] {
        let cut = self.words.iter().position(|word| begins_another(word));
        self.words
            .get(..cut.unwrap_or(self.words.len()))
            .unwrap_or_default()
    }

    fn read(text: &str, asks: bool, named: &Named) -> Option<Self> {
        let mut line = String::new();
        for word in text.split(|c: char| !c.is_alphanumeric() && !"@_.'$€£+-".contains(c)) {
            let word = word.trim_matches(['.', '-', '\'']);
            if word.is_empty() {
                continue;
            }
            let short = SHORT.iter().find(|(short, _)| *short == word);
            let ending = ENDINGS
                .iter()
                .find_map(|(end, full)| Some((word.strip_suffix(end)?, full)));
            let amount = word.trim_start_matches(['+', '$', '€', '£']);
            let is_in = |words: &[String]| words.iter().any(|one| one == amount);
            match (short, ending) {
                (Some((_, full)), _) => line.push_str(full),
                (_, Some((start, full))) => line.extend([start, full]),
                _ if is_in(&named.amounts) => line.extend(["¤", word]),
                _ if is_in(&named.names) => line.extend(["«", word]),
                _ => line.push_str(word),
            }
            line.push(' ');
        }
        for (form, word) in SPELLINGS.iter() {
            line = form.replace_all(&line, *word).into_owned();
        }
        let words: Vec<String> = line.split_ascii_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self { words, asks })
    }
}

/// Clauses of a message, without what it quotes. A colon ends one for staff, who begin with a room.
pub(super) fn clauses(said: &str, persona: Persona, named: &Named) -> Vec<Clause> {
    let text = search_key(said);
    let (mut clauses, mut clause, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends = match letter {
            '“' | '«' => {
                quoted = true;
                true
            }
            '”' | '»' => {
                quoted = false;
                true
            }
            '"' => {
                quoted = !quoted;
                true
            }
            ',' | ';' | '!' | '?' | '\n' | '(' | ')' | '¿' | '¡' => true,
            ':' => persona == Persona::Staff,
            '.' => letters.peek().is_none_or(|next| next.is_whitespace()),
            _ => false,
        };
        if ends {
            clauses.extend(Clause::read(
                &std::mem::take(&mut clause),
                letter == '?',
                named,
            ));
        } else if !quoted {
            clause.push(letter);
        }
    }
    clauses.extend(Clause::read(&clause, false, named));
    clauses
}
