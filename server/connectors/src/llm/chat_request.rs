//! Body of a request to `/chat/completions`.

use dewy_domain::ports::{ModelCall, ModelMessage, ModelRequest};
use serde_json::{Map, Value, json};

use super::{call_id::sent_id, profile::Opaque, tool_list::add_tools};

/// What Google's servers accept in place of a signature, on calls that their model did not make.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// The body, without its limits. `stream` must be set explicitly. Opaque parts go back only to
/// where they came from, `origin`.
pub(super) fn body(model: &str, request: ModelRequest, origin: &str, opaque: Opaque) -> Value {
    let mut body = json!({
        "model": model,
        "messages": messages(request.messages, origin, opaque),
        "stream": true,
        "stream_options": { "include_usage": true },
        "user": request.person,
    });
    let wrap = |tool| json!({ "type": "function", "function": tool });
    add_tools(&mut body, request.tools, wrap);
    body
}

fn messages(messages: Vec<ModelMessage>, origin: &str, opaque: Opaque) -> Vec<Value> {
    let mut own = false;
    let message = |message| match message {
        ModelMessage::System(text) => json!({ "role": "system", "content": text }),
        ModelMessage::User(text) => json!({ "role": "user", "content": text }),
        ModelMessage::Assistant {
            text,
            calls,
            opaque: parts,
        } => {
            own = parts["of"] == origin;
            let back = own && opaque != Opaque::Out;
            let mut message = json!({ "role": "assistant", "content": text });
            if !calls.is_empty() {
                if text.is_empty() {
                    message["content"] = Value::Null;
                }
                let each = calls.into_iter().map(|made| {
                    let extra = back.then(|| parts["calls"][&made.id].clone());
                    let id = sent_id(own, &made.id);
                    call(ModelCall { id, ..made }, extra.unwrap_or_default())
                });
                message["tool_calls"] = each.collect();
            }
            if back {
                merge(&mut message, &parts["message"]);
            }
            fill(&mut message, opaque);
            message
        }
        ModelMessage::ToolResult { call_id, content } => {
            json!({ "role": "tool", "tool_call_id": sent_id(own, &call_id), "content": content })
        }
    };
    messages.into_iter().map(message).collect()
}

fn call(call: ModelCall, extra: Value) -> Value {
    let mut call = json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } });
    merge(&mut call, &extra);
    call
}

fn merge(into: &mut Value, more: &Value) {
    let more = more.as_object().cloned().unwrap_or_else(Map::new);
    if let Some(members) = into.as_object_mut() {
        members.extend(more);
    }
}

/// Adds the opaque fields that Google and DeepSeek require on every message, to messages that came
/// from another server or from no model.
fn fill(message: &mut Value, opaque: Opaque) {
    if opaque == Opaque::Signed
        && let Some(first) = message.pointer_mut("/tool_calls/0")
        && first.get("extra_content").is_none()
    {
        first["extra_content"] = json!({ "google": { "thought_signature": NO_SIGNATURE } });
    }
    if opaque == Opaque::Reasoned && message.get("reasoning_content").is_none() {
        message["reasoning_content"] = json!("");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_encoded_and_opaque_parts_go_home() {
        let opaque = json!({ "of": "here", "message": { "reasoning_content": "Hm" },
            "calls": { "c1": { "extra_content": { "google": { "thought_signature": "s" } } } } });
        let call = |id: &str| ModelCall {
            id: id.to_owned(),
            name: "get_folio".to_owned(),
            arguments: "{}".to_owned(),
        };
        let result = |id: &str| ModelMessage::ToolResult {
            call_id: id.to_owned(),
            content: "{}".to_owned(),
        };
        let assistant = |id: &str, opaque: &Value| ModelMessage::Assistant {
            text: String::new(),
            calls: vec![call(id)],
            opaque: opaque.clone(),
        };
        let request = || ModelRequest {
            messages: vec![
                ModelMessage::System("Be kind.".to_owned()),
                ModelMessage::User("What do I owe?".to_owned()),
                assistant("c1", &opaque),
                result("c1"),
                assistant("decided_1", &Value::Null),
                result("decided_1"),
            ],
            tools: Vec::new(),
            person: "p".to_owned(),
        };
        let sent = body("m", request(), "here", Opaque::Back);
        let function = json!({ "name": "get_folio", "arguments": "{}" });
        let signed = json!({ "id": "c1", "type": "function", "function": function, "extra_content": { "google": { "thought_signature": "s" } } });
        let id = sent_id(false, "decided_1");
        assert_eq!(
            sent["messages"],
            json!([
                { "role": "system", "content": "Be kind." },
                { "role": "user", "content": "What do I owe?" },
                { "role": "assistant", "content": null, "tool_calls": [signed], "reasoning_content": "Hm" },
                { "role": "tool", "tool_call_id": "c1", "content": "{}" },
                { "role": "assistant", "content": null, "tool_calls": [{ "id": id, "type": "function", "function": function }] },
                { "role": "tool", "tool_call_id": id, "content": "{}" },
            ])
        );
        assert!(sent["stream"] == true && sent.get("tools").is_none());
        let signature = json!({ "google": { "thought_signature": NO_SIGNATURE } });
        for (opaque, signature, reasoning) in [
            (Opaque::Signed, Some(&signature), None),
            (Opaque::Reasoned, None, Some(&json!(""))),
        ] {
            let filled = body("m", request(), "here", opaque);
            assert_eq!(filled["messages"][2], sent["messages"][2], "unchanged");
            let made_up = &filled["messages"][4];
            assert_eq!(made_up.pointer("/tool_calls/0/extra_content"), signature);
            assert_eq!(made_up.get("reasoning_content"), reasoning);
            // Only what is made up goes to another server
            let text = body("m", request(), "elsewhere", opaque).to_string();
            assert!(!text.contains("\"s\"") && !text.contains("Hm"), "{text}");
        }
        for sent in [
            body("m", request(), "elsewhere", Opaque::Back),
            body("m", request(), "here", Opaque::Out),
        ] {
            let text = sent.to_string();
            assert!(!text.contains("thought_signature") && !text.contains("reasoning_content"));
        }
    }
}
