//! Checks calls by the rules in the description test's README.

use dewy_domain::caller::Persona;
use serde_json::Map;

use crate::{chat_client::filled, prelude::*};

const FREE_TEXT: [&str; 5] = [
    "description",
    "subject",
    "comment",
    "reason",
    "special_requests",
];
const JUDGED_WHERE_EXPECTED: [&str; 3] = ["type", "priority", "limit"];

/// Call: tool and arguments.
pub type ModelCall = (String, Value);

/// Reason why the calls are wrong; `None` when they are right.
pub fn fault(entry: &Value, calls: &[ModelCall]) -> Option<String> {
    let persona = if entry["persona"] == "guest" {
        Persona::Guest
    } else {
        Persona::Staff
    };
    for never in entry["never"].as_array().into_iter().flatten() {
        if calls.iter().any(|(tool, _)| never == tool) {
            return Some(format!("never {never}"));
        }
    }
    let good =
        std::iter::once(&entry["expect"]).chain(entry["or"].as_array().into_iter().flatten());
    let right = good
        .into_iter()
        .any(|expected| same(persona, items(expected), calls, &entry["context"]));
    (!right).then(|| "other calls than expected".to_owned())
}

fn same(persona: Persona, expected: &[Value], calls: &[ModelCall], context: &Value) -> bool {
    expected.len() == calls.len()
        && expected
            .iter()
            .zip(calls)
            .all(|(expected, (tool, arguments))| {
                let left_out = |arguments: &Value| -> Map<String, Value> {
                    let kept = |(name, _): &(&String, &Value)| !filled(persona, tool, name);
                    arguments
                        .as_object()
                        .unwrap()
                        .iter()
                        .filter(kept)
                        .map(|(name, value)| (name.clone(), value.clone()))
                        .collect()
                };
                expected["tool"] == *tool
                    && arguments_fit(
                        tool,
                        &left_out(&expected["arguments"]),
                        &left_out(arguments),
                        context,
                    )
            })
}

fn arguments_fit(
    tool: &str,
    expected: &Map<String, Value>,
    given: &Map<String, Value>,
    context: &Value,
) -> bool {
    let texts: Vec<String> = FREE_TEXT
        .iter()
        .filter_map(|name| given.get(*name)?.as_str())
        .map(str::to_lowercase)
        .collect();
    let has = |(name, value): (&String, &Value)| {
        if FREE_TEXT.contains(&name.as_str()) {
            let words = value.as_str().unwrap().to_lowercase();
            return words
                .split_whitespace()
                .all(|word| texts.iter().any(|text| text.contains(word)));
        }
        given.get(name).map_or_else(
            || is_default(tool, name, value, context),
            |given| given == value,
        )
    };
    let allowed = |(name, value): (&String, &Value)| {
        let name = name.as_str();
        expected.contains_key(name)
            || FREE_TEXT.contains(&name)
            || JUDGED_WHERE_EXPECTED.contains(&name)
            || is_default(tool, name, value, context)
            || context
                .as_object()
                .unwrap()
                .values()
                .any(|known| known == value)
    };
    expected.iter().all(has) && given.iter().all(allowed)
}

/// Default documented in the schema for an omitted field.
fn is_default(tool: &str, name: &str, value: &Value, context: &Value) -> bool {
    match (tool, name) {
        ("manage_bookings", "action") => value == "update",
        ("search_rooms_on_behalf_of_guest", "filter") => value == "current",
        (_, "status_filter") if tool.starts_with("search_cases") => value == "Open",
        ("check_in_guest", "check_in_date") => *value == context["today"],
        ("search_available_rooms" | "create_booking", "number_of_guests") => value == 1,
        ("create_contact_if_not_found", "contact_type") => value == "Guest",
        ("submit_maintenance_request", "type") => value == "Maintenance",
        (_, "priority") => value == "Medium",
        (_, "take_out_of_service" | "void") => value == false,
        _ => false,
    }
}
