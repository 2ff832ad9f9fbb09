//! Assembles an answer from the chunks of `/chat/completions`.
//!
//! Text is passed on as it arrives. The id and name of a tool call come once and its arguments in
//! pieces; several calls may alternate. A piece belongs to the call with its id, or else to the
//! latest one with its `index`: servers number all calls 0, or none, or give every piece a new id.

use dewy_domain::ports::{ModelAnswer, ModelCall, ModelError};
use serde_json::{Map, Value, json};

use super::{
    assembled::{Assembled, MAX_BYTES, MAX_CALLS},
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

/// Partial answer.
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
            if !KEPT.contains(&name) {
                continue;
            }
            self.bytes += part.to_string().len();
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
        self.input = usage["prompt_tokens"].as_u64().unwrap_or(self.input);
        self.output = usage["completion_tokens"].as_u64().unwrap_or(self.output);
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
        let name = text(&function["name"]);
        let at = self.call_of(index, id.as_deref(), name.as_deref());
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
        match &function["arguments"] {
            Value::String(piece) => call.arguments.push_str(piece),
            Value::Null => {}
            // Some servers send arguments as parsed JSON
            whole => call.arguments = whole.to_string(),
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

    /// The call that a piece continues; `None` if it begins one.
    fn call_of(&self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> Option<usize> {
        if let Some(id) = id
            && let Some(known) = self.calls.iter().position(|known| known.call.id == id)
        {
            return Some(known);
        }
        let latest = self
            .calls
            .iter()
            .rposition(|known| index.is_none() || known.index == index)?;
        let Call { call, .. } = self.calls.get(latest)?;
        let complete = serde_json::from_str::<Value>(&call.arguments).is_ok();
        let continues = match (id, name) {
            // A piece without a name begins nothing
            (_, None) => true,
            // A new id with a name is a new call, unless the last one had no id yet
            (Some(_), Some(name)) => call.id.is_empty() && call.name == name && !complete,
            (None, Some(name)) => call.name == name && !complete,
        };
        continues.then_some(latest)
    }

    /// Whether the end was announced; only the usage may follow.
    pub(super) const fn has_ended(&self) -> bool {
        self.reason.is_some()
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
        match reason.to_lowercase().as_str() {
            "content_filter" | "safety" => {
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
            reason.to_lowercase().as_str(),
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
        if calls.is_empty() && text.trim().is_empty() && !cut {
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
            if call.id.is_empty() || made.iter().any(|other| other.id == call.id) {
                call.id = format!("call_{at}");
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn put(chunks: &[Value]) -> (String, Result<ModelAnswer, ModelError>) {
        let mut assembly = ChatAssembly::default();
        let text = chunks
            .iter()
            .filter_map(|chunk| assembly.take(chunk))
            .collect();
        (
            text,
            assembly.finish("here").map(|assembled| assembled.answer),
        )
    }

    fn delta(delta: Value) -> Value {
        json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
    }

    fn end(reason: &str) -> Value {
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
    }

    fn call(index: u64, id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
        delta(
            json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] }),
        )
    }

    #[test]
    fn text_is_streamed_and_usage_comes_last() {
        let usage =
            json!({ "choices": [], "usage": { "prompt_tokens": 12, "completion_tokens": 3 } });
        let (text, answer) = put(&[
            delta(json!({ "role": "assistant", "content": "" })),
            delta(json!({ "content": "You owe " })),
            delta(json!({ "content": "$250.00." })),
            end("stop"),
            usage,
        ]);
        assert_eq!(text, "You owe $250.00.");
        let answer = answer.unwrap();
        assert_eq!(
            (
                answer.text.as_str(),
                answer.input_tokens,
                answer.output_tokens
            ),
            ("You owe $250.00.", 12, 3)
        );
    }

    #[test]
    fn interleaved_calls_stay_separate() {
        let (_, answer) = put(&[
            call(0, Some("a"), Some("get_folio"), ""),
            call(1, Some("b"), Some("search_guests"), "{\"qu"),
            call(0, None, None, "{}"),
            call(1, None, None, "ery\":\"Beth\"}"),
            end("tool_calls"),
        ]);
        let calls: Vec<_> = answer
            .unwrap()
            .calls
            .into_iter()
            .map(|c| (c.id, c.name, c.arguments))
            .collect();
        let of = |id: &str, name: &str, arguments: &str| {
            (id.to_owned(), name.to_owned(), arguments.to_owned())
        };
        assert_eq!(
            calls,
            [
                of("a", "get_folio", "{}"),
                of("b", "search_guests", "{\"query\":\"Beth\"}")
            ]
        );
    }

    #[test]
    fn missing_optional_members_are_accepted() {
        let bare = |function: Value| delta(json!({ "tool_calls": [{ "function": function }] }));
        let (_, answer) = put(&[
            bare(json!({ "name": "get_folio", "arguments": {} })),
            bare(json!({ "name": "search_guests", "arguments": "{\"query\":" })),
            bare(json!({ "arguments": "\"Beth\"}" })),
            end("stop"),
        ]);
        let calls: Vec<_> = answer
            .unwrap()
            .calls
            .into_iter()
            .map(|c| (c.id, c.arguments))
            .collect();
        assert_eq!(
            calls,
            [
                ("call_0".to_owned(), "{}".to_owned()),
                ("call_1".to_owned(), "{\"query\":\"Beth\"}".to_owned())
            ]
        );
    }

    #[test]
    fn a_stream_without_an_end_marker_is_incomplete() {
        assert!(matches!(
            put(&[delta(json!({ "content": "You owe" }))]).1,
            Err(ModelError::Broken(_))
        ));
        assert!(matches!(put(&[]).1, Err(ModelError::Broken(_))));
        assert!(
            matches!(put(&[end("stop")]).1, Err(ModelError::Broken(_))),
            "nothing was said"
        );
        assert!(matches!(
            put(&[call(0, Some("a"), None, "{}"), end("tool_calls")]).1,
            Err(ModelError::Broken(_))
        ));
        for reason in ["length", "model_length", "MAX_TOKENS"] {
            let cut = put(&[call(0, Some("a"), Some("get_folio"), "{\"bo"), end(reason)]);
            let cut = cut.1.unwrap();
            assert!(cut.truncated && cut.calls.is_empty(), "{reason}");
        }
    }

    #[test]
    fn oversized_streams_are_refused() {
        let flood: Vec<_> = (0..40)
            .map(|n| call(n, Some(&format!("c{n}")), Some("get_folio"), "{}"))
            .collect();
        assert!(matches!(
            put(&[flood, vec![end("tool_calls")]].concat()).1,
            Err(ModelError::Broken(_))
        ));
    }

    #[test]
    fn calls_are_told_apart_however_they_are_numbered() {
        let call = |index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: Value| {
            delta(
                json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] }),
            )
        };
        let whole = |index, id, name: &str| call(index, id, Some(name), json!("{}"));
        let zero = Some(0);
        for (case, pieces) in [
            (
                "all 0",
                vec![whole(zero, Some("a"), "f"), whole(zero, Some("b"), "g")],
            ),
            (
                "all 0, the same tool",
                vec![whole(zero, Some("a"), "f"), whole(zero, Some("b"), "f")],
            ),
            (
                "all 0, no ids",
                vec![whole(zero, None, "f"), whole(zero, None, "f")],
            ),
            (
                "all 0, no arguments yet",
                vec![
                    call(zero, Some("a"), Some("f"), json!("")),
                    call(zero, Some("b"), Some("g"), json!("")),
                    call(zero, Some("b"), None, json!("{}")),
                ],
            ),
            (
                "a new id with every piece",
                vec![
                    call(zero, Some("a"), Some("f"), json!("{")),
                    call(zero, Some("x"), None, json!("}")),
                    call(Some(1), Some("b"), Some("g"), json!("{")),
                    call(Some(1), Some("y"), None, json!("}")),
                ],
            ),
            (
                "the name with every piece",
                vec![
                    call(zero, None, Some("f"), json!("{")),
                    call(zero, None, Some("f"), json!("}")),
                    whole(Some(1), None, "g"),
                ],
            ),
            (
                "objects",
                vec![
                    call(None, None, Some("f"), json!({})),
                    call(None, None, Some("g"), json!({})),
                ],
            ),
        ] {
            let calls = put(&[pieces, vec![end("tool_calls")]].concat())
                .1
                .unwrap()
                .calls;
            let ids: Vec<_> = calls.iter().map(|call| call.id.as_str()).collect();
            assert!(calls.len() == 2 && ids[0] != ids[1], "{case}: {calls:?}");
            assert!(
                case.contains("yet") || calls.iter().all(|call| call.arguments == "{}"),
                "{case}: {calls:?}"
            );
        }
        let both = json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }, { "index": 0, "id": "b", "function": { "name": "g", "arguments": "{}" } }]);
        let answer = put(&[delta(json!({ "tool_calls": both })), end("stop")])
            .1
            .unwrap();
        assert_eq!(answer.calls.len(), 2, "in one chunk");
        let legacy = |function: Value| delta(json!({ "function_call": function }));
        let answer = put(&[
            legacy(json!({ "name": "f", "arguments": "{\"a\"" })),
            legacy(json!({ "arguments": ":1}" })),
            end("function_call"),
        ]);
        assert_eq!(answer.1.unwrap().calls[0].arguments, "{\"a\":1}");
    }

    #[test]
    fn content_is_read_in_every_form() {
        let thinking =
            json!({ "type": "thinking", "thinking": [{ "type": "text", "text": "Hm" }] });
        for (content, shown) in [
            (
                json!({ "content": [thinking, { "type": "text", "text": "Yes." }] }),
                "Yes.",
            ),
            (
                json!({ "content": null, "refusal": "I can't help with that." }),
                "I can't help with that.",
            ),
            (json!({ "content": "<think>Hm</think>Yes." }), "Yes."),
            (
                json!({ "content": "Yes.", "reasoning_content": "Hm", "reasoning": "Hm" }),
                "Yes.",
            ),
        ] {
            let (heard, answer) = put(&[delta(content.clone()), end("stop")]);
            assert_eq!(
                (heard.as_str(), answer.unwrap().text.as_str()),
                (shown, shown),
                "{content}"
            );
        }
        let whole = json!({ "object": "chat.completion", "choices": [{ "message": { "content": "Yes." }, "finish_reason": "stop" }] });
        assert_eq!(put(&[whole]).1.unwrap().text, "Yes.", "not streamed");
        for reason in [
            "error",
            "abort",
            "function_call_filter: MALFORMED_FUNCTION_CALL",
        ] {
            assert!(
                matches!(
                    put(&[delta(json!({ "content": "Yes" })), end(reason)]).1,
                    Err(ModelError::Broken(_))
                ),
                "{reason}"
            );
        }
    }

    #[test]
    fn opaque_parts_are_kept() {
        let signed = json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "f", "arguments": "{}" },
            "extra_content": { "google": { "thought_signature": "s" } } });
        let details = |text: &str| json!([{ "type": "reasoning.text", "text": text }]);
        let (_, answer) = put(&[
            delta(json!({ "reasoning_content": "Let me ", "reasoning_details": details("a") })),
            delta(json!({ "reasoning_content": "see.", "reasoning_details": details("b") })),
            delta(json!({ "tool_calls": [signed] })),
            end("tool_calls"),
        ]);
        let message = json!({ "reasoning_content": "Let me see.", "reasoning_details": [details("a")[0], details("b")[0]] });
        let calls = json!({ "a": { "extra_content": { "google": { "thought_signature": "s" } } } });
        assert_eq!(
            answer.unwrap().opaque,
            json!({ "of": "here", "message": message, "calls": calls })
        );
    }
}
