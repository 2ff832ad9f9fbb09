//! Responses in OpenAI's format: whole, or as an event stream of a role, then text or fragments of
//! calls, then the finish reason.

use dewy_domain::ports::HttpResponse;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::model_answer::ModelAnswer;
use crate::json_response::answer;

/// Number of characters per fragment of a call's arguments.
const FRAGMENT: usize = 8;

/// Answer to a request, with what its ids are made of: the time and the request's number in the
/// call log, so that a repeated run repeats them.
pub struct Response<'a> {
    pub asked: &'a Value,
    pub said: &'a ModelAnswer,
    pub seq: u64,
    pub now: Timestamp,
}

impl Response<'_> {
    fn id(&self) -> String {
        format!("{:x}{:04x}", self.now.as_nanosecond(), self.seq)
    }

    /// The calls, with ids.
    fn calls(&self) -> impl Iterator<Item = Value> {
        self.said.calls.iter().enumerate().map(|(index, call)| {
            let arguments = json!(call.arguments).to_string();
            let function = json!({ "name": call.tool, "arguments": arguments });
            let id = format!("call_{}{index}", self.id());
            json!({ "id": id, "type": "function", "function": function })
        })
    }

    /// Completion or chunk; only a last chunk of usage has no choice.
    fn body(&self, object: &str, choices: &[Value]) -> Value {
        let (id, created) = (format!("chatcmpl-{}", self.id()), self.now.as_second());
        json!({ "id": id, "object": object, "created": created, "model": super::MODEL, "choices": choices })
    }

    fn finish(&self) -> &'static str {
        let words = self.said.calls.is_empty();
        if words { "stop" } else { "tool_calls" }
    }

    /// Estimated number of tokens: four characters of the prompt each, and the parts of the answer.
    fn usage(&self) -> Value {
        let prompt = [&self.asked["messages"], &self.asked["tools"]];
        let prompt = prompt.map(|part| part.to_string().len() / 4);
        let (prompt, completion) = (prompt.iter().sum::<usize>(), self.deltas().len());
        json!({ "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion })
    }

    /// Response without streaming.
    pub fn whole(&self) -> HttpResponse {
        let text = Some(&self.said.text).filter(|text| !text.is_empty());
        let mut message = json!({ "role": "assistant", "content": text, "refusal": null });
        if !self.said.calls.is_empty() {
            message["tool_calls"] = self.calls().collect();
        }
        let choice = json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": self.finish() });
        let mut body = self.body("chat.completion", &[choice]);
        body["usage"] = self.usage();
        answer(200, &body)
    }

    /// Whole stream as one body; the server sends it event by event.
    pub fn stream(&self) -> HttpResponse {
        let chunk = |choices: &[Value]| {
            let mut chunk = self.body("chat.completion.chunk", choices);
            if self.asked["stream_options"]["include_usage"] == true {
                let usage = choices.is_empty().then(|| self.usage());
                chunk["usage"] = usage.unwrap_or_default();
            }
            format!("data: {chunk}\n\n")
        };
        let (deltas, mut body) = (self.deltas(), String::new());
        for (place, delta) in deltas.iter().enumerate() {
            let finish = (place + 1 == deltas.len()).then(|| self.finish());
            let choice =
                json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
            body += &chunk(&[choice]);
        }
        if self.asked["stream_options"]["include_usage"] == true {
            body += &chunk(&[]);
        }
        body += "data: [DONE]\n\n";
        let kind = "text/event-stream; charset=utf-8";
        HttpResponse {
            status: 200,
            headers: vec![("content-type".to_owned(), kind.to_owned())],
            body: body.into_bytes(),
        }
    }

    /// Changes to the message: the role, words or fragments of calls, and the end.
    fn deltas(&self) -> Vec<Value> {
        let empty = self.said.calls.is_empty().then_some("");
        let mut deltas = vec![json!({ "role": "assistant", "content": empty })];
        let words = self.said.text.split_inclusive(' ');
        deltas.extend(words.map(|word| json!({ "content": word })));
        for (index, mut call) in self.calls().enumerate() {
            let arguments = call["function"]["arguments"].take();
            call["index"] = index.into();
            call["function"]["arguments"] = "".into();
            deltas.push(json!({ "tool_calls": [call] }));
            let letters: Vec<char> = arguments.as_str().unwrap_or_default().chars().collect();
            for part in letters.chunks(FRAGMENT).map(String::from_iter) {
                let part = json!({ "index": index, "function": { "arguments": part } });
                deltas.push(json!({ "tool_calls": [part] }));
            }
        }
        deltas.push(json!({}));
        deltas
    }
}

/// Chunks of a streamed response, one for each event; any other response is one chunk.
pub(crate) fn pieces(response: &HttpResponse) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(&response.body);
    let events = text.split_inclusive("\n\n");
    events.map(|event| event.as_bytes().to_vec()).collect()
}

/// Stream whose middle event is truncated; `None` if it is no stream.
pub(crate) fn garbled(mut response: HttpResponse) -> Option<HttpResponse> {
    let mut events = pieces(&response);
    let middle = events.len() / 2;
    let event = events.get_mut(middle).filter(|_| middle > 0)?;
    event.truncate(event.len() / 2);
    event.extend_from_slice(b"\n\n");
    response.body = events.concat();
    Some(response)
}
