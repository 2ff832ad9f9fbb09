//! Answers that report tool results. Instructions inside a result are never followed.

use minijinja::{context, value::Serde};

use super::answer_templates::{has, question, render, text};
use super::conversation::{Conversation, Done};
use super::hand_over::hand_over;
use super::intent_model::reads;
use super::model_answer::ModelAnswer;
use super::tokenizer::one_of;

/// Errors that only the front desk can settle.
const DESK_ONLY: &str = "SHARED_FOLIO BALANCE_NEEDS_DESK";

/// State of a proposal that nobody has answered.
const WAITS: &str = "waits for the person";

/// Answer to the results, with a question for an argument that is missing for the next call.
pub fn describe(
    talk: &Conversation,
    missing: Option<String>,
    left: impl FnOnce() -> Option<String>,
) -> ModelAnswer {
    let codes = talk.done.iter().map(|done| &done.answer()["error_code"]);
    let mut codes = codes.filter_map(|code| code.as_str());
    if let Some(code) = codes.find(|code| one_of(code, DESK_ONLY)) {
        let said = text(&format!("after {code}"));
        let said = hand_over(talk, &said, &talk.said);
        return said.unwrap_or_else(|| ModelAnswer::words(result(talk, &talk.done[0])));
    }
    // Nothing is known about what a guest complains of: a colleague looks
    let unknown = |done: &Done| {
        done.answer()["details"]["facts"]
            .as_array()
            .is_some_and(Vec::is_empty)
    };
    if talk.done.iter().any(unknown)
        && let Some(said) = hand_over(talk, "", &talk.said)
    {
        return said;
    }
    // A lookup before the last calls only prepared them.
    let prepared = |done: &&Done| !done.last && done.data().is_some() && reads(&done.tool);
    let told = talk.done.iter().filter(|done| !prepared(done));
    let mut told: Vec<String> = told.map(|done| result(talk, done)).collect();
    told.retain(|text| !text.is_empty());
    told.dedup();
    let waits = |done: &Done| done.result["proposed"]["state"] == WAITS;
    if talk.done.iter().any(waits)
        && let Some(part) = left()
    {
        told.push(format!("{} “{part}”", text("left")));
    }
    told.extend(missing.map(|name| question(&name)));
    told.extend(told.is_empty().then(|| text("no result")));
    ModelAnswer::words(told.join("\n\n"))
}

fn result(talk: &Conversation, done: &Done) -> String {
    let (answer, told) = (done.answer(), format!("told {}", done.tool));
    let name = match done.data() {
        _ if done.result["proposed"]["state"] == WAITS => "proposed",
        // The decision follows
        _ if done.result["proposed"].is_object() => "",
        _ if answer["pending"].is_object() => "pending",
        _ if answer["success"] == false => "failed",
        Some(_) if has(&told) => &told,
        None if answer.is_null() => "not carried out",
        _ => "done",
    };
    let ask = done.result["ask"].as_str();
    let facts = context! { ask, tool => &done.tool, persona => talk.persona() };
    // The answer's own `next` is for the API client.
    let facts = context! { ..facts, ..Serde(done.data()), ..Serde(answer) };
    render(name, facts)
}
