//! Messages of a request, and the rules for their order.

use serde_json::{Map, Value};

use super::refusal::Refusal;

/// Message; a tool's message is the result of the call with its id.
#[derive(Clone, Debug)]
pub enum Message {
    System(String),
    User(String),
    Assistant { text: String, calls: Vec<Asked> },
    Tool { id: String, text: String },
}

/// Requested call; without arguments if they were not a JSON object.
#[derive(Clone, Debug)]
pub struct Asked {
    pub id: String,
    pub tool: String,
    pub arguments: Map<String, Value>,
}

/// Parses `messages`.
///
/// # Errors
/// An empty list, an unknown role, a result without a call, or a call without a result.
pub fn read_all(messages: &Value) -> Result<Vec<Message>, Refusal> {
    let list = messages
        .as_array()
        .ok_or_else(|| missing("messages".to_owned()))?;
    if list.is_empty() {
        let words = "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
        return Err(Refusal::invalid(words)
            .param("messages")
            .code("empty_array"));
    }
    let read: Vec<Message> = list
        .iter()
        .enumerate()
        .map(|(place, message)| one(place, message))
        .collect::<Result<_, _>>()?;
    in_order(&read)?;
    Ok(read)
}

fn one(place: usize, message: &Value) -> Result<Message, Refusal> {
    const ROLES: &str = "'system', 'assistant', 'user', 'tool', and 'developer'";
    let text = || text(place, &message["content"]);
    match message["role"].as_str() {
        Some("system" | "developer") => Ok(Message::System(text()?)),
        Some("user") => Ok(Message::User(text()?)),
        Some("assistant") => Ok(Message::Assistant {
            text: text()?,
            calls: calls(place, &message["tool_calls"])?,
        }),
        Some("tool") => match message["tool_call_id"].as_str() {
            Some(id) => Ok(Message::Tool {
                id: id.to_owned(),
                text: text()?,
            }),
            None => Err(missing(format!("messages[{place}].tool_call_id"))),
        },
        Some(other) => Err(Refusal::invalid(format!(
            "Invalid value: '{other}'. Supported values are: {ROLES}."
        ))
        .param(format!("messages[{place}].role"))
        .code("invalid_value")),
        None => Err(missing(format!("messages[{place}].role"))),
    }
}

fn text(place: usize, content: &Value) -> Result<String, Refusal> {
    match content {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) if parts.iter().all(|part| part["type"] == "text") => Ok(parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n")),
        _ => Err(Refusal::invalid(format!(
            "Invalid type for 'messages[{place}].content': this model reads text."
        ))
        .param(format!("messages[{place}].content"))
        .code("invalid_type")),
    }
}

fn calls(place: usize, calls: &Value) -> Result<Vec<Asked>, Refusal> {
    let one = |call: &Value| {
        let (id, tool) = (
            call["id"].as_str()?.to_owned(),
            call["function"]["name"].as_str()?.to_owned(),
        );
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        Some(Asked {
            id,
            tool,
            arguments: serde_json::from_str(arguments).unwrap_or_default(),
        })
    };
    let asked: Option<Vec<Asked>> = calls.as_array().into_iter().flatten().map(one).collect();
    asked.ok_or_else(|| missing(format!("messages[{place}].tool_calls")))
}

/// Each call has one result, which follows it directly.
fn in_order(messages: &[Message]) -> Result<(), Refusal> {
    let (mut open, mut asked_at): (Vec<&str>, usize) = (Vec::new(), 0);
    for (place, message) in messages.iter().enumerate() {
        match message {
            Message::Tool { id, .. } => match open.iter().position(|known| known == id) {
                Some(at) => drop(open.remove(at)),
                None => {
                    let words = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
                    return Err(Refusal::invalid(words).param(format!("messages.[{place}].role")));
                }
            },
            _ if !open.is_empty() => break,
            Message::Assistant { calls, .. } => {
                open = calls.iter().map(|call| call.id.as_str()).collect();
                asked_at = place;
            }
            _ => {}
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    let words = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ";
    Err(Refusal::invalid(format!("{words}{}", open.join(", ")))
        .param(format!("messages.[{asked_at}].role")))
}

fn missing(param: String) -> Refusal {
    Refusal::invalid(format!("Missing required parameter: '{param}'."))
        .param(param)
        .code("missing_required_parameter")
}
