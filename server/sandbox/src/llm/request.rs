//! Chat request, validated as strictly as by a real endpoint.

use serde_json::Value;

use super::refusal::Refusal;
use super::toolbox::Toolbox;
use super::transcript::{Message, read_all};

/// Valid request.
pub struct ChatRequest {
    /// Messages in order.
    pub messages: Vec<Message>,
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
        let Ok(body @ Value::Object(_)) = serde_json::from_slice::<Value>(body) else {
            return Err(Refusal::invalid(
                "We could not parse the JSON body of your request.",
            ));
        };
        match body["model"].as_str() {
            None => {
                return Err(Refusal::invalid("you must provide a model parameter").param("model"));
            }
            Some(super::MODEL) => {}
            Some(other) => return Err(Refusal::no_such_model(other)),
        }
        let unsupported = |words: &str, param: &str| {
            Err(Refusal::invalid(words)
                .param(param)
                .code("unsupported_value"))
        };
        if body["n"].as_u64().is_some_and(|n| n != 1) {
            return unsupported("This model answers once: n must be 1.", "n");
        }
        let messages = read_all(&body["messages"])?;
        let tools = match &body["tool_choice"] {
            Value::String(word) if word == "none" => Toolbox::default(),
            choice if choice.is_null() || choice == "auto" => Toolbox::read(&body["tools"])?,
            _ => {
                return unsupported(
                    "This model decides for itself: tool_choice must be auto or none.",
                    "tool_choice",
                );
            }
        };
        let counted = body["messages"].to_string().len() + body["tools"].to_string().len();
        Ok(Self {
            messages,
            tools,
            stream: flag(&body["stream"], "stream", false)?,
            include_usage: flag(
                &body["stream_options"]["include_usage"],
                "stream_options.include_usage",
                false,
            )?,
            parallel: flag(&body["parallel_tool_calls"], "parallel_tool_calls", true)?,
            prompt_tokens: counted.div_ceil(4),
        })
    }
}

fn flag(value: &Value, name: &str, or: bool) -> Result<bool, Refusal> {
    let wrong = || {
        Refusal::invalid(format!("Invalid type for '{name}': expected a boolean."))
            .param(name)
            .code("invalid_type")
    };
    if value.is_null() {
        Ok(or)
    } else {
        value.as_bool().ok_or_else(wrong)
    }
}
