//! Answer texts from `answers.txt`: one `name = text` per line.
//!
//! In a text, `{field}` is a field of the data, `{field$}` an amount in cents, `{field*}` a list
//! with a line for each item (by the text `line field`), and `{field+}` the same on one line;
//! `{one/other}` is the first that exists. Text in brackets is left out when a field is missing; of
//! alternatives separated by ` | `, the first that lacks no field outside brackets is taken.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use dewy_domain::money::{Cents, Currency, Money};
use regex::{Captures, Regex};
use serde_json::{Value, json};

use super::conversation::Conversation;
use super::sentence::Sentence;

/// Texts by name.
static TEXTS: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let lines = include_str!("answers.txt").lines();
    let texts = lines.filter_map(|line| line.split_once(" = "));
    texts
        .map(|(name, text)| (name, text.replace("\\n", "\n")))
        .collect()
});
/// Maximum number of list items in an answer.
const MAX_ITEMS: usize = 12;
static FIELD: LazyLock<Regex> = LazyLock::new(|| super::sentence::regex(r"\{([^}]*)\}"));
static BRACKETS: LazyLock<Regex> = LazyLock::new(|| super::sentence::regex(r"\[([^\]]*)\]"));

/// Whether there is a text with this name.
pub fn has(name: &str) -> bool {
    TEXTS.contains_key(name)
}

/// Text with this name; empty if there is none.
pub fn text(name: &str) -> String {
    TEXTS.get(name).cloned().unwrap_or_default()
}

/// Question for a required argument.
pub fn question(argument: &str) -> String {
    let known = TEXTS.get(format!("ask {argument}").as_str());
    known.cloned().unwrap_or_else(|| text("ask more"))
}

/// Answer to a question: a bare number gets the unit that was asked for.
pub fn with_unit(question: &str, answer: &Sentence) -> String {
    let units = TEXTS
        .iter()
        .filter_map(|(name, unit)| Some((name.strip_prefix("unit ")?, unit)));
    let mut units = units.filter(|(argument, _)| self::question(argument) == question);
    match (units.next(), answer.entities.as_slice()) {
        (Some((_, unit)), [only]) if only.kind == "Number" => format!("{} {unit}", only.number),
        _ => answer.source.clone(),
    }
}

/// Name of the text for the first of these variants that has its own, or else for all.
pub fn variant<'a>(name: &str, of: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names = of.into_iter().map(|variant| format!("{name} {variant}"));
    names.chain([name.to_owned()]).find(|name| has(name))
}

/// Text with the caller's first name and a list of what they can ask for.
pub fn say(name: &str, talk: &Conversation) -> String {
    let who = talk.fact("role").into_iter().chain([talk.persona()]);
    let abilities = variant("abilities", who).map(|name| text(&name));
    let first = talk.fact("name").and_then(|name| name.split(' ').next());
    render(name, &json!({ "name": first, "abilities": abilities }))
}

/// Answer for a tool's data.
pub fn of_data(tool: &str, data: &Value, persona: &str) -> String {
    let status = [&data["booking_status"], &data["charge_status"]];
    let created = (data["created"] == true).then_some("created");
    let of = status.into_iter().filter_map(Value::as_str);
    let name = variant(&format!("told {tool}"), of.chain(created).chain([persona]));
    render(name.as_deref().unwrap_or("done"), data)
}

/// Text with this name, unless each of its alternatives lacks a field.
pub fn complete(name: &str, data: &Value) -> Option<String> {
    let template = text(name);
    let mut alternatives = template
        .split(" | ")
        .map(|text| BRACKETS.replace_all(text, ""));
    let known = |text: std::borrow::Cow<'_, str>| {
        FIELD
            .captures_iter(&text)
            .all(|found| field(&found[1], data).is_some())
    };
    (!template.is_empty() && alternatives.any(known)).then(|| render(name, data))
}

/// Text with this name, with fields of the data.
pub fn render(name: &str, data: &Value) -> String {
    let template = text(name);
    // The first field that exists
    let value = |found: &Captures<'_>| found[1].split('/').find_map(|name| field(name, data));
    let lacks = |text: &str| {
        FIELD
            .captures_iter(text)
            .any(|found| value(&found).is_none())
    };
    let required = |text: &&str| !lacks(&BRACKETS.replace_all(text, ""));
    let text = template.split(" | ").find(required);
    let text = text.or(template.rsplit(" | ").next()).unwrap_or_default();
    let whole = |found: &Captures<'_>| found[1].to_owned().repeat((!lacks(&found[1])).into());
    let text = BRACKETS.replace_all(text, whole);
    let fill = |found: &Captures<'_>| value(found).unwrap_or_default();
    FIELD.replace_all(&text, fill).into_owned()
}

fn field(name: &str, data: &Value) -> Option<String> {
    let bare = name.trim_end_matches(['$', '*', '+']);
    let value = &data[bare];
    let kind = &name[bare.len()..];
    if kind == "$" {
        let currency = data["currency"].as_str().and_then(|code| code.parse().ok());
        let currency = currency.unwrap_or(Currency::USD);
        let cents = Cents(value.as_i64()?);
        return Some(Money { cents, currency }.to_string());
    }
    if kind.is_empty() {
        let text = value.as_str().filter(|text| !text.is_empty())?;
        let verbatim = bare.starts_with("hotel_")
            || ["id", "url", "message"]
                .iter()
                .any(|end| bare.ends_with(end));
        return Some(text.replace(if verbatim { "\0" } else { "_" }, " "));
    }
    let items = value.as_array().filter(|items| !items.is_empty())?;
    let line = |item: &Value| {
        // An item without a currency has that of its list.
        let mut item = item.clone();
        if item.is_object() && item["currency"].is_null() {
            item["currency"] = data["currency"].clone();
        }
        let line = render(&format!("line {bare}"), &item);
        let line = item.as_str().map_or(line, str::to_owned);
        line.trim_start_matches([',', ' ']).to_owned()
    };
    let mut lines: Vec<String> = items.iter().take(MAX_ITEMS).map(line).collect();
    if kind == "+" {
        return Some(lines.join(", "));
    }
    lines.iter_mut().for_each(|line| line.insert_str(0, "\n- "));
    let more = items.len().saturating_sub(MAX_ITEMS);
    lines.extend((more > 0).then(|| format!("\n… and {more} more.")));
    Some(lines.concat())
}
