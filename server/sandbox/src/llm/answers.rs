//! Answer texts from `answers.txt`: one `name = text` per line.
//!
//! In a text, `{field}` is a field of the data, `{field$}` an amount in cents, `{field*}` a list
//! with a line for each item (by the text `line field`), and `{field+}` the same on one line;
//! `{one/other}` is the first that exists. Text in brackets is left out when a field is missing.

use dewy_domain::money::{Cents, Currency, Money};
use serde_json::Value;

use super::conversation::Conversation;

const TEXTS: &str = include_str!("answers.txt");
/// Maximum number of list items in an answer.
const SHOWN: usize = 12;

fn find(name: &str) -> Option<&'static str> {
    TEXTS
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .find(|(known, _)| *known == name)
        .map(|(_, text)| text)
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
    find(&format!("ask {argument}"))
        .or_else(|| find("ask more"))
        .unwrap_or_default()
        .to_owned()
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
    if let Some((list, words)) = find(&format!("list {tool} {who}"))
        .or_else(|| find(&format!("list {tool}")))
        .and_then(|text| text.split_once(": "))
    {
        let (none, some) = words.split_once(" | ").unwrap_or((words, words));
        let items = data[list].as_array().map_or(0, Vec::len);
        let more = if items > SHOWN {
            format!("\n… and {} more.", items - SHOWN)
        } else {
            String::new()
        };
        let narrow = data["how_to_narrow"]
            .as_str()
            .filter(|narrow| !narrow.is_empty() && data["cut"] == true);
        let narrow = narrow
            .map(|narrow| format!("\n{narrow}"))
            .unwrap_or_default();
        let lines = render(format!("{{{list}*}}"), data);
        return if items == 0 {
            none.to_owned()
        } else {
            format!("{some}{lines}{more}{narrow}")
        };
    }
    let variants = [
        data["booking_status"].as_str(),
        data["charge_status"].as_str(),
        Some(who),
        (data["created"] == true).then_some("created"),
    ];
    let named = variants
        .iter()
        .flatten()
        .find_map(|variant| find(&format!("told {tool} {variant}")));
    let template = named
        .or_else(|| find(&format!("told {tool}")))
        .or_else(|| find("done"))
        .unwrap_or_default();
    render(template.replace("\\n", "\n"), data)
}

/// Text with placeholders replaced by fields of the data.
pub fn render(template: String, data: &Value) -> String {
    let mut text = String::new();
    for (place, part) in template.split(['[', ']']).enumerate() {
        match fill(part, data) {
            Some(filled) => text.push_str(&filled),
            // Every other part is in brackets.
            None if place % 2 == 0 => {
                text.push_str(&fill(&part.replace('{', "{?"), data).unwrap_or_default())
            }
            None => {}
        }
    }
    text
}

fn fill(part: &str, data: &Value) -> Option<String> {
    let mut text = String::new();
    for (place, piece) in part.split(['{', '}']).enumerate() {
        if place % 2 == 0 {
            text.push_str(piece);
            continue;
        }
        let value = piece
            .trim_start_matches('?')
            .split('/')
            .find_map(|name| field(name, data));
        text.push_str(&if piece.starts_with('?') {
            value.unwrap_or_default()
        } else {
            value?
        });
    }
    Some(text)
}

fn field(name: &str, data: &Value) -> Option<String> {
    let (name, kind) = match name.strip_suffix(['$', '*', '+']) {
        Some(bare) => (bare, &name[bare.len()..]),
        None => (name, ""),
    };
    let value = &data[name];
    match kind {
        "$" => {
            let currency = data["currency"]
                .as_str()
                .and_then(|code| code.parse().ok())
                .unwrap_or(Currency::USD);
            value.as_i64().map(|cents| {
                Money {
                    cents: Cents(cents),
                    currency,
                }
                .to_string()
            })
        }
        "" => value.as_str().filter(|text| !text.is_empty()).map(|text| {
            if name.ends_with("id") {
                text.to_owned()
            } else {
                text.replace('_', " ")
            }
        }),
        _ => {
            let items = value
                .as_array()
                .filter(|items| !items.is_empty())?
                .iter()
                .take(SHOWN);
            let line = |item: &Value| {
                render(
                    find(&format!("line {name}")).unwrap_or_default().to_owned(),
                    &with_currency(item, data),
                )
            };
            let lines: Vec<String> = items
                .map(|item| line(item).trim_start_matches([',', ' ']).to_owned())
                .collect();
            Some(if kind == "+" {
                lines.join(", ")
            } else {
                lines.iter().map(|line| format!("\n- {line}")).collect()
            })
        }
    }
}

/// Item with the currency of its list.
fn with_currency(item: &Value, data: &Value) -> Value {
    let mut item = item.clone();
    if item["currency"].is_null() && item.is_object() {
        item["currency"] = data["currency"].clone();
    }
    item
}
