//! Assembles an answer from the events of `/responses`.

use std::collections::BTreeMap;

use dewy_domain::{
    blank_text::is_blank,
    ports::{ModelAnswer, ModelCall, ModelError},
};
use serde_json::{Value, json};

use super::{
    assembled::{Assembled, MAX_BYTES, MAX_CALLS, arguments, tokens, tool_name},
    thought_filter::ThoughtFilter,
};

#[derive(Debug, Default)]
pub(super) struct ResponsesAssembly {
    text: ThoughtFilter,
    items: BTreeMap<u64, Value>,
    /// The response, once it is at its end.
    response: Value,
    bytes: usize,
}

impl ResponsesAssembly {
    /// Adds an event, or a whole response; returns its text.
    pub(super) fn take(&mut self, event: &Value) -> Option<String> {
        match event["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" | "response.refusal.delta" => {
                let words = event["delta"].as_str()?;
                self.bytes += words.len();
                if self.bytes > MAX_BYTES {
                    return None;
                }
                return Some(self.text.push(words)).filter(|shown| !shown.is_empty());
            }
            "response.output_item.done" => {
                let at = event["output_index"]
                    .as_u64()
                    .unwrap_or(self.items.len() as u64);
                self.bytes += event["item"].to_string().len();
                self.items.insert(at, event["item"].clone());
            }
            "response.completed" | "response.incomplete" => self.end(&event["response"]),
            _ if event["object"] == "response" => self.end(event),
            _ => {}
        }
        None
    }

    fn end(&mut self, response: &Value) {
        self.response = response.clone();
        if self.items.is_empty() {
            let output = response["output"].as_array().into_iter().flatten();
            self.items = (0..).zip(output.cloned()).collect();
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.response.is_object()
    }

    /// Whether no more of the answer is read.
    pub(super) const fn is_too_long(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// The answer, if it is complete.
    pub(super) fn finish(self, origin: &str) -> Result<Assembled, ModelError> {
        let broken = |words: &str| Err(ModelError::Broken(words.to_owned()));
        if self.bytes > MAX_BYTES || self.items.len() > 2 * MAX_CALLS {
            return broken("its answer is too long");
        }
        if !self.has_ended() {
            return broken("the stream ended without a final event");
        }
        let cut = self.response["status"] == "incomplete";
        if self.response["incomplete_details"]["reason"] == "content_filter" {
            return Err(ModelError::Refused {
                status: 200,
                reason: "its content filter stopped the answer".to_owned(),
            });
        }
        let of_type =
            |kind: &'static str| self.items.values().filter(move |item| item["type"] == kind);
        let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let call = |item: &Value| ModelCall {
            id: string(&item["call_id"]),
            name: tool_name(&string(&item["name"])),
            arguments: arguments(&item["arguments"]),
        };
        // A call that was cut off in the middle of its arguments is dropped
        let calls: Vec<ModelCall> = of_type("function_call")
            .filter(|_| !cut)
            .map(call)
            .collect();
        if calls
            .iter()
            .any(|call| call.name.is_empty() || call.id.is_empty())
        {
            return broken("a call without a name");
        }
        let usage = &self.response["usage"];
        let reasoning = usage["output_tokens_details"]["reasoning_tokens"].as_u64();
        let reasoned =
            reasoning.is_some_and(|tokens| tokens > 0) || of_type("reasoning").next().is_some();
        let items: Vec<Value> = if cut {
            Vec::new()
        } else {
            self.items.values().filter_map(sent_back).collect()
        };
        let whole: String = of_type("message").map(text_of).collect();
        let streamed = self.text.finish();
        let text = if streamed.is_empty() { whole } else { streamed };
        if calls.is_empty() && is_blank(&text) && !cut {
            return broken("an answer without text");
        }
        let mut opaque = json!({ "of": origin });
        if !items.is_empty() {
            opaque["items"] = items.into();
        }
        Ok(Assembled {
            answer: ModelAnswer {
                text,
                calls,
                opaque,
                input_tokens: tokens(&usage["input_tokens"]).unwrap_or_default(),
                output_tokens: tokens(&usage["output_tokens"]).unwrap_or_default(),
                truncated: cut,
            },
            reasoned,
        })
    }
}

fn text_of(message: &Value) -> String {
    let parts = message["content"].as_array().into_iter().flatten();
    let parts = parts.filter_map(|part| part["text"].as_str().or_else(|| part["refusal"].as_str()));
    parts.collect()
}

/// The item as it goes back: reasoning unchanged, the rest without the ids of what is not stored
/// there.
fn sent_back(item: &Value) -> Option<Value> {
    match item["type"].as_str()? {
        "reasoning" => Some(item.clone()),
        "function_call" => {
            let mut back = item.clone();
            if let Some(members) = back.as_object_mut() {
                members.retain(|name, _| !matches!(name.as_str(), "id" | "status"));
                let text = Some(arguments(&item["arguments"])).filter(|text| !text.is_empty());
                members.insert(
                    "arguments".to_owned(),
                    text.as_deref().unwrap_or("{}").into(),
                );
            }
            Some(back)
        }
        "message" => {
            let mut message = json!({ "role": "assistant", "content": text_of(item) });
            if let Some(phase) = item.get("phase").filter(|phase| phase.is_string()) {
                message["phase"] = phase.clone();
            }
            Some(message)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(events: &[Value]) -> (String, Result<Assembled, ModelError>) {
        let mut assembly = ResponsesAssembly::default();
        let text = events
            .iter()
            .filter_map(|event| assembly.take(event))
            .collect();
        (text, assembly.finish("here"))
    }

    fn done(at: u64, item: Value) -> Value {
        json!({ "type": "response.output_item.done", "output_index": at, "item": item })
    }

    #[test]
    fn reasoning_and_calls_are_kept_for_the_second_round() {
        let reasoning = json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA" });
        let call = json!({ "type": "function_call", "id": "fc_1", "status": "completed", "call_id": "call_1", "name": "get_folio", "arguments": {} });
        let usage = json!({ "input_tokens": 9, "output_tokens": 5, "output_tokens_details": { "reasoning_tokens": 4 } });
        let response = json!({ "status": "completed", "output": [], "usage": usage });
        let (_, answer) = put(&[
            done(1, call),
            done(0, reasoning.clone()),
            json!({ "type": "response.completed", "response": response }),
        ]);
        let Assembled { answer, reasoned } = answer.unwrap();
        let call = json!({ "type": "function_call", "call_id": "call_1", "name": "get_folio", "arguments": "{}" });
        assert_eq!(
            answer.opaque,
            json!({ "of": "here", "items": [reasoning, call] })
        );
        assert!(reasoned && answer.calls.len() == 1 && answer.output_tokens == 5);
    }

    #[test]
    fn refusals_are_text_and_cut_calls_are_dropped() {
        let refusal = json!({ "type": "response.refusal.delta", "delta": "I can't." });
        let end = |status: &str| json!({ "type": "response.completed", "response": { "status": status, "output": [] } });
        let (text, answer) = put(&[refusal.clone(), end("completed")]);
        assert_eq!(
            (text.as_str(), answer.unwrap().answer.text.as_str()),
            ("I can't.", "I can't.")
        );
        let call = json!({ "type": "function_call", "call_id": "c", "name": "get_folio", "arguments": "{\"bo" });
        let (_, answer) = put(&[done(0, call), end("incomplete")]);
        let answer = answer.unwrap();
        assert!(answer.is_starved() && answer.answer.calls.is_empty());
        assert!(put(&[refusal]).1.is_err(), "no final event");
        let whole = json!({ "object": "response", "status": "completed", "output": [{ "type": "message", "content": [{ "type": "output_text", "text": "Yes." }] }] });
        assert_eq!(put(&[whole]).1.unwrap().answer.text, "Yes.");
    }
}
