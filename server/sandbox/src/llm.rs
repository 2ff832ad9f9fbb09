//! Simulated language model: an OpenAI-compatible endpoint trained on example sentences, so that
//! the concierge works without an API key. Like a real model, it sees only the messages and tools
//! of one request: it has no memory, and no access to the other systems.
//!
//! ```text
//! body ─► request.rs ─► toolbox + conversation ─► planner.rs ─► calls or text ─► response.rs
//! ```
//!
//! Any non-empty key is accepted. The only model is `dewy-offline`.

mod answers;

mod classifier;
mod conversation;
#[cfg(test)]
mod cross_validation;
mod examples;
mod features;
mod language;
mod lexicon;
mod planner;
mod refusal;
mod request;
mod response;
mod results;
mod said;
mod sentence;
mod toolbox;
mod transcript;

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::json;

use refusal::Refusal;
use request::ChatRequest;

/// The only model.
pub const MODEL: &str = "dewy-offline";

const CHAT: &str = "/v1/chat/completions";
const MODELS: &str = "/v1/models";

/// Name of the operation, in the call log and for faults.
pub(crate) fn operation(path: &str) -> &'static str {
    if path.starts_with(MODELS) {
        "models"
    } else {
        "chat"
    }
}

/// Answers one request; `seq` is its number in the call log and determines its ids.
pub(crate) fn handle(request: &HttpRequest, now: Timestamp, seq: u64) -> HttpResponse {
    let path = crate::stripe::path(&request.url);
    let answered = match (request.method.as_str(), path) {
        _ if !has_key(request) => Err(Refusal::no_key()),
        ("POST", CHAT) => chat(request, now, seq),
        ("GET", MODELS) => Ok(refusal::answer(
            200,
            &json!({ "object": "list", "data": [card()] }),
        )),
        ("GET", path) if path.strip_prefix("/v1/models/").is_some() => {
            let name = path.trim_start_matches("/v1/models/");
            if name == MODEL {
                Ok(refusal::answer(200, &card()))
            } else {
                Err(Refusal::no_such_model(name))
            }
        }
        (method, CHAT | MODELS) => Err(Refusal::method(method, path)),
        (method, path) => Err(Refusal::no_such_path(method, path)),
    };
    answered.unwrap_or_else(|refusal| refusal.response())
}

/// Error response for an injected `status`.
pub(crate) fn fail(status: u16) -> HttpResponse {
    Refusal::of_status(status).response()
}

/// Response with status 200 and an unreadable part in its middle.
pub(crate) fn garbled(response: HttpResponse) -> Option<HttpResponse> {
    response::is_stream(&response).then(|| response::garbled(response))
}

/// Chunks of a streamed response; any other response is one chunk.
pub(crate) fn pieces(response: &HttpResponse) -> Vec<Vec<u8>> {
    if response::is_stream(response) {
        response::split(&response.body)
    } else {
        vec![response.body.clone()]
    }
}

fn chat(request: &HttpRequest, now: Timestamp, seq: u64) -> Result<HttpResponse, Refusal> {
    let asked = ChatRequest::read(&request.body)?;
    let said = planner::reply(&asked, &examples::MODEL);
    let ids = said::Ids { seq, now };
    Ok(if asked.stream {
        response::stream(&asked, &said, ids)
    } else {
        response::whole(&asked, &said, ids)
    })
}

fn has_key(request: &HttpRequest) -> bool {
    request
        .header("authorization")
        .and_then(|value| value.split_once(' '))
        .is_some_and(|(scheme, key)| {
            scheme.eq_ignore_ascii_case("bearer") && !key.trim().is_empty()
        })
}

fn card() -> serde_json::Value {
    json!({ "id": MODEL, "object": "model", "created": 1_772_000_000, "owned_by": "dewy" })
}
