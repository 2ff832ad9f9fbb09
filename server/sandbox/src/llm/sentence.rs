//! Sentence: its words, and the entities that the patterns of `lexicon/slots.txt` find in them.

use jiff::civil::Date;

use super::dates::{self, Days};
use super::entity::{Entity, SLOTS};
use super::lexicon::{self, Match};
use super::tokenizer::{self, Word, is_known, one_of};

const UNITS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen \
    fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS: &str = "- - twenty thirty forty fifty sixty seventy eighty ninety";

/// Words before what is not wanted, or not now.
const DENY: &str = "not never without whether if before after when until unless how why what which";
/// First words of questions after a fact; `can I` and `would you` ask for the thing itself.
const ASK: &str = "how what when why who whom whose which where do does did is are was were am must \
    should shall has have had will";

#[derive(Clone, Debug)]
pub struct Sentence {
    pub source: String,
    pub words: Vec<Word>,
    /// Entities in order.
    pub entities: Vec<Entity>,
    /// Arrival and departure.
    pub stay: Days,
    /// First and last day of a search.
    pub range: Days,
    pub concepts: Vec<Match>,
}

impl Sentence {
    /// Parses a text relative to `today`.
    pub fn parse(source: &str, today: Date) -> Self {
        let words = tokenizer::read(source);
        let (line, starts) = line(&words);
        let place = |byte: usize| starts.partition_point(|start| *start < byte);
        let mut entities = Vec::<Entity>::new();
        for slot in SLOTS.iter() {
            for found in slot.3.captures_iter(&line) {
                let inner = found.name("x").map(|part| part.start() - 1..part.end());
                let span = inner.unwrap_or(found.get_match().range());
                let (from, to) = (place(span.start), place(span.end));
                let apart = |other: &Entity| from >= other.to || other.from >= to;
                if from < to && entities.iter().all(apart) {
                    let mut entity = Entity::read(slot, &found, &words[from..to], from);
                    if entity.kind == "Day" {
                        dates::read(&found, &mut entity, today);
                    }
                    entities.push(entity);
                }
            }
        }
        entities.retain(|entity| entity.kind != "Skip");
        entities.sort_by_key(|entity| entity.from);
        dates::resolve(&mut entities, &line, today);
        let [stay, range] = dates::stay_and_range(&line, &entities, today);
        Self {
            source: source.to_owned(),
            concepts: lexicon::matches(&words),
            words,
            entities,
            stay,
            range,
        }
    }

    pub fn all(&self, kind: &str) -> impl Iterator<Item = &Entity> {
        let entities = self.entities.iter();
        entities.filter(move |entity| entity.kind == kind)
    }

    pub fn first(&self, kind: &str) -> Option<&Entity> {
        self.all(kind).next()
    }

    /// Whether the part from a word on is wanted: its clause neither denies nor asks a fact.
    pub fn wants(&self, from: usize) -> bool {
        let ends = |word: &Word| word.pause >= ',' || word.text == "but";
        let before = self.words[..from].iter().rposition(ends);
        let start = before.map_or(0, |end| end + 1);
        let (clause, first) = (&self.words[start..from], self.words.get(start));
        let denies = clause.iter().any(|word| one_of(&word.text, DENY));
        !denies && !first.is_some_and(|word| one_of(&word.text, ASK))
    }

    /// Concepts that are all it says.
    pub fn whole(&self) -> impl Iterator<Item = &Match> {
        let found = self.concepts.iter();
        found.filter(|found| found.to - found.from == self.words.len())
    }

    pub fn has(&self, concept: &str) -> bool {
        let mut concepts = self.concepts.iter();
        concepts.any(|found| found.concept == concept)
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
        let is_name = may_name && !title && word.is_name(named);
        let text = match place(UNITS).or(place(TENS).map(|tens| tens * 10)) {
            _ if is_name => format!("A{}", word.text),
            Some(number) => format!("{number}n"),
            None if may_name && !is_known(&word.text) => format!("~{}", word.text),
            None => word.text.clone(),
        };
        named = (is_name || title) && !word.owner && word.pause == ' ';
        let owner = if word.owner { " 's " } else { "" };
        line.push_str(&format!(" {text} {owner}"));
        if word.pause != ' ' {
            line.push_str(&format!(" {} ", word.pause));
        }
    }
    line.push_str(" . ");
    (line, starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_any_currency_and_with_either_separator() {
        for (said, cents) in [
            ("post $12.50 minibar to 302", 1250),
            ("post 12,50 minibar to 302", 1250),
            ("charge 302 €7 for water", 700),
            ("post 15€ breakfast to 302", 1500),
            ("post a charge of 1.250,00 EUR to 302", 125_000),
            ("post £1,250.00 to 302", 125_000),
            ("post twelve euros to 302", 1200),
        ] {
            let read = Sentence::parse(said, Date::constant(2026, 3, 10));
            let read = read.first("Money").map(|money| money.number);
            assert_eq!(read, Some(cents), "{said}");
        }
    }
}
