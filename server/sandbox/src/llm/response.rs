//! Responses in OpenAI's format: whole, or as an event stream of a role, then text or fragments of
//! calls, then the finish reason.

use dewy_domain::ports::HttpResponse;
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::error_body::answer;
use super::model_answer::{Call, ModelAnswer};
use super::request::ChatRequest;

const KIND: &str = "text/event-stream; charset=utf-8";
/// Number of characters per fragment of a call's arguments.
const FRAGMENT: usize = 8;

/// Generates ids from the time and the request's number in the call log, so that a repeated run
/// repeats them.
#[derive(Clone, Copy)]
pub struct Ids {
    pub seq: u64,
    pub now: Timestamp,
}

impl Ids {
    fn id(self, what: &str) -> String {
        let hash = Sha256::digest(format!("{} {} {what}", self.seq, self.now.as_nanosecond()));
        hex::encode(&hash[..12])
    }

    /// Head of the call at this index, with these arguments.
    fn call(self, place: usize, call: &Call, arguments: &str) -> Value {
        let function = json!({ "name": call.tool, "arguments": arguments });
        let id = format!("call_{}", self.id(&place.to_string()));
        json!({ "id": id, "type": "function", "function": function })
    }

    /// Completion or chunk with one choice.
    fn object(self, object: &str, choices: &Value) -> Value {
        json!({
            "id": format!("chatcmpl-{}", self.id("answer")), "object": object, "created": self.now.as_second(),
            "model": super::MODEL, "choices": choices,
        })
    }
}

fn finish(said: &ModelAnswer) -> &'static str {
    let words = said.calls.is_empty();
    if words { "stop" } else { "tool_calls" }
}

/// Estimated number of tokens in and out, of four characters each.
fn usage(asked: &ChatRequest, said: &ModelAnswer) -> Value {
    let calls = said.calls.iter();
    let calls = calls.map(|call| call.tool.len() + call.text().len());
    let completion = (said.text.len() + calls.sum::<usize>()).div_ceil(4).max(1);
    let total = asked.prompt_tokens + completion;
    json!({ "prompt_tokens": asked.prompt_tokens, "completion_tokens": completion, "total_tokens": total })
}

/// Response without streaming.
pub fn whole(asked: &ChatRequest, said: &ModelAnswer, ids: Ids) -> HttpResponse {
    let text = Some(&said.text).filter(|text| !text.is_empty());
    let mut message = json!({ "role": "assistant", "content": text, "refusal": null });
    if !said.calls.is_empty() {
        let calls = said.calls.iter().enumerate();
        let calls = calls.map(|(place, call)| ids.call(place, call, &call.text()));
        message["tool_calls"] = calls.collect();
    }
    let choice =
        json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": finish(said) });
    let mut body = ids.object("chat.completion", &json!([choice]));
    body["usage"] = usage(asked, said);
    answer(200, &body)
}

/// Whole stream as one body; the server sends it event by event.
pub fn stream(asked: &ChatRequest, said: &ModelAnswer, ids: Ids) -> HttpResponse {
    let chunk = |choices: Value, counted: Value| {
        let mut chunk = ids.object("chat.completion.chunk", &choices);
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
    let role = Some("").filter(|_| said.calls.is_empty());
    let mut body = choice(json!({ "role": "assistant", "content": role }), None);
    let words = said.text.split_inclusive(' ');
    let words = words.map(|word| json!({ "content": word }));
    let calls = interleaved(&said.calls, ids).into_iter();
    let calls = calls.map(|call| json!({ "tool_calls": [call] }));
    body.extend(words.chain(calls).map(|delta| choice(delta, None)));
    body.push_str(&choice(json!({}), Some(finish(said))));
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
    let (mut parts, mut rest) = (Vec::new(), Vec::new());
    for (place, call) in calls.iter().enumerate() {
        let mut head = ids.call(place, call, "");
        head["index"] = place.into();
        parts.push(head);
        let letters: Vec<char> = call.text().chars().collect();
        let fragments = letters.chunks(FRAGMENT).map(String::from_iter).enumerate();
        rest.extend(fragments.map(|(turn, text)| (turn, place, text)));
    }
    rest.sort();
    let fragment = |(_, place, text)| json!({ "index": place, "function": { "arguments": text } });
    parts.extend(rest.into_iter().map(fragment));
    parts
}

fn is_stream(response: &HttpResponse) -> bool {
    response.header("content-type") == Some(KIND)
}

/// Chunks of a streamed response, one for each event; any other response is one chunk.
pub(crate) fn pieces(response: &HttpResponse) -> Vec<Vec<u8>> {
    if !is_stream(response) {
        return vec![response.body.clone()];
    }
    let text = String::from_utf8_lossy(&response.body);
    let events = text.split_inclusive("\n\n");
    events.map(|event| event.as_bytes().to_vec()).collect()
}

/// Stream whose middle event is truncated; `None` if it is no stream.
pub(crate) fn garbled(mut response: HttpResponse) -> Option<HttpResponse> {
    let mut events = pieces(&response);
    let middle = events.len() / 2;
    let event = events.get_mut(middle).filter(|_| is_stream(&response))?;
    event.truncate(event.len() / 2);
    event.extend_from_slice(b"\n\n");
    response.body = events.concat();
    Some(response)
}
