//! Assembles an answer from its chunks.
//!
//! Text is passed on as it arrives. The id and name of a tool call come once and its arguments in
//! pieces; several calls may alternate. Their `index` says which call a piece belongs to. Servers
//! that omit it send one call after another, each starting with its name.

use dewy_domain::ports::{ModelAnswer, ModelCall, ModelError};
use serde_json::Value;

/// Maximum number of tool calls; a stream that goes beyond it is cut off.
const MAX_CALLS: usize = 16;
/// Maximum length of one call's arguments, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// Partial answer.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    text: String,
    calls: Vec<(Option<u64>, ModelCall)>,
    reason: Option<String>,
    input: u64,
    output: u64,
    too_much: bool,
}

impl Assembly {
    /// Adds a chunk; returns its text.
    pub(super) fn take(&mut self, chunk: &Value) -> Option<String> {
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            self.input = usage["prompt_tokens"].as_u64().unwrap_or(self.input);
            self.output = usage["completion_tokens"].as_u64().unwrap_or(self.output);
        }
        let choice = chunk.get("choices")?.get(0)?;
        // Some servers send a whole message instead of a delta
        let delta = choice
            .get("delta")
            .or_else(|| choice.get("message"))
            .unwrap_or(&Value::Null);
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            self.piece(piece);
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.reason = Some(reason.to_owned());
        }
        let words = delta["content"]
            .as_str()
            .filter(|words| !words.is_empty())?;
        if self.text.len() + words.len() > MAX_BYTES {
            self.too_much = true;
            return None;
        }
        self.text.push_str(words);
        Some(words.to_owned())
    }

    fn piece(&mut self, piece: &Value) {
        let (index, id) = (
            piece["index"].as_u64(),
            piece["id"].as_str().filter(|id| !id.is_empty()),
        );
        let function = &piece["function"];
        let name = function["name"].as_str().filter(|name| !name.is_empty());
        let known = match (index, id) {
            (Some(_), _) => self.calls.iter().position(|(at, _)| *at == index),
            (None, Some(id)) => self.calls.iter().position(|(_, call)| call.id == id),
            (None, None) if name.is_none() => self.calls.len().checked_sub(1),
            (None, None) => None,
        };
        let at = known.unwrap_or_else(|| {
            let call = ModelCall {
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
            };
            self.calls.push((index, call));
            self.calls.len() - 1
        });
        let Some((_, call)) = self.calls.get_mut(at) else {
            return;
        };
        if let Some(id) = id {
            id.clone_into(&mut call.id);
        }
        if let Some(name) = name {
            name.clone_into(&mut call.name);
        }
        match &function["arguments"] {
            Value::String(piece) => call.arguments.push_str(piece),
            Value::Null => {}
            // Some servers send arguments as parsed JSON
            whole => call.arguments = whole.to_string(),
        }
        self.too_much |= call.arguments.len() > MAX_BYTES || self.calls.len() > MAX_CALLS;
    }

    /// The answer, if it is complete.
    pub(super) fn finish(self) -> Result<ModelAnswer, ModelError> {
        let broken = |words: &str| Err(ModelError::Broken(words.to_owned()));
        if self.too_much {
            return broken("its answer is too long");
        }
        let Some(reason) = self.reason else {
            return broken("the stream ended without a final event");
        };
        if reason == "content_filter" {
            return Err(ModelError::Refused {
                status: 200,
                reason: "its content filter stopped the answer".to_owned(),
            });
        }
        let mut calls: Vec<ModelCall> = self.calls.into_iter().map(|(_, call)| call).collect();
        if calls.iter().any(|call| call.name.is_empty()) {
            return broken("a call without a name");
        }
        if calls.is_empty() && self.text.trim().is_empty() {
            return broken("an answer without text");
        }
        for at in 0..calls.len() {
            let again = calls
                .iter()
                .take(at)
                .any(|other| calls.get(at).is_some_and(|call| call.id == other.id));
            if let Some(call) = calls.get_mut(at).filter(|call| call.id.is_empty() || again) {
                call.id = format!("call_{at}");
            }
        }
        let cut = reason == "length";
        // A call that was cut off in the middle of its arguments is dropped
        if cut {
            calls.clear();
        }
        Ok(ModelAnswer {
            text: self.text,
            calls,
            input_tokens: self.input,
            output_tokens: self.output,
            truncated: cut,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn put(chunks: &[Value]) -> (String, Result<ModelAnswer, ModelError>) {
        let mut assembly = Assembly::default();
        let text = chunks
            .iter()
            .filter_map(|chunk| assembly.take(chunk))
            .collect();
        (text, assembly.finish())
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
        let cut = put(&[
            call(0, Some("a"), Some("get_folio"), "{\"bo"),
            end("length"),
        ])
        .1
        .unwrap();
        assert!(cut.truncated && cut.calls.is_empty());
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
}
