//! One thing that was done, in a sentence or two.

use serde_json::Value;

use super::lines::money;
use crate::llm::conversation::{Conversation, Done};

/// What was done.
pub fn told(talk: &Conversation, done: &Done, data: &Value) -> String {
    let text = |name: &str| data[name].as_str().unwrap_or_default();
    let (room, booking) = (text("room_number"), text("booking_number"));
    let amount = money(&data["amount"], &data["currency"]);
    match done.tool.as_str() {
        "get_folio" => folio(data, talk.is_guest()),
        "process_guest_checkout" => {
            let paid = amount.map(|amount| format!(" {amount} has been charged.")).unwrap_or_default();
            let receipt = data["receipt_url"].as_str().map(|url| format!(" Receipt: {url}")).unwrap_or_default();
            let wish = if talk.is_guest() { " Thank you for staying with us, and a safe journey." } else { "" };
            format!("Room {room} is checked out.{paid}{receipt}{wish}")
        }
        "check_in_guest" if talk.is_guest() => {
            format!("Welcome! You are checked in to room {room} until {}.", text("check_out_date"))
        }
        "check_in_guest" => format!("{booking} is checked in to room {room} until {}.", text("check_out_date")),
        "create_booking" => format!(
            "Booked: {booking}, room {room}, {} to {}{}. Nothing is charged now.",
            text("check_in_date"),
            text("check_out_date"),
            amount.map(|amount| format!(", {amount} in all")).unwrap_or_default()
        ),
        "manage_bookings" => managed(data),
        "post_charge" if text("charge_status").starts_with("Cancel") || text("charge_status").starts_with("Void") => {
            format!("{} is off the bill.{}", text("charge_number"), balance(data))
        }
        "post_charge" => format!(
            "{} for {} is on the folio of room {room} ({}).{}",
            amount.unwrap_or_default(),
            text("description"),
            text("charge_number"),
            balance(data)
        ),
        "submit_guest_service_request" | "submit_maintenance_request" | "manage_cases" => {
            case(done, data, talk.is_guest())
        }
        "set_room_status" => format!("Room {room} is {} now.", text("room_status")),
        "create_contact_if_not_found" if data["created"] == true => {
            format!("{} {} is in the guest list now.", text("first_name"), text("last_name"))
        }
        "create_contact_if_not_found" => {
            format!("{} {} was there already; nothing was changed.", text("first_name"), text("last_name"))
        }
        "get_execution" => execution(data),
        "compensate_checkout_failure" => format!(
            "{} has been given back; the booking is as it was.",
            money(&data["refunded"], &data["currency"]).unwrap_or_else(|| "The payment".to_owned())
        ),
        "resolve_execution" => {
            format!("Decided: {}. It is {} now.", text("resolution").replace('_', " "), text("state").replace('_', " "))
        }
        "hand_over_to_staff" => "I have called a colleague; somebody from the desk will take it from here.".to_owned(),
        _ => "That is done.".to_owned(),
    }
}

fn folio(data: &Value, guest: bool) -> String {
    let balance =
        data["balance_text"].as_str().map(str::to_owned).or_else(|| money(&data["balance"], &data["currency"]));
    let balance = balance.unwrap_or_default();
    let room = data["room_number"].as_str().unwrap_or_default();
    let mut said = if guest {
        format!("The balance of room {room} is {balance}:")
    } else {
        format!("Room {room} owes {balance}:")
    };
    for line in data["lines"].as_array().into_iter().flatten() {
        let what = line["description"].as_str().or_else(|| line["kind"].as_str()).unwrap_or("charge");
        let amount = money(&line["amount"], &data["currency"]).unwrap_or_default();
        said.push_str(&format!("\n- {what}: {amount}"));
    }
    let cards = data["saved_cards"].as_array().into_iter().flatten();
    let cards: Vec<String> = cards
        .map(|card| {
            format!(
                "{} ending in {}",
                card["brand"].as_str().unwrap_or("card"),
                card["last4"].as_str().unwrap_or("????")
            )
        })
        .collect();
    if !cards.is_empty() {
        said.push_str(&format!("\nOn file: {}.", cards.join(", ")));
    }
    said
}

fn managed(data: &Value) -> String {
    let text = |name: &str| data[name].as_str().unwrap_or_default();
    match text("booking_status") {
        "Cancelled" => format!("{} is cancelled.", text("booking_number")),
        "No Show" => format!("{} is marked as a no-show.", text("booking_number")),
        _ => format!(
            "{} is now room {}, {} to {}{}.",
            text("booking_number"),
            text("room_number"),
            text("check_in_date"),
            text("check_out_date"),
            money(&data["amount"], &data["currency"]).map(|amount| format!(", {amount} in all")).unwrap_or_default()
        ),
    }
}

fn case(done: &Done, data: &Value, guest: bool) -> String {
    let text = |name: &str| data[name].as_str().unwrap_or_default();
    let (number, status) = (text("case_number"), text("case_status"));
    match (done.tool.as_str(), guest) {
        (_, true) => format!("It is passed on ({}); your number is {number}.", text("type")),
        ("manage_cases", _) if !done.arguments.contains_key("case_number") => {
            format!("Case {number} is open: {}.", text("subject"))
        }
        ("manage_cases", _) => format!("Case {number} is {status}, priority {}.", text("priority")),
        _ => {
            let room = data["room_status"].as_str().map(|status| format!(" The room is {status}.")).unwrap_or_default();
            format!("Case {number} is filed ({}).{room}", text("type"))
        }
    }
}

fn execution(data: &Value) -> String {
    let state = data["state"].as_str().unwrap_or("unknown").replace('_', " ");
    let summary = data["summary"].as_str().filter(|summary| !summary.is_empty());
    let page = data["next_action_url"].as_str().map(|url| format!(" One step is open: {url}")).unwrap_or_default();
    match summary {
        Some(summary) => format!("{summary} It is {state}.{page}"),
        None => format!("It is {state}.{page}"),
    }
}

fn balance(data: &Value) -> String {
    money(&data["balance"], &data["currency"]).map(|balance| format!(" The balance is {balance}.")).unwrap_or_default()
}
