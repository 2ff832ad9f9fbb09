//! Assembles an answer from the chunks of `/chat/completions`.
//!
//! Text is passed on as it arrives. The id and name of a tool call come once and its arguments in
//! pieces; several calls may alternate. A piece belongs to the call with its id, or else to the
//! latest one with its `index`: servers number all calls 0, or none, or give every piece a new id.

use dewy_domain::{
    blank_text::is_blank,
    ports::{ModelAnswer, ModelCall, ModelError},
};
use serde_json::{Map, Value, json};

use super::{
    assembled::{Assembled, MAX_BYTES, MAX_CALLS, arguments, tokens, tool_name},
    thought_filter::ThoughtFilter,
};

/// Reasoning that some servers want back on the message.
const KEPT: [&str; 2] = ["reasoning_content", "reasoning_details"];
/// Reasoning in any form.
const REASONING: [&str; 4] = [
    "reasoning_content",
    "reasoning_details",
    "reasoning",
    "thinking",
];

/// Beginnings of reasons to stop that are a filter's, not the model's.
const FILTERED: [&str; 6] = [
    "content_filter",
    "safety",
    "recitation",
    "prohibited_content",
    "blocklist",
    "spii",
];

#[derive(Debug, Default)]
pub(super) struct ChatAssembly {
    text: ThoughtFilter,
    calls: Vec<Call>,
    /// Opaque parts of the message.
    kept: Map<String, Value>,
    reason: Option<String>,
    input: u64,
    output: u64,
    bytes: usize,
    reasoned: bool,
}

#[derive(Debug)]
struct Call {
    index: Option<u64>,
    call: ModelCall,
    /// Members that only the server understands.
    extra: Map<String, Value>,
}

impl ChatAssembly {
    /// Adds a chunk, or a whole answer; returns its text.
    pub(super) fn take(&mut self, chunk: &Value) -> Option<String> {
        self.usage(&chunk["usage"]);
        self.usage(&chunk["x_groq"]["usage"]);
        let choice = chunk.get("choices")?.get(0)?;
        // Some servers send a whole message instead of a delta
        let delta = choice
            .get("delta")
            .filter(|delta| delta.is_object())
            .or_else(|| choice.get("message"))
            .unwrap_or(&Value::Null);
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            self.piece(piece);
        }
        // Before tools there were functions
        if delta["function_call"].is_object() {
            self.piece(&json!({ "function": delta["function_call"] }));
        }
        self.keep(delta);
        if let Some(reason) = choice["finish_reason"]
            .as_str()
            .filter(|reason| !reason.is_empty())
        {
            self.reason = Some(reason.to_owned());
        }
        let words = self.words(&delta["content"]) + &self.words(&delta["refusal"]);
        self.bytes += words.len();
        if words.is_empty() || self.bytes > MAX_BYTES {
            return None;
        }
        Some(self.text.push(&words)).filter(|shown| !shown.is_empty())
    }

    /// Text of a content: a string, or a list of parts, of which some are thoughts.
    fn words(&mut self, content: &Value) -> String {
        match content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().map(|part| self.words(part)).collect(),
            Value::Object(part) => {
                let thought = part
                    .get("type")
                    .and_then(Value::as_str)
                    .is_some_and(|kind| kind.contains("think") || kind.contains("reason"));
                self.reasoned |= thought;
                let text = part
                    .get("text")
                    .or_else(|| part.get("refusal"))
                    .filter(|_| !thought);
                text.and_then(Value::as_str).unwrap_or_default().to_owned()
            }
            _ => String::new(),
        }
    }

    fn keep(&mut self, delta: &Value) {
        for name in REASONING {
            let part = &delta[name];
            let empty = part.as_str().is_none_or(str::is_empty)
                && part.as_array().is_none_or(Vec::is_empty);
            if empty {
                continue;
            }
            self.reasoned = true;
            self.bytes += part.to_string().len();
            if !KEPT.contains(&name) {
                continue;
            }
            match (self.kept.get_mut(name), part) {
                (Some(Value::String(so_far)), Value::String(more)) => so_far.push_str(more),
                (Some(Value::Array(so_far)), Value::Array(more)) => {
                    so_far.extend(more.iter().cloned())
                }
                _ => drop(self.kept.insert(name.to_owned(), part.clone())),
            }
        }
    }

    fn usage(&mut self, usage: &Value) {
        self.input = tokens(&usage["prompt_tokens"]).unwrap_or(self.input);
        self.output = tokens(&usage["completion_tokens"]).unwrap_or(self.output);
        let reasoning = usage["completion_tokens_details"]["reasoning_tokens"].as_u64();
        self.reasoned |= reasoning.is_some_and(|tokens| tokens > 0);
    }

    fn piece(&mut self, piece: &Value) {
        let text = |value: &Value| {
            value
                .as_str()
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let (index, id) = (piece["index"].as_u64(), text(&piece["id"]));
        let function = &piece["function"];
        let name = text(&function["name"]).map(|name| tool_name(&name));
        let sent = arguments(&function["arguments"]);
        let at = self.call_of(index, id.as_deref(), name.as_deref(), &sent);
        let at = at.unwrap_or_else(|| {
            let call = ModelCall {
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
            };
            let extra = Map::new();
            self.calls.push(Call { index, call, extra });
            self.calls.len() - 1
        });
        let Some(Call { call, extra, .. }) = self.calls.get_mut(at) else {
            return;
        };
        if let Some(id) = id.filter(|_| call.id.is_empty()) {
            call.id = id;
        }
        if let Some(name) = name {
            call.name = name;
        }
        // Some servers send a whole call again
        if !is_complete(call) {
            call.arguments.push_str(&sent);
        }
        let known = ["index", "id", "type", "function"];
        for (name, value) in piece.as_object().into_iter().flatten() {
            if !known.contains(&name.as_str()) && !value.is_null() {
                self.bytes += value.to_string().len();
                extra.insert(name.clone(), value.clone());
            }
        }
        let arguments = self
            .calls
            .iter()
            .map(|known| known.call.arguments.len())
            .max();
        if arguments.is_some_and(|length| length > MAX_BYTES) || self.calls.len() > MAX_CALLS {
            self.bytes = usize::MAX / 2;
        }
    }

    /// The call that a piece with these arguments continues; `None` if it begins one.
    fn call_of(
        &self,
        index: Option<u64>,
        id: Option<&str>,
        name: Option<&str>,
        sent: &str,
    ) -> Option<usize> {
        // Nothing of this piece belongs to a call that is complete
        let over = |call: &ModelCall| is_complete(call) && !sent.is_empty();
        if let Some(id) = id {
            let begins = |known: &Call| {
                let other = index.is_some() && known.index.is_some() && known.index != index;
                let again = over(&known.call) && known.call.arguments != sent;
                name.is_some_and(|name| {
                    other || again || ![name, ""].contains(&known.call.name.as_str())
                })
            };
            let mut known = self.calls.iter().enumerate().rev();
            // The same id for all calls
            if let Some((at, _)) = known.find(|(_, known)| known.call.id == id && !begins(known)) {
                return Some(at);
            }
        }
        let latest = self
            .calls
            .iter()
            .rposition(|known| index.is_none() || known.index == index)?;
        let Call { call, .. } = self.calls.get(latest)?;
        let whole = over(call);
        let continues = match (id, name) {
            // A piece without a name begins nothing
            (_, None) => true,
            // A new id with a name is a new call, unless the last one had no id yet
            (Some(_), Some(name)) => call.id.is_empty() && call.name == name && !whole,
            (None, Some(name)) => call.name == name && !whole,
        };
        continues.then_some(latest)
    }

    /// Whether the end was announced; only the usage may follow.
    pub(super) const fn has_ended(&self) -> bool {
        self.reason.is_some()
    }

    /// Whether no more of the answer is read.
    pub(super) const fn is_too_long(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// The answer, if it is complete.
    pub(super) fn finish(self, origin: &str) -> Result<Assembled, ModelError> {
        let broken = |words: &str| Err(ModelError::Broken(words.to_owned()));
        if self.bytes > MAX_BYTES {
            return broken("its answer is too long");
        }
        let Some(reason) = self.reason else {
            return broken("the stream ended without a final event");
        };
        let reason = reason.to_lowercase();
        match reason.as_str() {
            // Also with what it found: Google's "content_filter: RECITATION"
            of if FILTERED.iter().any(|filter| of.starts_with(filter)) => {
                return Err(ModelError::Refused {
                    status: 200,
                    reason: "its content filter stopped the answer".to_owned(),
                });
            }
            "error" | "abort" | "network_error" => return broken("it stopped in the middle"),
            "insufficient_system_resource" => {
                return Err(ModelError::Busy {
                    status: 503,
                    reason,
                    after: None,
                });
            }
            of if of.contains("malformed_function_call") => {
                return broken("its call was malformed");
            }
            _ => {}
        }
        let cut = matches!(
            reason.as_str(),
            "length" | "model_length" | "max_tokens" | "max_output_tokens"
        );
        let reasoned = self.reasoned || self.text.hid();
        let text = self.text.finish();
        let mut calls = self.calls;
        // A call that was cut off in the middle of its arguments is dropped
        if cut {
            calls.clear();
        }
        if calls.iter().any(|known| known.call.name.is_empty()) {
            return broken("a call without a name");
        }
        if calls.is_empty() && is_blank(&text) && !cut {
            return broken("an answer without text");
        }
        let mut extras = Map::new();
        let mut made: Vec<ModelCall> = Vec::new();
        for (
            at,
            Call {
                mut call, extra, ..
            },
        ) in calls.into_iter().enumerate()
        {
            let mut free = (at..).map(|n| format!("call_{n}"));
            while call.id.is_empty() || made.iter().any(|other| other.id == call.id) {
                call.id = free.next().unwrap_or_default();
            }
            if !extra.is_empty() {
                extras.insert(call.id.clone(), extra.into());
            }
            made.push(call);
        }
        let opaque = json!({ "of": origin, "message": self.kept, "calls": extras });
        Ok(Assembled {
            answer: ModelAnswer {
                text,
                calls: made,
                opaque,
                input_tokens: self.input,
                output_tokens: self.output,
                truncated: cut,
            },
            reasoned,
        })
    }
}

fn is_complete(call: &ModelCall) -> bool {
    serde_json::from_str::<Value>(&call.arguments).is_ok()
}

#[cfg(test)]
mod tests;
