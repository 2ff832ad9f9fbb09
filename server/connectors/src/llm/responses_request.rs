//! Body of a request to `/responses`. Nothing is stored there: reasoning comes back encrypted, and
//! is sent along the next time.

use dewy_domain::ports::{ModelMessage, ModelRequest};
use serde_json::{Value, json};

use super::{call_id::sent_id, profile::Opaque, tool_list::add_tools};

/// The body, without its limits. Opaque parts go back only to where they came from, `origin`.
pub(super) fn body(model: &str, request: ModelRequest, origin: &str, opaque: Opaque) -> Value {
    let mut instructions = Vec::new();
    let mut input = Vec::new();
    let mut own = false;
    for message in request.messages {
        match message {
            ModelMessage::System(text) => instructions.push(text),
            ModelMessage::User(text) => input.push(json!({ "role": "user", "content": text })),
            ModelMessage::Assistant {
                text,
                calls,
                opaque: parts,
            } => {
                own = parts["of"] == origin && opaque != Opaque::Out;
                match parts["items"].as_array().filter(|_| own) {
                    Some(items) => input.extend(items.iter().cloned()),
                    None => {
                        if !text.is_empty() {
                            input.push(json!({ "role": "assistant", "content": text }));
                        }
                        input.extend(calls.into_iter().map(|call| {
                            json!({ "type": "function_call", "call_id": sent_id(own, &call.id), "name": call.name, "arguments": call.arguments })
                        }));
                    }
                }
            }
            ModelMessage::ToolResult { call_id, content } => input.push(
                json!({ "type": "function_call_output", "call_id": sent_id(own, &call_id), "output": content }),
            ),
        }
    }
    let mut body = json!({
        "model": model,
        "instructions": instructions.join("\n\n"),
        "input": input,
        "stream": true,
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "safety_identifier": request.person,
    });
    add_tools(&mut body, request.tools, tool);
    body
}

/// Not strict: that wants every field to be required.
fn tool(mut tool: Value) -> Value {
    tool["type"] = json!("function");
    tool["strict"] = json!(false);
    tool
}
