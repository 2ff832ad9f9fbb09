//! Response as an event stream: a role, then text or fragments of calls, then the finish reason.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

use super::request::ChatRequest;
use super::said::{Call, Ids, Said};
use super::whole::usage;

const KIND: &str = "text/event-stream; charset=utf-8";
/// Number of characters per fragment of a call's arguments.
const FRAGMENT: usize = 8;

/// Whole stream as one body; the server sends it event by event.
pub fn stream(asked: &ChatRequest, said: &Said, ids: Ids) -> HttpResponse {
    let (role, rest) = match said {
        Said::Words(text) => (
            json!(""),
            text.split_inclusive(' ')
                .map(|word| json!({ "content": word }))
                .collect(),
        ),
        Said::Calls(calls) => (Value::Null, interleaved(calls, ids)),
    };
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
    let choice = |delta: Value, finish: Value| {
        chunk(
            json!([{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]),
            Value::Null,
        )
    };
    let mut body = choice(json!({ "role": "assistant", "content": role }), Value::Null);
    body.extend(rest.into_iter().map(|delta| choice(delta, Value::Null)));
    body.push_str(&choice(json!({}), json!(said.finish())));
    if asked.include_usage {
        body.push_str(&chunk(json!([]), usage(asked, said)));
    }
    body.push_str("data: [DONE]\n\n");
    let headers = [("content-type", KIND), ("cache-control", "no-cache")];
    let headers = headers
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    HttpResponse {
        status: 200,
        headers,
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
    let letters: Vec<Vec<char>> = calls
        .iter()
        .map(|call| call.text().chars().collect())
        .collect();
    let turns = letters
        .iter()
        .map(|letters| letters.len().div_ceil(FRAGMENT))
        .max()
        .unwrap_or(0);
    for turn in 0..turns {
        for (place, letters) in letters.iter().enumerate() {
            if let Some(fragment) = letters.chunks(FRAGMENT).nth(turn) {
                let text: String = fragment.iter().collect();
                deltas.push(json!({ "tool_calls": [{ "index": place, "function": { "arguments": text } }] }));
            }
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
    String::from_utf8_lossy(body)
        .split_inclusive("\n\n")
        .map(|event| event.as_bytes().to_vec())
        .collect()
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
