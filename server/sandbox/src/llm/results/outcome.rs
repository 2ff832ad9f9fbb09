//! Results in words, one after the other.

use serde_json::Value;

use super::{lines, single};
use crate::llm::conversation::{Conversation, Done};

/// All of what came of the calls of this turn; look-ups that only led to another call are left out.
pub fn tell(talk: &Conversation) -> String {
    let told: Vec<String> = talk.done.iter().filter(|done| !led_on(talk, done)).map(|done| one(talk, done)).collect();
    let mut told: Vec<String> = told.into_iter().filter(|text| !text.is_empty()).collect();
    told.dedup();
    if told.is_empty() { "There is no result yet; please ask again in a moment.".to_owned() } else { told.join("\n\n") }
}

/// Whether a look-up was made for the sake of a later call that says more.
fn led_on(talk: &Conversation, done: &Done) -> bool {
    let steps = ["search_guests", "get_folio", "search_bookings"];
    let place = talk.done.iter().position(|other| std::ptr::eq(other, done)).unwrap_or(0);
    let later = talk.done.get(place + 1..).unwrap_or_default();
    let serves = |tool: &str| match done.tool.as_str() {
        "get_folio" => tool == "process_guest_checkout",
        "search_bookings" => tool == "manage_bookings",
        _ => tool != "search_guests",
    };
    steps.contains(&done.tool.as_str()) && done.data().is_some() && later.iter().any(|other| serves(&other.tool))
}

fn one(talk: &Conversation, done: &Done) -> String {
    let answer = done.answer();
    if done.proposed() {
        return "A card waits for your decision; nothing happens before it.".to_owned();
    }
    if answer["pending"].is_object() {
        return pending(&answer["pending"]);
    }
    if answer["success"] == false {
        return failure(answer);
    }
    match done.data() {
        Some(data) => lines::list(&done.tool, data, talk.is_guest()).unwrap_or_else(|| single::told(talk, done, data)),
        None if answer.is_null() => "That was not carried out.".to_owned(),
        None => "That is done.".to_owned(),
    }
}

fn pending(pending: &Value) -> String {
    match (pending["next_action_url"].as_str(), pending["note"].as_str().filter(|note| !note.is_empty())) {
        (Some(url), _) => format!("One step is yours: please open {url} and finish it there."),
        (None, Some(note)) => {
            format!("It is under way ({note}) and goes on by itself; I can look again whenever you like.")
        }
        (None, None) => "It is under way and goes on by itself; I can look again whenever you like.".to_owned(),
    }
}

/// The message, what can be chosen from, and what to do next.
fn failure(answer: &Value) -> String {
    let mut text = answer["error_message"].as_str().unwrap_or("That did not work.").to_owned();
    for problem in answer["details"]["problems"].as_array().into_iter().flatten() {
        let field = problem["field"].as_str().unwrap_or_default().replace('_', " ");
        text.push_str(&format!("\n- {field}: {}", problem["message"].as_str().unwrap_or_default()));
    }
    for list in ["bookings", "reservations", "stays"] {
        for stay in answer["details"][list].as_array().into_iter().flatten() {
            text.push_str(&format!("\n- {}", lines::stay(stay)));
        }
    }
    if let Some(next) = next(answer["error_code"].as_str().unwrap_or_default()) {
        text.push_str(if text.contains('\n') { "\n" } else { " " });
        text.push_str(next);
    }
    text
}

/// What the person can do, where the message does not say it. (What the answer calls next is for whoever sent the call.)
fn next(code: &str) -> Option<&'static str> {
    Some(match code {
        "MULTIPLE_BOOKINGS" | "MULTIPLE_RESERVATIONS" => "Which one do you mean?",
        "VALIDATION_FAILED" => "Could you tell me that once more?",
        "GUEST_NOT_FOUND" => "Is the name or the address spelled right?",
        "PAYMENT_FAILED" => "You can try another card.",
        "AMOUNT_MISMATCH" => "Shall I read the bill again?",
        "ROOM_ALREADY_BOOKED" | "ROOM_OCCUPIED" | "TOO_MANY_GUESTS" => "Shall I look for other rooms or days?",
        "OVER_REFUND_LIMIT" => "A manager can do it.",
        "BALANCE_NEEDS_DESK" => "Our front desk settles it with you.",
        "UPSTREAM_UNAVAILABLE" | "OVERLOADED" | "INTERNAL" => "Please try again in a moment.",
        _ => return None,
    })
}
