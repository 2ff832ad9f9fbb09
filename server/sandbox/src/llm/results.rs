//! Continues after results: with the next call, or with an answer. The content of a result is
//! reported, never obeyed.

use serde_json::Value;

use super::answers;
use super::conversation::{Conversation, Done};
use super::examples::Model;
use super::planner;
use super::said::{Call, Said};
use super::toolbox::Toolbox;

/// Maximum number of calls for one sentence.
const MOST_CALLS: usize = 6;

/// Continues after calls were made.
pub fn go_on(talk: &Conversation, tools: &Toolbox, model: &Model) -> Said {
    // An open proposal doesn't block the rest of the request.
    let mut done = talk.done.iter();
    let settled = done.all(|done| done.data().is_some() || done.is_proposed());
    let mut question = None;
    if settled && talk.done.len() < MOST_CALLS {
        // Results make more of the sentence clear than before.
        if let Said::Calls(text, mut calls) = planner::understand(talk, tools, model) {
            calls.retain(|call| !talk.done.iter().any(|done| done.tool == call.tool));
            let lacks = |call: &Call| tools.lacks(call).into_iter().next();
            question = calls.first().and_then(lacks);
            calls.retain(|call| tools.is_complete(call));
            if !calls.is_empty() {
                return Said::Calls(text, calls);
            }
        }
    }
    if let Some(said) = planner::beyond(talk, tools) {
        return said;
    }
    let told = talk.done.iter().enumerate();
    let told = told.filter(|(place, done)| !led_on(talk, *place, done));
    let mut told: Vec<String> = told.map(|(_, done)| tell(talk, done)).collect();
    told.retain(|text| !text.is_empty());
    told.dedup();
    told.extend(question.map(|name| answers::question(&name)));
    Said::Words(if told.is_empty() {
        answers::text("no result")
    } else {
        told.join("\n\n")
    })
}

/// Whether a lookup only prepared a later call with a better answer.
fn led_on(talk: &Conversation, place: usize, done: &Done) -> bool {
    let serves = |later: &Done| match done.tool.as_str() {
        "get_folio" => later.tool == "process_guest_checkout",
        "search_bookings" => later.tool == "manage_bookings",
        "search_cases_on_behalf_of_staff" => later.tool == "manage_cases",
        "search_guests" => later.tool != "search_guests",
        _ => false,
    };
    done.data().is_some() && talk.done[place + 1..].iter().any(serves)
}

fn tell(talk: &Conversation, done: &Done) -> String {
    let answer = done.answer();
    let pending = &answer["pending"];
    match done.data() {
        _ if done.is_proposed() => answers::text("proposed"),
        _ if pending["next_action_url"].is_string() => {
            answers::render(answers::text("pending step"), pending)
        }
        _ if pending.is_object() => answers::render(answers::text("pending"), pending),
        _ if answer["success"] == false => failure(answer),
        Some(data) => answers::of_data(&done.tool, data, talk.is_guest()),
        None => answers::text(if answer.is_null() {
            "not carried out"
        } else {
            "done"
        }),
    }
}

/// Error message, options, and next steps for the person. (The answer's own `next` is for the API
/// client.)
fn failure(answer: &Value) -> String {
    let mut text = answer["error_message"]
        .as_str()
        .map_or_else(|| answers::text("failed"), str::to_owned);
    text.push_str(&answers::render(
        answers::text("details"),
        &answer["details"],
    ));
    let next = answers::text(&format!(
        "after {}",
        answer["error_code"].as_str().unwrap_or_default()
    ));
    if !next.is_empty() {
        text.push(if text.contains('\n') { '\n' } else { ' ' });
        text.push_str(&next);
    }
    text
}
