//! Chat request, validated as strictly as by a real endpoint.

use serde_json::Value;

use super::refusal::Refusal;
use super::toolbox::Toolbox;

const ROLES: [&str; 5] = ["system", "assistant", "user", "tool", "developer"];
const NO_CALL: &str = "Invalid parameter: messages with role 'tool' must be a response to a preceeding \
    message with 'tool_calls'.";
const NO_RESULT: &str = "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
    'tool_call_id'. The following tool_call_ids did not have response messages: ";

/// Valid request.
pub struct ChatRequest {
    /// Messages in order; a tool's message is the result of the call with its id.
    pub messages: Vec<Value>,
    /// Tools that may be called; none if the request forbids calls.
    pub tools: Toolbox,
    pub stream: bool,
    /// Whether the last chunk of a stream reports usage.
    pub include_usage: bool,
    /// Whether several calls may be made at a time.
    pub parallel: bool,
    /// Length of messages and tools, in tokens.
    pub prompt_tokens: usize,
}

impl ChatRequest {
    /// Parses a body.
    ///
    /// # Errors
    /// The fault, in OpenAI's format.
    pub fn read(body: &[u8]) -> Result<Self, Refusal> {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        if !body.is_object() {
            let message = "We could not parse the JSON body of your request.";
            return Err(Refusal::new(400, "", message));
        }
        let unsupported = |param, message| Refusal::invalid(param, "unsupported_value", message);
        match body["model"].as_str() {
            Some(super::MODEL) => {}
            Some(other) => return Err(Refusal::no_such_model(other)),
            None => {
                return Err(Refusal::invalid(
                    "model",
                    "",
                    "you must provide a model parameter",
                ));
            }
        }
        if body["n"].as_u64().is_some_and(|n| n != 1) {
            return Err(unsupported("n", "This model answers once: n must be 1."));
        }
        let choice = &body["tool_choice"];
        if !choice.is_null() && choice != "auto" && choice != "none" {
            let message = "This model decides for itself: tool_choice must be auto or none.";
            return Err(unsupported("tool_choice", message));
        }
        let tools = if choice == "none" {
            &Value::Null
        } else {
            &body["tools"]
        };
        let usage = &body["stream_options"]["include_usage"];
        let length = body["messages"].to_string().len() + body["tools"].to_string().len();
        Ok(Self {
            messages: messages(&body["messages"])?,
            tools: Toolbox::read(tools)?,
            stream: flag(&body["stream"], "stream", false)?,
            include_usage: flag(usage, "stream_options.include_usage", false)?,
            parallel: flag(&body["parallel_tool_calls"], "parallel_tool_calls", true)?,
            prompt_tokens: length.div_ceil(4),
        })
    }
}

fn flag(value: &Value, name: &str, or: bool) -> Result<bool, Refusal> {
    let message = format!("Invalid type for '{name}': expected a boolean.");
    let value = if value.is_null() {
        Some(or)
    } else {
        value.as_bool()
    };
    value.ok_or_else(|| Refusal::invalid(name, "invalid_type", &message))
}

/// Text of a message; `None` if it has parts other than text.
pub fn text(message: &Value) -> Option<String> {
    match &message["content"] {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        parts => {
            let texts = parts.as_array()?.iter().map(|part| part["text"].as_str());
            Some(texts.collect::<Option<Vec<_>>>()?.join("\n"))
        }
    }
}

/// Checks the messages: each call has one result, which follows it directly.
fn messages(list: &Value) -> Result<Vec<Value>, Refusal> {
    let messages = list
        .as_array()
        .ok_or_else(|| Refusal::missing("messages"))?;
    if messages.is_empty() {
        let message = "Invalid 'messages': expected an array with minimum length 1.";
        return Err(Refusal::invalid("messages", "empty_array", message));
    }
    // Ids of calls without a result, and the index of their message
    let (mut open, mut asked_at): (Vec<&str>, usize) = (Vec::new(), 0);
    for (place, message) in messages.iter().enumerate() {
        let at = |name: &str| format!("messages[{place}].{name}");
        let string = |name: &str| {
            message[name]
                .as_str()
                .ok_or_else(|| Refusal::missing(&at(name)))
        };
        let role = string("role")?;
        if !ROLES.contains(&role) {
            let message = format!("Invalid value: '{role}'. Supported values are: {ROLES:?}.");
            return Err(Refusal::invalid(&at("role"), "invalid_value", &message));
        }
        if text(message).is_none() {
            let message = format!(
                "Invalid type for '{}': this model reads text.",
                at("content")
            );
            return Err(Refusal::invalid(&at("content"), "invalid_type", &message));
        }
        if role == "tool" {
            let id = string("tool_call_id")?;
            let answered = open.iter().position(|known| *known == id);
            let param = format!("messages.[{place}].role");
            open.remove(answered.ok_or_else(|| Refusal::invalid(&param, "", NO_CALL))?);
            continue;
        }
        if !open.is_empty() {
            break;
        }
        asked_at = place;
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let id = call["id"]
                .as_str()
                .filter(|_| call["function"]["name"].is_string());
            open.push(id.ok_or_else(|| Refusal::missing(&at("tool_calls")))?);
        }
    }
    let message = format!("{NO_RESULT}{}", open.join(", "));
    let param = format!("messages.[{asked_at}].role");
    let unanswered = || Refusal::invalid(&param, "", &message);
    open.is_empty()
        .then(|| messages.clone())
        .ok_or_else(unanswered)
}
