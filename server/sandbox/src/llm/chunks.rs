//! The answer as a stream of events: a role, then words or fragments of calls, then why it ended.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

use super::request::ChatRequest;
use super::said::{Call, Ids, Said};
use super::whole::usage;

const KIND: &str = "text/event-stream; charset=utf-8";
/// How many characters of a call's arguments come at a time.
const FRAGMENT: usize = 8;

/// The whole stream as one body; the server sends it event by event.
pub fn stream(asked: &ChatRequest, said: &Said, ids: Ids) -> HttpResponse {
    let mut deltas = vec![
        json!({ "role": "assistant", "content": if matches!(said, Said::Words(_)) { json!("") } else { Value::Null } }),
    ];
    match said {
        Said::Words(text) => deltas.extend(text.split_inclusive(' ').map(|word| json!({ "content": word }))),
        Said::Calls(calls) => deltas.extend(interleaved(calls, ids)),
    }
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
    let choice = |delta: Value, finish: Value| json!([{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]);
    let mut body: String = deltas.into_iter().map(|delta| chunk(choice(delta, Value::Null), Value::Null)).collect();
    body.push_str(&chunk(choice(json!({}), json!(said.finish())), Value::Null));
    if asked.include_usage {
        body.push_str(&chunk(json!([]), usage(asked, said)));
    }
    body.push_str("data: [DONE]\n\n");
    let headers = [("content-type", KIND), ("cache-control", "no-cache")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    HttpResponse { status: 200, headers, body: body.into_bytes() }
}

/// Each call's head once, then the arguments in turns: what belongs together is told by `index` alone.
fn interleaved(calls: &[Call], ids: Ids) -> Vec<Value> {
    let mut deltas: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(place, call)| {
            let function = json!({ "name": call.tool, "arguments": "" });
            json!({ "tool_calls": [{ "index": place, "id": ids.call(place), "type": "function", "function": function }] })
        })
        .collect();
    let fragments: Vec<Vec<String>> = calls.iter().map(|call| fragments(&call.text())).collect();
    let longest = fragments.iter().map(Vec::len).max().unwrap_or(0);
    for turn in 0..longest {
        for (place, fragments) in fragments.iter().enumerate() {
            if let Some(text) = fragments.get(turn) {
                deltas.push(json!({ "tool_calls": [{ "index": place, "function": { "arguments": text } }] }));
            }
        }
    }
    deltas
}

fn fragments(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(FRAGMENT).map(|piece| piece.iter().collect()).collect()
}

/// Whether an answer is a stream.
pub fn is_stream(response: &HttpResponse) -> bool {
    response.header("content-type") == Some(KIND)
}

/// The events of a stream, each with the empty line that ends it.
pub fn split(body: &[u8]) -> Vec<Vec<u8>> {
    String::from_utf8_lossy(body).split_inclusive("\n\n").map(|event| event.as_bytes().to_vec()).collect()
}

/// The stream with its middle event cut in half.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_cut_between_letters_and_lose_nothing() {
        let text = "{\"query\":\"Zoë Müller, José Núñez\"}";
        assert!(fragments(text).len() > 2);
        assert_eq!(fragments(text).concat(), text);
    }
}
