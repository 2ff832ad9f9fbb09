//! Answer texts from `answers.txt`: one `name = text` per line.
//!
//! In a text, `{field}` is a field of the data, `{field$}` an amount in cents, `{field*}` a list
//! with a line for each item (by the text `line field`), and `{field+}` the same on one line;
//! `{one/other}` is the first that exists. Text in brackets is left out when a field is missing.

use dewy_domain::money::{Cents, Currency, Money};
use serde_json::Value;

use super::conversation::Conversation;
use super::sentence::{Kind, Sentence};

const TEXTS: &str = include_str!("answers.txt");
/// Maximum number of list items in an answer.
const SHOWN: usize = 12;

fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXTS.lines().filter_map(|line| line.split_once(" = "))
}

fn find(name: &str) -> Option<&'static str> {
    let mut texts = lines();
    texts.find_map(|(known, text)| (known == name).then_some(text))
}

/// Whether there is a text with this name.
pub fn has(name: &str) -> bool {
    find(name).is_some()
}

/// Text with this name; empty if there is none.
pub fn text(name: &str) -> String {
    find(name).unwrap_or_default().replace("\\n", "\n")
}

/// Question for a required argument.
pub fn question(argument: &str) -> String {
    let asked = find(&format!("ask {argument}"));
    asked
        .or_else(|| find("ask more"))
        .unwrap_or_default()
        .to_owned()
}

/// Answer to a question: a bare number gets the unit that was asked for.
pub fn with_unit(question: &str, answer: &Sentence) -> String {
    let asked = |(name, text): (&'static str, &str)| {
        let argument = name.strip_prefix("ask ").filter(|_| text == question)?;
        find(&format!("unit {argument}"))
    };
    match (lines().find_map(asked), answer.entities.as_slice()) {
        (Some(unit), [only]) if only.kind == Kind::Number => format!("{} {unit}", only.number),
        _ => answer.source.clone(),
    }
}

/// List of what the caller can ask for.
pub fn abilities(talk: &Conversation) -> String {
    text(match talk.fact("role") {
        _ if talk.is_guest() => "abilities guest",
        Some("housekeeping" | "maintenance") => "abilities rooms",
        _ => "abilities desk",
    })
}

/// Answer for a tool's data.
pub fn of_data(tool: &str, data: &Value, guest: bool) -> String {
    let who = if guest { "guest" } else { "staff" };
    let named = |kind: &str, variant: &str| find(&format!("{kind} {tool} {variant}"));
    let list = named("list", who).or_else(|| find(&format!("list {tool}")));
    if let Some((list, words)) = list.and_then(|text| text.split_once(": ")) {
        let (none, some) = words.split_once(" | ").unwrap_or((words, words));
        let items = data[list].as_array().map_or(0, Vec::len);
        if items == 0 {
            return none.to_owned();
        }
        let more = match items.saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("\n… and {more} more."),
        };
        let narrow = if data["cut"] == true {
            "[\n{how_to_narrow}]"
        } else {
            ""
        };
        return render(format!("{some}{{{list}*}}{more}{narrow}"), data);
    }
    let variants = [
        data["booking_status"].as_str(),
        data["charge_status"].as_str(),
        Some(who),
        (data["created"] == true).then_some("created"),
    ];
    let told = variants
        .iter()
        .flatten()
        .find_map(|variant| named("told", variant));
    let told = told
        .or_else(|| find(&format!("told {tool}")))
        .or_else(|| find("done"));
    render(told.unwrap_or_default().replace("\\n", "\n"), data)
}

/// Text with placeholders replaced by fields of the data.
pub fn render(template: String, data: &Value) -> String {
    let parts = template.split(['[', ']']).enumerate();
    // Every other part is in brackets.
    let parts = parts.map(|(place, part)| fill(part, data, place % 2 == 1));
    parts.collect()
}

fn fill(part: &str, data: &Value, optional: bool) -> String {
    let mut text = String::new();
    for (place, piece) in part.split(['{', '}']).enumerate() {
        if place % 2 == 0 {
            text.push_str(piece);
            continue;
        }
        match piece.split('/').find_map(|name| field(name, data)) {
            None if optional => return String::new(),
            value => text.push_str(&value.unwrap_or_default()),
        }
    }
    text
}

fn field(name: &str, data: &Value) -> Option<String> {
    let bare = name.trim_end_matches(['$', '*', '+']);
    let value = &data[bare];
    match &name[bare.len()..] {
        "$" => {
            let currency = data["currency"].as_str();
            let currency = currency.and_then(|code| code.parse().ok());
            let money = |cents: i64| Money {
                cents: Cents(cents),
                currency: currency.unwrap_or(Currency::USD),
            };
            value.as_i64().map(|cents| money(cents).to_string())
        }
        "" => {
            let text = value.as_str().filter(|text| !text.is_empty())?;
            let is_id = bare.ends_with("id") || bare.ends_with("url");
            Some(if is_id {
                text.to_owned()
            } else {
                text.replace('_', " ")
            })
        }
        kind => {
            let items = value.as_array().filter(|items| !items.is_empty())?;
            let line = |item: &Value| {
                if let Some(text) = item.as_str() {
                    return text.to_owned();
                }
                // An item without a currency has that of its list.
                let mut item = item.clone();
                if item["currency"].is_null() {
                    item["currency"] = data["currency"].clone();
                }
                let line = render(text(&format!("line {bare}")), &item);
                line.trim_start_matches([',', ' ']).to_owned()
            };
            let lines: Vec<String> = items.iter().take(SHOWN).map(line).collect();
            Some(match kind {
                "+" => lines.join(", "),
                _ => lines.iter().map(|line| format!("\n- {line}")).collect(),
            })
        }
    }
}
