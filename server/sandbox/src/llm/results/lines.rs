//! Lists as short lines.

use dewy_domain::money::{Cents, Currency, Money};
use serde_json::Value;

/// How many lines are read out.
const SHOWN: usize = 12;

/// An amount of cents for people: `$250.00`.
pub fn money(cents: &Value, currency: &Value) -> Option<String> {
    let currency = currency.as_str().and_then(|code| code.parse().ok()).unwrap_or(Currency::USD);
    cents.as_i64().map(|cents| Money { cents: Cents(cents), currency }.to_string())
}

/// The list in an answer, if it has one.
pub fn list(tool: &str, data: &Value, guest: bool) -> Option<String> {
    let (key, none, some): (&str, &str, &str) = match tool {
        "search_available_rooms" => ("rooms", "No room is free for those nights.", "These rooms are free:"),
        "search_bookings" if guest => ("bookings", "I find no booking of yours like that.", "Your bookings:"),
        "search_bookings" => ("bookings", "No booking fits.", "Bookings:"),
        "search_rooms_on_behalf_of_guest" => ("stays", "I find no stay of yours like that.", "Your stays:"),
        "search_rooms_on_behalf_of_staff" => ("rooms", "No room fits.", "Rooms:"),
        "search_cases_on_behalf_of_guest" => ("cases", "You have no such request.", "Your requests:"),
        "search_cases_on_behalf_of_staff" => ("cases", "No case fits.", "Cases:"),
        "search_guests" => ("guests", "I find nobody by that.", "Guests:"),
        "search_executions" => ("executions", "No execution fits.", "Executions:"),
        "list_compensations" => ("compensations", "No payment was given back like that.", "Payments given back:"),
        _ => return None,
    };
    let items = data[key].as_array()?;
    if items.is_empty() {
        return Some(none.to_owned());
    }
    let mut text = some.to_owned();
    for item in items.iter().take(SHOWN) {
        text.push_str("\n- ");
        text.push_str(&line(key, item));
    }
    if items.len() > SHOWN {
        text.push_str(&format!("\n… and {} more.", items.len() - SHOWN));
    }
    if let Some(narrow) = data["how_to_narrow"].as_str().filter(|narrow| !narrow.is_empty() && data["cut"] == true) {
        text.push('\n');
        text.push_str(narrow);
    }
    Some(text)
}

fn line(list: &str, item: &Value) -> String {
    let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
    match list {
        "bookings" | "stays" => stay(item),
        "rooms" => {
            let price = money(&item["total"], &item["currency"]).map(|total| format!("{total} in all"));
            let price =
                price.or_else(|| money(&item["nightly_rate"], &item["currency"]).map(|rate| format!("{rate} a night")));
            join([
                format!("{} {}", text("room_number"), text("room_type")),
                text("room_status"),
                text("beds"),
                text("view"),
                price.unwrap_or_default(),
            ])
        }
        "cases" => join([text("case_number"), text("subject"), text("case_status"), text("priority"), room(item)]),
        "guests" => {
            let stays = item["stays"].as_array().into_iter().flatten().map(stay);
            let name = format!("{} {}", text("first_name"), text("last_name"));
            join([name, text("guest_email")].into_iter().chain(stays))
        }
        "executions" => join([text("execution_id"), text("tool"), text("state"), text("guest"), text("summary")]),
        _ => join([
            text("payment_intent_id"),
            text("status"),
            text("guest_email"),
            money(&item["refunded"], &item["currency"]).unwrap_or_default(),
            text("reason"),
        ]),
    }
}

/// A stay in a line: number, room, days, status.
pub fn stay(item: &Value) -> String {
    let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
    let days = match (item["check_in_date"].as_str(), item["check_out_date"].as_str()) {
        (Some(from), Some(to)) => format!("{from} to {to}"),
        (Some(day), None) | (None, Some(day)) => day.to_owned(),
        (None, None) => String::new(),
    };
    join([text("booking_number"), room(item), text("guest_name"), days, text("booking_status")])
}

fn room(item: &Value) -> String {
    item["room_number"].as_str().map(|room| format!("room {room}")).unwrap_or_default()
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> =
        parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}
