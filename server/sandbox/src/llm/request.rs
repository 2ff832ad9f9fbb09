//! Chat request, validated as strictly as by a real endpoint: by `request.schema.json`, and each
//! call must have one result.

use std::sync::LazyLock;

use dewy_domain::ports::HttpResponse;
use jsonschema::Validator;
use regex::Regex;
use serde_json::Value;

use super::error_body::refusal;
use super::lexicon::built_in;

static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(include_str!("request.schema.json"));
    built_in(jsonschema::validator_for(&built_in(schema)))
});

/// Reads a body, which is then a valid request.
///
/// # Errors
/// The fault, in OpenAI's format.
pub fn read(body: &[u8]) -> Result<Value, HttpResponse> {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    SCHEMA.validate(&body).map_err(|fault| {
        let param = name_of(fault.instance_path().as_str());
        refusal("invalid", &fault.to_string(), Some(&param))
    })?;
    let model = body["model"].as_str().unwrap_or_default();
    if model != super::MODEL {
        return Err(refusal("no_model", model, None));
    }
    check_results(messages(&body))?;
    Ok(body)
}

/// Messages in order; a tool's message is the result of the call with its id.
pub fn messages(body: &Value) -> &[Value] {
    body["messages"].as_array().map_or(&[], Vec::as_slice)
}

/// Name of a parameter by its JSON pointer: `messages[0].role`.
fn name_of(pointer: &str) -> String {
    let name = built_in(Regex::new("/([0-9]+)")).replace_all(pointer, "[$1]");
    name.replace('/', ".").trim_start_matches('.').to_owned()
}

pub fn text(message: &Value) -> String {
    let content = &message["content"];
    let parts = content.as_array().into_iter().flatten();
    let parts = parts.map(|part| &part["text"]).chain([content]);
    let texts: Vec<&str> = parts.filter_map(Value::as_str).collect();
    texts.join("\n")
}

pub fn calls(message: &Value) -> impl Iterator<Item = &Value> {
    message["tool_calls"].as_array().into_iter().flatten()
}

/// Checks that each call has one result, which follows it directly.
fn check_results(messages: &[Value]) -> Result<(), HttpResponse> {
    // Ids of calls without a result, and the index of their message
    let mut open: Vec<(&Value, usize)> = Vec::new();
    let role = |place: usize| format!("messages.[{place}].role");
    for (place, message) in messages.iter().enumerate() {
        let id = &message["tool_call_id"];
        match open.iter().position(|(call, _)| *call == id) {
            Some(answered) if message["role"] == "tool" => drop(open.remove(answered)),
            None if message["role"] == "tool" => {
                return Err(refusal("no_call", "", Some(&role(place))));
            }
            _ if open.is_empty() => open.extend(calls(message).map(|call| (&call["id"], place))),
            _ => break,
        }
    }
    let Some((_, place)) = open.first() else {
        return Ok(());
    };
    let ids: Vec<&str> = open.iter().filter_map(|(id, _)| id.as_str()).collect();
    Err(refusal("no_result", &ids.join(", "), Some(&role(*place))))
}
