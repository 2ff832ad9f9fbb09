//! Chat request, validated as strictly as by a real endpoint: by `request.schema.json`, and each
//! call must have one result.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use super::error_body::Refusal;
use super::toolbox::Toolbox;

#[expect(
    clippy::expect_used,
    reason = "every test of the model compiles the schema"
)]
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(include_str!("request.schema.json")).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
});

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
        SCHEMA.validate(&body).map_err(|fault| {
            let param = name_of(fault.instance_path().as_str());
            Refusal::new("invalid", &fault.to_string()).at(&param)
        })?;
        if body["model"] != super::MODEL {
            let name = body["model"].as_str().unwrap_or_default();
            return Err(Refusal::new("no_model", name));
        }
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        check_results(&messages)?;
        let length = body["messages"].to_string().len() + body["tools"].to_string().len();
        let calls = body["tool_choice"] != "none";
        Ok(Self {
            messages,
            tools: Toolbox::read(&body["tools"])
                .filter(|_| calls)
                .unwrap_or_default(),
            stream: body["stream"] == true,
            include_usage: body["stream_options"]["include_usage"] == true,
            parallel: body["parallel_tool_calls"] != false,
            prompt_tokens: length.div_ceil(4),
        })
    }
}

/// Name of a parameter by its JSON pointer: `messages[0].role`.
fn name_of(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1);
    let name = steps.fold(String::new(), |name, step| match step.parse::<usize>() {
        Ok(place) => format!("{name}[{place}]"),
        Err(_) => format!("{name}.{step}"),
    });
    name.trim_start_matches('.').to_owned()
}

/// Text of a message.
pub fn text(message: &Value) -> String {
    let parts = message["content"].as_array().into_iter().flatten();
    let parts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
    message["content"]
        .as_str()
        .map_or_else(|| parts.join("\n"), str::to_owned)
}

/// Calls of a message.
pub fn calls(message: &Value) -> impl Iterator<Item = &Value> {
    message["tool_calls"].as_array().into_iter().flatten()
}

/// Checks that each call has one result, which follows it directly.
fn check_results(messages: &[Value]) -> Result<(), Refusal> {
    // Ids of calls without a result, and the index of their message
    let (mut open, mut asked_at): (Vec<&Value>, usize) = (Vec::new(), 0);
    let role = |place: usize| format!("messages.[{place}].role");
    for (place, message) in messages.iter().enumerate() {
        if message["role"] == "tool" {
            let answered = open.iter().position(|id| **id == message["tool_call_id"]);
            let unasked = || Refusal::new("no_call", "").at(&role(place));
            open.remove(answered.ok_or_else(unasked)?);
        } else if open.is_empty() {
            asked_at = place;
            open.extend(calls(message).map(|call| &call["id"]));
        } else {
            break;
        }
    }
    let ids: Vec<&str> = open.iter().filter_map(|id| id.as_str()).collect();
    match ids.is_empty() {
        true => Ok(()),
        false => Err(Refusal::new("no_result", &ids.join(", ")).at(&role(asked_at))),
    }
}
