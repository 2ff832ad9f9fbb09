//! Streamed response of a model, in the format of OpenAI's chat completions.

use serde_json::{Value, json};

use crate::dialogue::Reply;

/// Events of a reply. Its calls are numbered from `number`, so that no two have the same id.
pub fn of(reply: &Reply, number: usize) -> String {
    let (delta, reason) = match reply {
        Reply::Says(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Reply::Calls(calls) => {
            let calls: Vec<Value> = calls
                .iter()
                .enumerate()
                .map(|(index, (name, arguments))| {
                    // One tool may be called twice: `get_folio#2`
                    let name = name.split('#').next().unwrap_or(name);
                    json!({ "index": index, "id": format!("call_{number}_{index}"), "type": "function",
                        "function": { "name": name, "arguments": arguments.to_string() } })
                })
                .collect();
            (
                json!({ "role": "assistant", "tool_calls": calls }),
                "tool_calls",
            )
        }
    };
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({ "id": "chatcmpl-dialogue", "object": "chat.completion.chunk", "created": 0,
            "model": "dialogue", "choices": choices, "usage": usage });
        format!("data: {chunk}\n\n")
    };
    let none = Value::Null;
    let begun = json!([{ "index": 0, "delta": delta, "finish_reason": null }]);
    let ended = json!([{ "index": 0, "delta": {}, "finish_reason": reason }]);
    let usage = json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 });
    [
        chunk(begun, none.clone()),
        chunk(ended, none),
        chunk(json!([]), usage),
        "data: [DONE]\n\n".to_owned(),
    ]
    .concat()
}
