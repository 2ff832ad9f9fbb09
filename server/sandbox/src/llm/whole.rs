//! Response without streaming.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

use super::refusal::answer as respond;
use super::request::ChatRequest;
use super::said::{Ids, Said};

/// Response when no stream was requested.
pub fn answer(asked: &ChatRequest, said: &Said, ids: Ids) -> HttpResponse {
    let message = match said {
        Said::Words(text) => json!({ "role": "assistant", "content": text, "refusal": null }),
        Said::Calls(calls) => {
            let calls: Vec<Value> = calls
                .iter()
                .enumerate()
                .map(|(place, call)| {
                    let function = json!({ "name": call.tool, "arguments": call.text() });
                    json!({ "id": ids.call(place), "type": "function", "function": function })
                })
                .collect();
            json!({ "role": "assistant", "content": null, "refusal": null, "tool_calls": calls })
        }
    };
    let choice =
        json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": said.finish() });
    respond(
        200,
        &json!({
            "id": ids.answer(), "object": "chat.completion", "created": ids.now.as_second(), "model": super::MODEL,
            "choices": [choice], "usage": usage(asked, said),
        }),
    )
}

/// Number of tokens in and out.
pub fn usage(asked: &ChatRequest, said: &Said) -> Value {
    let (prompt, completion) = (asked.prompt_tokens, said.tokens());
    json!({ "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion })
}
