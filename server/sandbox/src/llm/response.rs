//! Responses in OpenAI's format: whole, or as an event stream of a role, then text or fragments of
//! calls, then the finish reason.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

use super::refusal::answer;
use super::request::ChatRequest;
use super::said::{Call, Ids, Said};

const KIND: &str = "text/event-stream; charset=utf-8";
/// Number of characters per fragment of a call's arguments.
const FRAGMENT: usize = 8;

/// Response without streaming.
pub fn whole(asked: &ChatRequest, said: &Said, ids: Ids) -> HttpResponse {
    let text = Some(said.text()).filter(|text| !text.is_empty());
    let mut message = json!({ "role": "assistant", "content": text, "refusal": null });
    if !said.calls().is_empty() {
        let call = |(place, call): (usize, &Call)| {
            let function = json!({ "name": call.tool, "arguments": call.text() });
            json!({ "id": ids.call(place), "type": "function", "function": function })
        };
        message["tool_calls"] = said.calls().iter().enumerate().map(call).collect();
    }
    let choice =
        json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": said.finish() });
    answer(
        200,
        &json!({
            "id": ids.answer(), "object": "chat.completion", "created": ids.now.as_second(), "model": super::MODEL,
            "choices": [choice], "usage": usage(asked, said),
        }),
    )
}

/// Number of tokens in and out.
fn usage(asked: &ChatRequest, said: &Said) -> Value {
    let (prompt, completion) = (asked.prompt_tokens, said.tokens());
    json!({ "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion })
}

/// Whole stream as one body; the server sends it event by event.
pub fn stream(asked: &ChatRequest, said: &Said, ids: Ids) -> HttpResponse {
    let role = Some("").filter(|_| said.calls().is_empty());
    let chunk = |choices: Value, counted: Value| {
        let mut chunk = json!({
            "id": ids.answer(), "object": "chat.completion.chunk", "created": ids.now.as_second(), "model": super::MODEL,
            "choices": choices,
        });
        if asked.include_usage {
            chunk["usage"] = counted;
        }
        format!("data: {chunk}\n\n")
    };
    let choice = |delta: Value, finish: Option<&str>| {
        let choice =
            json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
        chunk(json!([choice]), Value::Null)
    };
    let mut body = choice(json!({ "role": "assistant", "content": role }), None);
    let words = said.text().split_inclusive(' ');
    body.extend(words.map(|word| choice(json!({ "content": word }), None)));
    let deltas = interleaved(said.calls(), ids).into_iter();
    body.extend(deltas.map(|delta| choice(delta, None)));
    body.push_str(&choice(json!({}), Some(said.finish())));
    if asked.include_usage {
        body.push_str(&chunk(json!([]), usage(asked, said)));
    }
    body.push_str("data: [DONE]\n\n");
    let headers = [("content-type", KIND), ("cache-control", "no-cache")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    HttpResponse {
        status: 200,
        headers: headers.to_vec(),
        body: body.into_bytes(),
    }
}

/// The head of each call once, then their arguments interleaved: only `index` shows what belongs
/// together.
fn interleaved(calls: &[Call], ids: Ids) -> Vec<Value> {
    let head = |(place, call): (usize, &Call)| {
        let function = json!({ "name": call.tool, "arguments": "" });
        json!({ "tool_calls": [{ "index": place, "id": ids.call(place), "type": "function", "function": function }] })
    };
    let mut deltas: Vec<Value> = calls.iter().enumerate().map(head).collect();
    let letters = |call: &Call| call.text().chars().collect();
    let letters: Vec<Vec<char>> = calls.iter().map(letters).collect();
    let longest = letters.iter().map(Vec::len).max().unwrap_or(0);
    for from in (0..longest).step_by(FRAGMENT) {
        for (place, letters) in letters
            .iter()
            .enumerate()
            .filter(|(_, all)| from < all.len())
        {
            let text: String = letters.iter().skip(from).take(FRAGMENT).collect();
            deltas.push(
                json!({ "tool_calls": [{ "index": place, "function": { "arguments": text } }] }),
            );
        }
    }
    deltas
}

/// Whether a response is a stream.
pub fn is_stream(response: &HttpResponse) -> bool {
    response.header("content-type") == Some(KIND)
}

/// Events of a stream, each with its terminating empty line.
pub fn split(body: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(body);
    let events = text.split_inclusive("\n\n");
    events.map(|event| event.as_bytes().to_vec()).collect()
}

/// Stream with its middle event truncated.
pub fn garbled(mut response: HttpResponse) -> HttpResponse {
    let mut events = split(&response.body);
    let middle = events.len() / 2;
    if let Some(event) = events.get_mut(middle) {
        event.truncate(event.len() / 2);
        event.extend_from_slice(b"\n\n");
    }
    response.body = events.concat();
    response
}
