//! A chat request, parsed and judged as strictly as a real endpoint judges it.

use serde_json::Value;

use super::refusal::Refusal;
use super::toolbox::Toolbox;
use super::transcript::{Message, read_all};

/// A request that makes sense.
#[derive(Debug)]
pub struct ChatRequest {
    /// The conversation, in order.
    pub messages: Vec<Message>,
    /// The tools that may be called; none where the request forbids calls.
    pub tools: Toolbox,
    /// Whether the answer comes in pieces.
    pub stream: bool,
    /// Whether the last piece counts tokens.
    pub include_usage: bool,
    /// Whether more than one call may be made at a time.
    pub parallel: bool,
    /// How long messages and tools are together, in tokens.
    pub prompt_tokens: usize,
}

impl ChatRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// In OpenAI's words, what is wrong with it.
    pub fn read(body: &[u8]) -> Result<Self, Refusal> {
        let Ok(body @ Value::Object(_)) = serde_json::from_slice::<Value>(body) else {
            return Err(Refusal::invalid("We could not parse the JSON body of your request."));
        };
        match body["model"].as_str() {
            None => return Err(Refusal::invalid("you must provide a model parameter").param("model")),
            Some(super::MODEL) => {}
            Some(other) => return Err(Refusal::no_such_model(other)),
        }
        if body["n"].as_u64().is_some_and(|n| n != 1) {
            return Err(Refusal::invalid("This model answers once: n must be 1.").param("n").code("unsupported_value"));
        }
        let messages = read_all(&body["messages"])?;
        let tools =
            if calls_allowed(&body["tool_choice"])? { Toolbox::read(&body["tools"])? } else { Toolbox::default() };
        let counted = body["messages"].to_string().len() + body["tools"].to_string().len();
        Ok(Self {
            messages,
            tools,
            stream: flag(&body["stream"], "stream", false)?,
            include_usage: flag(&body["stream_options"]["include_usage"], "stream_options.include_usage", false)?,
            parallel: flag(&body["parallel_tool_calls"], "parallel_tool_calls", true)?,
            prompt_tokens: counted.div_ceil(4),
        })
    }
}

fn calls_allowed(choice: &Value) -> Result<bool, Refusal> {
    match choice {
        Value::Null => Ok(true),
        Value::String(word) if word == "auto" => Ok(true),
        Value::String(word) if word == "none" => Ok(false),
        _ => Err(Refusal::invalid("This model decides for itself: tool_choice must be auto or none.")
            .param("tool_choice")
            .code("unsupported_value")),
    }
}

fn flag(value: &Value, name: &str, or: bool) -> Result<bool, Refusal> {
    match value {
        Value::Null => Ok(or),
        Value::Bool(flag) => Ok(*flag),
        _ => Err(Refusal::invalid(format!("Invalid type for '{name}': expected a boolean."))
            .param(name)
            .code("invalid_type")),
    }
}
