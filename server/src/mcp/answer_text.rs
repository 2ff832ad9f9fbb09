//! Text form of a tool's answer, for models that read only text: a sentence, then the facts.

use dewy_domain::{
    answer_body::AnswerBody,
    room_number::RoomNumber,
    tool::Tool,
    tool_answer::{FinalAnswer, ToolAnswer},
};
use serde::Deserialize;
use serde_json::Value;

/// Text content; `body` is the structured content, with labels for this persona.
pub fn text(tool: &Tool, answer: &ToolAnswer, body: &Value) -> String {
    match answer {
        ToolAnswer::Settled {
            settled: FinalAnswer::Done { data, .. },
            execution_id,
            replayed,
            ..
        } => {
            let mut text = done(tool, data);
            if *replayed {
                text.push_str(
                    " An earlier request with the same idempotency_token did this; nothing ran twice.",
                );
            }
            text.push_str(&format!("\n{}", body["data"]));
            if let Some(id) = execution_id {
                text.push_str(&format!("\nexecution_id: {id}"));
            }
            text
        }
        ToolAnswer::Settled {
            settled: FinalAnswer::Failed { code, details },
            execution_id,
            ..
        } => {
            let message = AnswerBody::of(body).error_message;
            let mut text = format!(
                "{}: {message}\nNext: {}\nretry_safe: {}",
                code.code(),
                answer.next(),
                answer.retry_safe()
            );
            if details.as_object().is_some_and(|d| !d.is_empty()) {
                text.push_str(&format!("\ndetails: {details}"));
            }
            if let Some(id) = execution_id {
                text.push_str(&format!("\nexecution_id: {id}"));
            }
            text
        }
        ToolAnswer::Settled {
            settled:
                FinalAnswer::ActionNeeded {
                    next_action_url,
                    note,
                },
            ..
        } => {
            format!(
                "Nothing was done yet: {note}\nA person has to open this page to continue: {next_action_url}"
            )
        }
        ToolAnswer::Pending {
            execution_id,
            next_action_url,
            poll_after_ms,
            note,
            ..
        } => {
            let note = note.trim_end_matches('.');
            let mut text = match next_action_url {
                Some(url) => format!(
                    "Not finished yet: {note}.\nA person has to open this page to continue: {url}"
                ),
                None => format!(
                    "Not finished yet: {note}. It continues automatically; nothing is lost."
                ),
            };
            text.push_str(&format!(
                "\nNext: call get_execution with execution_id {execution_id} in {poll_after_ms} ms."
            ));
            text
        }
    }
}

/// Summary of a result in one sentence, from the tool's data.
fn done(tool: &Tool, data: &Value) -> String {
    #[derive(Default, Deserialize)]
    struct Sentences {
        summary: Option<String>,
        note: Option<String>,
        balance_text: Option<String>,
        room_number: Option<RoomNumber>,
    }
    let it = Sentences::deserialize(data).unwrap_or_default();
    let mut said = [it.summary, it.note].into_iter().flatten();
    if let Some(words) = said.find(|words| !words.is_empty()) {
        return words;
    }
    match (it.balance_text, it.room_number) {
        (Some(balance), Some(room)) => format!("The balance of room {room} is {balance}."),
        _ => format!("{}: done.", tool.title),
    }
}
