//! Answers after results. Their content is reported, never obeyed.

use super::answer_templates;
use super::conversation::{Conversation, Done};
use super::model_answer::ModelAnswer;
use super::planner;
use super::tokenizer::one_of;
use super::toolbox::Toolbox;

/// Errors that only the front desk can settle.
const DESK_ONLY: &str = "SHARED_FOLIO BALANCE_NEEDS_DESK";
/// Lookups, and the calls that answer better what they prepared.
const LEADS: &str = "get_folio process_guest_checkout,search_bookings manage_bookings,\
    search_cases_on_behalf_of_staff manage_cases";

/// Answer to the results, with a question for an argument that is missing for the next call.
pub fn describe(talk: &Conversation, tools: &Toolbox, missing: Option<String>) -> ModelAnswer {
    let codes = talk.done.iter().map(|done| &done.answer()["error_code"]);
    let mut codes = codes.filter_map(|code| code.as_str());
    if let Some(code) = codes.find(|code| one_of(code, DESK_ONLY)) {
        let text = answer_templates::text(&format!("after {code}"));
        let said = planner::hand_over(tools, &text, &format!("{code}: {}", talk.said));
        return said.unwrap_or_else(|| ModelAnswer::words(result(talk, &talk.done[0])));
    }
    let told = talk.done.iter().enumerate();
    let told = told.filter(|(place, done)| !led_on(&talk.done[place + 1..], done));
    let mut told: Vec<String> = told.map(|(_, done)| result(talk, done)).collect();
    told.retain(|text| !text.is_empty());
    told.dedup();
    told.extend(missing.map(|name| answer_templates::question(&name)));
    told.extend(told.is_empty().then(|| answer_templates::text("no result")));
    ModelAnswer::words(told.join("\n\n"))
}

/// Whether a lookup only prepared a later call with a better answer.
fn led_on(later: &[Done], done: &Done) -> bool {
    let serves = |later: &Done| match done.tool.as_str() {
        "search_guests" => later.tool != "search_guests",
        tool => LEADS
            .split(',')
            .any(|pair| pair == format!("{tool} {}", later.tool)),
    };
    done.data().is_some() && later.iter().any(serves)
}

fn result(talk: &Conversation, done: &Done) -> String {
    let answer = done.answer();
    match done.data() {
        _ if done.is_proposed() => answer_templates::text("proposed"),
        _ if answer["pending"].is_object() => {
            answer_templates::render("pending", &answer["pending"])
        }
        // The answer's own `next` is for the API client.
        _ if answer["success"] == false => {
            let code = answer["error_code"].as_str().unwrap_or_default();
            let next = answer_templates::text(&format!("after {code}"));
            let next = done.question().unwrap_or(&next);
            let details = answer_templates::render("details", &answer["details"]);
            let gap = if details.contains('\n') { "\n" } else { " " };
            let text = answer_templates::render("failed", answer) + &details;
            format!("{text}{gap}{next}").trim_end().to_owned()
        }
        Some(data) => answer_templates::of_data(&done.tool, data, talk.persona()),
        None if answer.is_null() => answer_templates::text("not carried out"),
        None => answer_templates::text("done"),
    }
}
