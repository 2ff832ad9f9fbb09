//! Arguments of a call, by the rules of `lexicon/arguments.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use minijinja::{Environment, Expression, Value as Term, context};
use serde_json::Value;

use super::Ask;
use crate::llm::conversation::{Conversation, is_of_stay};
use crate::llm::dates::{Days, add};
use crate::llm::entity::Entity;
use crate::llm::features;
use crate::llm::intent_model::{MODEL, TEAM};
use crate::llm::lexicon::{Match, built_in};
use crate::llm::model_answer::Call;
use crate::llm::sentence::Sentence;
use crate::llm::tokenizer::{fold, one_of};
use crate::llm::training_examples::NO_TEAM;

static JINJA: LazyLock<Environment<'_>> = LazyLock::new(Environment::new);
/// Field, beginnings of the tools, and the expression for the value.
type Rule = (String, String, Expression<'static, 'static>);
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let lines = include_str!("../lexicon/arguments.txt").replace("\n  ", " ");
    let lines = lines.lines().filter(|line| !line.starts_with('#'));
    let rule = |(head, expression): (&str, &str)| {
        let (field, tools) = head.split_once('@').unwrap_or((head, ""));
        let expression = built_in(JINJA.compile_expression_owned(expression.to_owned()));
        (field.to_owned(), tools.to_owned(), expression)
    };
    let lines = lines.filter_map(|line| line.split_once(" = "));
    lines.map(rule).collect()
});

fn fits((field, tools, _): &Rule, name: &str, tool: &str) -> bool {
    field == name && tools.split(',').any(|start| tool.starts_with(start))
}

/// Call with every argument known from the sentence or the facts.
pub fn fill(ask: &Ask<'_>, tool: &str) -> Call {
    let fields = ask.talk.tools.fields(tool);
    fields.fold(Call::to(tool), |call, (name, schema)| {
        call.with(name, value(ask, tool, name, schema))
    })
}

/// Value of a field, by the first rule for it.
pub fn value(ask: &Ask<'_>, tool: &str, name: &str, schema: &Value) -> Option<Value> {
    let named = enumerated(ask, schema);
    let Some((.., expression)) = RULES.iter().find(|rule| fits(rule, name, tool)) else {
        return named.filter(|_| schema["enum"].is_array()).map(Value::from);
    };
    let special = (name == "special_requests").then(|| special(ask)).flatten();
    let bought = (name == "description")
        .then(|| bought(&ask.sentence))
        .flatten();
    let team = team(ask, tool, schema);
    let terms = context! { enum => named, team, special, bought, ..&ask.terms };
    let value = serde_json::to_value(expression.eval(terms).ok()?).ok()?;
    Some(value).filter(|value| !value.is_null() && value != false && value != "")
}

/// What the rules may name: facts, entities, dates, and concepts.
pub fn terms(talk: &Conversation, sentence: &Sentence, whole: &Sentence) -> Term {
    let term = |entity: &Entity| match entity.kind {
        "Floor" | "Limit" | "Money" | "Nights" | "People" => (entity.kind, entity.number.into()),
        "Day" => (entity.kind, Term::from(true)),
        kind => (kind, Term::from(entity.text.clone())),
    };
    let terms = |sentence: &Sentence| sentence.entities.iter().map(term).collect::<Vec<_>>();
    let last: BTreeMap<&str, Term> = terms(sentence).into_iter().collect();
    let first: BTreeMap<&str, Term> = terms(sentence).into_iter().rev().collect();
    let mut all: BTreeMap<&str, Term> = terms(whole).into_iter().rev().collect();
    all.extend(first.clone());
    let text = |date: Option<Date>| date.map(|date| date.to_string());
    let ((arrival, departure), (since, until)) = (sentence.stay, sentence.range);
    let (new_arrival, new_departure) = changed(talk, sentence);
    let guest = guest(talk, sentence, whole);
    // Facts about another stay than the one that is named
    let other = talk.persona() == "staff" && is_another(talk, sentence, guest.as_deref());
    let mut facts = talk.facts.clone();
    facts.retain(|name, _| !other || !is_of_stay(name));
    let guest =
        guest.filter(|email| !other || sentence.all("Email").any(|named| named.text == *email));
    let begins = |place: &usize| *place == 0 || sentence.words[place - 1].pause >= '.';
    let mut begins = (0..sentence.words.len()).filter(begins);
    context! {
        fact => facts, has => names(sentence.concepts.iter()),
        wants => names(sentence.concepts.iter().filter(|found| sentence.wants(found.from))),
        only => names(sentence.whole()), orders => begins.any(|place| sentence.wants(place)),
        count => sentence.entities.len(), last, whole => all,
        said => beginning(&sentence.source, 2000), guest,
        arrival => text(arrival), departure => text(departure),
        since => text(since), until => text(until),
        new_arrival => text(new_arrival), new_departure => text(new_departure),
        ..first
    }
}

fn names<'a>(found: impl Iterator<Item = &'a Match>) -> Vec<&'static str> {
    found.map(|found| found.concept).collect()
}

/// Whether the words ask for an intent: nothing is changed because it was spoken of (rule `asked`).
pub fn is_asked(terms: &Term, intent: &str) -> bool {
    let rule = RULES.iter().find(|rule| fits(rule, "asked", intent));
    rule.is_none_or(|rule| rule.2.eval(terms).is_ok_and(|value| value.is_true()))
}

/// Beginning of a text, as a sentence.
fn beginning(source: &str, most: usize) -> String {
    let mut letters = source.trim().chars().take(most);
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Address of the guest: named, or known and not another's.
fn guest(talk: &Conversation, sentence: &Sentence, whole: &Sentence) -> Option<String> {
    let known = talk.fact("guest_email").filter(|email| {
        let found = talk.fact("guest_found").unwrap_or_default();
        let known = fold(&format!("{email} {found}"));
        let fits = |name: &Entity| {
            let name = fold(&name.text);
            let mut parts = name.split([' ', '-']);
            parts.any(|part| part.len() > 1 && known.contains(part.trim_end_matches('s')))
        };
        sentence.all("Name").all(fits)
    });
    let named = sentence.first("Email").or(whole.first("Email"));
    let named = named.map(|email| email.text.as_str());
    named.or(known).map(str::to_owned)
}

/// Whether a sentence names another guest or another booking than the known ones.
fn is_another(talk: &Conversation, sentence: &Sentence, guest: Option<&str>) -> bool {
    let mut bookings = sentence.all("Booking");
    let known = talk.fact("booking_number");
    sentence.first("Name").is_some() && guest.is_none()
        || known.is_some_and(|known| bookings.any(|booking| booking.text != known))
}

/// New arrival and departure of a booking.
fn changed(talk: &Conversation, sentence: &Sentence) -> Days {
    let shortens = sentence.has("shorten");
    let leaves = shortens || sentence.has("lengthen") || sentence.has("leave");
    let days: Vec<&Entity> = sentence.all("Day").collect();
    let nights = sentence.first("Nights").map(|nights| nights.number);
    let longer = nights.map(|nights| nights * if shortens { -1 } else { 1 });
    let shift = sentence.first("Shift").map(|shift| shift.number);
    let known = |name: &str| talk.fact(name).and_then(|day| day.parse().ok());
    match (days.as_slice(), longer.or(shift)) {
        ([], Some(days)) => {
            let moves = longer.is_none() && !leaves;
            let arrival = known("check_in_date").filter(|_| moves);
            let moved = |day| add(day, days);
            (arrival.map(moved), known("check_out_date").map(moved))
        }
        ([day], None) if day.text == "to" || leaves && day.text != "from" => (None, day.date),
        ([day], None) => {
            let ahead = |date: &Date| Some(date.to_string().as_str()) > talk.fact("today");
            (day.date.filter(ahead), None)
        }
        _ => sentence.stay,
    }
}

/// What is named after an amount: `$18 for the minibar on 302`.
fn bought(sentence: &Sentence) -> Option<String> {
    const JOINS: &str = "for of the a an worth on onto to from in room";
    let money = sentence.first("Money")?;
    let named = |place: &usize| {
        let mut entities = sentence.entities.iter();
        !entities.any(|entity| (entity.from..entity.to).contains(place))
    };
    let words = sentence.words.get(money.to..)?;
    let mut bought: Vec<&str> = words
        .iter()
        .zip(money.to..)
        .skip_while(|(word, place)| one_of(&word.text, JOINS) || !named(place))
        .take_while(|(word, place)| named(place) && !one_of(&word.text, "on onto to from room"))
        .map(|(word, _)| word.raw.as_str())
        .collect();
    bought.retain(|word| !word.is_empty());
    if bought.last() == Some(&"and") {
        bought.pop();
    }
    (!bought.is_empty()).then(|| bought.join(" "))
}

/// Clause that asks for more than a room.
fn special(ask: &Ask<'_>) -> Option<String> {
    let clauses = ask.sentence.source.split([',', '.', ';', '!', '?']);
    let asks = |clause: &&str| {
        let clause = ask.talk.parse(clause);
        clause.has("extra") && clause.entities.is_empty() && clause.words.len() > 2
    };
    Some(beginning(clauses.rev().find(asks)?, 500))
}

/// Value of an enumeration named in the sentence; the last one if there are several.
fn enumerated(ask: &Ask<'_>, schema: &Value) -> Option<&'static str> {
    let allowed = |meant: &str| match schema["enum"].as_array() {
        Some(values) => values.iter().any(|value| value == meant),
        None => ask.talk.tools.offers(meant),
    };
    let found = ask.sentence.concepts.iter().filter_map(|found| {
        let meant = found.concept.strip_prefix('=')?;
        let denied = found.from > 0 && ask.sentence.words[found.from - 1].text == "not";
        (allowed(meant) && !denied).then_some((found.to - found.from, found.from, meant))
    });
    found.max().map(|(.., value)| value)
}

/// Team responsible for a request.
fn team<'a>(ask: &Ask<'a>, tool: &str, schema: &Value) -> Option<&'a str> {
    let values = schema["enum"].as_array()?;
    let lists = tool.starts_with("search_");
    let offered = |team: &str| lists && team == NO_TEAM || values.iter().any(|value| value == team);
    let features = features::of(&ask.sentence, ask.talk);
    let (team, _) = MODEL.classifier(TEAM).best(&features, offered);
    Some(team).filter(|team| *team != NO_TEAM)
}
