//! Arguments of a call, by the rules of `lexicon/arguments.txt`.

use jiff::civil::Date;
use serde_json::Value;

use super::Ask;
use crate::llm::dates::add;
use crate::llm::examples::{NO_TEAM, TEAM};
use crate::llm::features;
use crate::llm::model_answer::Call;
use crate::llm::sentence::Entity;
use crate::llm::tokenizer::fold;

const RULES: &str = include_str!("../lexicon/arguments.txt");

/// Call with every argument known from the sentence or the facts.
pub fn fill(ask: &Ask<'_>, tool: &str) -> Call {
    let fields = ask.tools.fields(tool).into_iter().flatten();
    fields.fold(Call::to(tool), |call, (name, schema)| {
        call.with(name, value(ask, tool, name, schema))
    })
}

/// Value of a field, by the first rule for it.
pub fn value(ask: &Ask<'_>, tool: &str, name: &str, schema: &Value) -> Option<Value> {
    let fits = |head: &str| {
        let (field, tools) = head.split_once('@').unwrap_or((head, ""));
        field == name && tools.split(',').any(|start| tool.starts_with(start))
    };
    let mut rules = RULES.lines().filter_map(|line| line.split_once(" ="));
    let rule = rules.find_map(|(head, sources)| fits(head).then_some(sources));
    let default = schema["enum"].is_array().then_some(" enum");
    for source in rule.or(default)?.split(" |") {
        let (conditions, getter) = source.split_once(": ").unwrap_or(("", source));
        let (conditions, getter) = match source.strip_suffix(':') {
            Some(conditions) => (conditions, ""),
            None => (conditions, getter.trim_start()),
        };
        let mut conditions = conditions.split_terminator(", ").map(str::trim);
        if conditions.all(|condition| holds(ask, condition)) {
            let value = read(ask, tool, getter, schema);
            if value.is_some() || getter.is_empty() {
                return value;
            }
        }
    }
    None
}

fn holds(ask: &Ask<'_>, condition: &str) -> bool {
    if let Some(condition) = condition.strip_prefix('!') {
        return !holds(ask, condition);
    }
    match condition.split_once([':', '=']) {
        Some(("fact", fact)) => ask.talk.fact(fact).is_some(),
        Some((fact, value)) if !fact.is_empty() => ask.talk.fact(fact) == Some(value),
        _ => ask.has(condition) || ask.sentence.first(condition).is_some(),
    }
}

fn read(ask: &Ask<'_>, tool: &str, getter: &str, schema: &Value) -> Option<Value> {
    let (sentence, days) = (ask.sentence, &ask.sentence.days);
    let (name, part) = getter.split_once([':', '.']).unwrap_or((getter, ""));
    let text = |text: &str| Some(Value::from(text));
    let date = |date: Option<Date>| Some(Value::from(date?.to_string()));
    match name {
        "" => text(part).filter(|_| !part.is_empty()),
        "true" => Some(Value::from(true)),
        "fact" => text(ask.talk.fact(part)?),
        "said" => said(&sentence.source, part.parse().ok()?),
        "said_for" => text(sentence.source.rsplit_once(" for ")?.1),
        "special" => special(ask),
        "enum" => enumerated(ask, tool, schema),
        "team" => team(ask, tool, schema),
        "guest" => guest(ask).map(Value::from),
        "arrival" => date(days.stay().0),
        "departure" => date(days.stay().1),
        "from" => date(days.range().0),
        "to" => date(days.range().1),
        "other_day" => date(days.first.filter(|day| *day != ask.talk.today())),
        "new_arrival" => date(changed(ask, false)),
        "new_departure" => date(changed(ask, true)),
        _ => {
            let mut all = sentence.all(name.trim_end_matches('#'));
            let whole = || ask.whole.first(name);
            let found = match part {
                "last" => all.last(),
                "whole" => all.next().or_else(whole),
                "given" | "family" => all.find(|name| name.text.contains(' ')),
                _ => all.next(),
            }?;
            match (part, found.text.split_once(' ')) {
                ("given", Some((given, _))) => text(given),
                ("family", Some((_, family))) => text(family),
                _ if name.ends_with('#') => Some(Value::from(found.number)),
                _ => text(&found.text),
            }
        }
    }
}

/// Beginning of a text, as a sentence.
fn said(source: &str, most: usize) -> Option<Value> {
    let mut letters = source.trim().chars().take(most);
    let first = letters.next()?.to_uppercase();
    Some(Value::from(first.chain(letters).collect::<String>()))
}

/// Address of the guest: named, or known and not another's.
pub fn guest(ask: &Ask<'_>) -> Option<String> {
    let known = ask.talk.fact("guest_email").filter(|email| {
        let found = ask.talk.fact("guest_found").unwrap_or_default();
        let known = fold(&format!("{email} {found}"));
        let fits = |name: &Entity| {
            let name = fold(&name.text);
            let mut parts = name.split([' ', '-']);
            parts.any(|part| part.len() > 1 && known.contains(part.trim_end_matches('s')))
        };
        ask.sentence.all("Name").all(fits)
    });
    let named = ask.sentence.text("Email").or(ask.whole.text("Email"));
    named.or(known).map(str::to_owned)
}

/// New arrival or departure of a booking.
fn changed(ask: &Ask<'_>, departs: bool) -> Option<Date> {
    let shortens = ask.has("shorten");
    let leaves = shortens || ask.has("lengthen") || ask.has("leave");
    let (mut days, (first, last)) = (ask.sentence.all("Day"), ask.sentence.days.stay());
    let nights = ask.sentence.first("Nights").map(|nights| nights.number);
    match (days.next(), days.next(), nights) {
        (None, _, nights) => {
            let known: Date = ask.talk.fact("check_out_date")?.parse().ok()?;
            let nights = nights.filter(|_| departs)?;
            Some(add(known, if shortens { -nights } else { nights }))
        }
        (Some(only), None, None) => {
            let is_departure = only.text == "to" || leaves && only.text != "from";
            let moves =
                |day: &Date| departs == is_departure && (departs || *day > ask.talk.today());
            only.date.filter(moves)
        }
        _ if departs => last,
        _ => first,
    }
}

/// Clause that asks for more than a room.
fn special(ask: &Ask<'_>) -> Option<Value> {
    let clauses = ask.sentence.source.split([',', '.', ';', '!', '?']);
    let more = |clause: &&str| {
        let clause = ask.talk.parse(clause);
        let mut concepts = clause.concepts.iter();
        let asks = concepts.any(|found| found.concept == "extra");
        asks && clause.entities.is_empty() && clause.words.len() > 2
    };
    said(clauses.rev().find(more)?, 500)
}

/// Value of an enumeration named in the sentence; the last one if there are several.
fn enumerated(ask: &Ask<'_>, tool: &str, schema: &Value) -> Option<Value> {
    let allowed = |meant: &str| match schema["enum"].as_array() {
        Some(values) => values.iter().any(|value| value == meant),
        None => ask.tools.offers(meant),
    };
    let case = ask.sentence.first("Case").is_some();
    let found = ask.sentence.concepts.iter().filter_map(|found| {
        let meant = match found.concept {
            "closing" if tool == "manage_cases" => "Closed",
            "=New" if tool == "manage_cases" && case => "",
            concept => concept.strip_prefix('=')?,
        };
        let denied = found.from > 0 && ask.sentence.words[found.from - 1].text == "not";
        (allowed(meant) && !denied).then_some((found.to - found.from, found.from, meant))
    });
    found.max().map(|(_, _, value)| Value::from(value))
}

/// Team responsible for a request.
fn team(ask: &Ask<'_>, tool: &str, schema: &Value) -> Option<Value> {
    let values = schema["enum"].as_array()?;
    let lists = tool.starts_with("search_");
    let offered = |team: &str| lists && team == NO_TEAM || values.iter().any(|value| value == team);
    let features = features::of(ask.sentence, ask.talk);
    let (team, _) = ask.model.classifier(TEAM).best(&features, offered);
    Some(Value::from(team)).filter(|team| team != NO_TEAM)
}
