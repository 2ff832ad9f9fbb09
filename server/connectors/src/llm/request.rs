//! JSON of the request.

use dewy_domain::ports::{ModelCall, ModelMessage, ModelRequest, ModelTool};
use serde_json::{Value, json};

/// Request body in the format of the model's server. `stream` must be set explicitly: without it
/// the library would receive a whole answer and find no stream in it.
pub(super) fn body(model: &str, request: ModelRequest) -> Value {
    let mut body = json!({
        "model": model,
        "messages": request.messages.into_iter().map(message).collect::<Vec<_>>(),
        "stream": true,
        "stream_options": { "include_usage": true },
        "max_completion_tokens": request.max_tokens,
        "user": request.person,
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.into_iter().map(tool).collect();
        body["parallel_tool_calls"] = json!(true);
    }
    body
}

fn message(message: ModelMessage) -> Value {
    match message {
        ModelMessage::System(text) => json!({ "role": "system", "content": text }),
        ModelMessage::User(text) => json!({ "role": "user", "content": text }),
        ModelMessage::Assistant { text, calls } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text })
        }
        ModelMessage::Assistant { text, calls } => json!({
            "role": "assistant",
            "content": if text.is_empty() { Value::Null } else { json!(text) },
            "tool_calls": calls.into_iter().map(call).collect::<Vec<_>>(),
        }),
        ModelMessage::ToolResult { call_id, content } => {
            json!({ "role": "tool", "tool_call_id": call_id, "content": content })
        }
    }
}

fn call(call: ModelCall) -> Value {
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } })
}

fn tool(tool: ModelTool) -> Value {
    let ModelTool {
        name,
        description,
        schema,
    } = tool;
    json!({ "type": "function", "function": { "name": name, "description": description, "parameters": schema } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_encoded_in_the_openai_format() {
        let request = ModelRequest {
            messages: vec![
                ModelMessage::System("Be kind.".to_owned()),
                ModelMessage::User("What do I owe?".to_owned()),
                ModelMessage::Assistant {
                    text: String::new(),
                    calls: vec![ModelCall {
                        id: "c1".to_owned(),
                        name: "get_folio".to_owned(),
                        arguments: "{}".to_owned(),
                    }],
                },
                ModelMessage::ToolResult {
                    call_id: "c1".to_owned(),
                    content: "{}".to_owned(),
                },
            ],
            tools: Vec::new(),
            max_tokens: 300,
            person: "p".to_owned(),
        };
        let body = body("m", request);
        assert_eq!(
            body["messages"],
            json!([
                { "role": "system", "content": "Be kind." },
                { "role": "user", "content": "What do I owe?" },
                { "role": "assistant", "content": null, "tool_calls": [
                    { "id": "c1", "type": "function", "function": { "name": "get_folio", "arguments": "{}" } }] },
                { "role": "tool", "tool_call_id": "c1", "content": "{}" },
            ])
        );
        assert_eq!(body["stream"], json!(true));
        assert!(
            body.get("tools").is_none(),
            "an empty list is refused by some"
        );
    }
}
