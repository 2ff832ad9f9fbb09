//! Sentence: its words, and the entities that the patterns of `lexicon/slots.txt` find in them.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::{Captures, Regex};

use super::dates::{Days, Mention};
use super::lexicon::{self, Match};
use super::tokenizer::{self, Pause, Word, one_of};

static SLOTS: LazyLock<Vec<Slot>> = LazyLock::new(read_slots);
const UNITS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen \
    fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS: &str = "- - twenty thirty forty fifty sixty seventy eighty ninety";

/// Pattern of an entity.
struct Slot {
    kind: &'static str,
    value: Option<i64>,
    factor: i64,
    pattern: Regex,
}

fn read_slots() -> Vec<Slot> {
    let (mut parts, mut slots): (Vec<(String, String)>, _) = (Vec::new(), Vec::new());
    let lines = include_str!("lexicon/slots.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let expand = |text: &str| {
            let replace =
                |text: String, (name, part): &(_, String)| text.replace::<&String>(name, part);
            parts.iter().fold(text.to_owned(), replace)
        };
        if let Some((name, part)) = line.split_once(" = ") {
            let name = name.trim_start_matches("let ");
            parts.push((format!("{{{name}}}"), expand(part)));
        } else if let Some((head, text)) = line.split_once(": ") {
            let (head, value) = head.split_once('=').unwrap_or((head, ""));
            let (kind, factor) = head.split_once('*').unwrap_or((head, "1"));
            let text = expand(text).replace(' ', "  ");
            let text = text.replace('«', "(?<x>").replace('»', ")");
            slots.push(Slot {
                kind,
                value: value.parse().ok(),
                factor: factor.parse().unwrap_or(1),
                pattern: regex(&format!(" (?:{text}) ")),
            });
        }
    }
    slots
}

/// Compiles a built-in pattern.
#[expect(
    clippy::expect_used,
    reason = "every test of the model compiles them all"
)]
pub fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// Named entity.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Kind, as in `lexicon/slots.txt`. The number of `Money` is in cents; the text of a `Day` is the
    /// preposition before it; a `Limit` is the requested number of results.
    pub kind: &'static str,
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
    fn read(slot: &Slot, found: &Captures<'_>, words: &[Word], (from, to): (usize, usize)) -> Self {
        let words = &words[from..to];
        let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let raw: Vec<&str> = words.iter().map(|word| word.raw.as_str()).collect();
        let group = |names: &[&str]| names.iter().find_map(|name| found.name(name));
        let group = |names: &[&str]| group(names).map(|group| group.as_str());
        let number = group(&["a", "b"]).map_or(0, number);
        let text = match slot.kind {
            "Booking" => format!("BK-{number:0>4}"),
            "Case" => format!("{number:0>8}"),
            "Charge" => text.concat().to_uppercase(),
            "Payment" => raw.concat(),
            "Name" => raw
                .join(" ")
                .trim_end_matches("'s")
                .trim_end_matches("’s")
                .to_owned(),
            _ => text.join(" "),
        };
        let number = match (group(&["m", "m2", "m3"]), group(&["c"])) {
            (Some(money), _) => cents(money),
            (_, hundredths) if slot.kind == "Money" => {
                number * 100 + hundredths.map_or(0, self::number)
            }
            _ => slot.value.unwrap_or(number * slot.factor),
        };
        Self {
            kind: slot.kind,
            from,
            to,
            text,
            number,
            date: None,
        }
    }
}

/// Parsed sentence.
#[derive(Clone, Debug)]
pub struct Sentence {
    pub source: String,
    pub words: Vec<Word>,
    /// Entities in order.
    pub entities: Vec<Entity>,
    pub days: Days,
    /// Concepts of the lexicon.
    pub concepts: Vec<Match>,
}

impl Sentence {
    /// Parses a text relative to `today`.
    pub fn parse(source: &str, today: Date) -> Self {
        let words = tokenizer::read(source);
        let (line, starts) = line(&words);
        let (mut entities, mut mentions) = (Vec::<Entity>::new(), Vec::new());
        for slot in SLOTS.iter() {
            for found in slot.pattern.captures_iter(&line) {
                let inner = found.name("x").map(|part| part.start() - 1..part.end());
                let span = inner.unwrap_or(found.get_match().range());
                let place = |byte: usize| starts.partition_point(|start| *start < byte);
                let (from, to) = (place(span.start), place(span.end));
                if entities
                    .iter()
                    .all(|other| from >= other.to || other.from >= to)
                    && from < to
                {
                    let entity = Entity::read(slot, &found, &words, (from, to));
                    if slot.kind == "Day" {
                        mentions.push(Mention::read(&found, entity.clone(), today));
                    }
                    entities.push(entity);
                }
            }
        }
        entities.retain(|entity| entity.kind != "Skip" && entity.kind != "Day");
        entities.extend(Mention::resolve(mentions, &line, today));
        entities.sort_by_key(|entity| entity.from);
        let days = Days::read(&line, &entities, today);
        Self {
            source: source.to_owned(),
            concepts: lexicon::matches(&words),
            words,
            entities,
            days,
        }
    }

    /// Part of the text, from one word to before another.
    pub fn part(&self, from: usize, to: usize) -> &str {
        let part = self.words[from].at.start..self.words[to - 1].at.end;
        self.source[part].trim_end_matches([',', '.', ';', ':'])
    }

    /// Entities of a kind, in order.
    pub fn all(&self, kind: &str) -> impl Iterator<Item = &Entity> {
        self.entities
            .iter()
            .filter(move |entity| entity.kind == kind)
    }

    /// First entity of a kind.
    pub fn first(&self, kind: &str) -> Option<&Entity> {
        self.all(kind).next()
    }

    /// Text of the first entity of a kind.
    pub fn text(&self, kind: &str) -> Option<&str> {
        self.first(kind).map(|entity| entity.text.as_str())
    }

    /// Whether it is a question.
    pub fn asks(&self) -> bool {
        const STARTS: &str =
            "what which who whom whose when where how why is are was were has did does do am any";
        let mut words = self.words.iter();
        let starts = words.next().is_some_and(|word| one_of(&word.text, STARTS));
        starts || words.any(|word| word.pause == Pause::Question)
    }
}

/// Words for the patterns, each between spaces, and where they start.
fn line(words: &[Word]) -> (String, Vec<usize>) {
    let (mut line, mut starts, mut named) = (String::new(), Vec::new(), false);
    let is_letter = |letter: char| letter.is_alphabetic() || "'’-".contains(letter);
    for word in words {
        starts.push(line.len());
        let place = |list: &str| list.split(' ').position(|listed| listed == word.text);
        let may_name = !word.raw.is_empty() && word.raw.chars().all(is_letter);
        let title = one_of(&word.text, "mr mrs ms miss dr mister");
        let is_name = may_name && !title && word.is_capital() && (named || word.is_name());
        let text = match place(UNITS).or(place(TENS).map(|tens| tens * 10)) {
            _ if is_name => format!("A{}", word.text),
            Some(number) => format!("{number}n"),
            None if may_name && !word.is_known() => format!("~{}", word.text),
            None => word.text.clone(),
        };
        named = (is_name || title) && !word.owner && word.pause == Pause::None;
        let pause = match word.pause {
            Pause::None if word.owner => " 's ",
            Pause::None => "",
            Pause::Short => " , ",
            Pause::Stop => " . ",
            Pause::Question => " ? ",
        };
        line.push_str(&format!(" {text} {pause}"));
    }
    line.push_str(" . ");
    (line, starts)
}

/// Value of a number in digits or words: `20n 5n`, `a hundred 5n`, `3rd`.
pub fn number(text: &str) -> i64 {
    text.split_whitespace().fold(0, |sum, word| match word {
        "a" | "an" | "another" => 1,
        "hundred" => sum * 100,
        word => {
            sum + word
                .trim_end_matches(char::is_alphabetic)
                .parse()
                .unwrap_or(0)
        }
    })
}

/// Cents of an amount in digits: `42.50`, `1,250`, `18,50`.
fn cents(text: &str) -> i64 {
    let text = text.trim_matches(['.', ',']);
    let (dollars, cents) = match text.rsplit_once(['.', ',']) {
        Some((dollars, cents)) if cents.len() < 3 => (dollars, format!("{cents:0<2}")),
        _ => (text, "00".to_owned()),
    };
    number(&dollars.replace(',', "")) * 100 + number(&cents)
}
