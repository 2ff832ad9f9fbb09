//! Simulated language model: an OpenAI-compatible endpoint trained on example sentences, so that
//! the concierge works without an API key. Like a real model, it sees only the messages and tools
//! of one request: it has no memory, and no access to the other systems.
//!
//! ```text
//! body ─► request.rs ─► toolbox + conversation ─► planner.rs ─► calls or text ─► response.rs
//! ```
//!
//! Any non-empty key is accepted. The only model is `dewy-offline`.

mod answer_templates;

mod classifier;
mod conversation;
#[cfg(test)]
mod cross_validation;
mod dates;
mod error_body;
mod examples;
mod features;
mod hotel_topics;
mod language;
mod lexicon;
mod model_answer;
mod planner;
mod request;
mod response;
mod result_texts;
mod sentence;
mod tokenizer;
mod toolbox;

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::json;

use error_body::Refusal;
use request::ChatRequest;
pub(crate) use response::{garbled, pieces};

/// The only model.
pub const MODEL: &str = "dewy-offline";

const CHAT: &str = "/v1/chat/completions";
const MODELS: &str = "/v1/models";
/// Name of the operation, in the call log and for faults.
pub(crate) fn operation(path: &str) -> &'static str {
    let models = path.starts_with(MODELS);
    if models { "models" } else { "chat" }
}

/// Answers one request; `seq` is its number in the call log and determines its ids.
pub(crate) fn handle(request: &HttpRequest, now: Timestamp, seq: u64) -> HttpResponse {
    let (method, path) = (request.method.as_str(), crate::stripe::path(&request.url));
    let found = |body: &serde_json::Value| Ok(error_body::answer(200, body));
    let card =
        json!({ "id": MODEL, "object": "model", "created": 1_772_000_000, "owned_by": "dewy" });
    let refused = |name: &str, detail: &str| Err(Refusal::new(name, detail));
    let answered = match (method, path, path.strip_prefix("/v1/models/")) {
        _ if !has_key(request) => refused("no_key", ""),
        ("POST", CHAT, _) => chat(request, now, seq),
        ("GET", MODELS, _) => found(&json!({ "object": "list", "data": [card] })),
        ("GET", _, Some(MODEL)) => found(&card),
        ("GET", _, Some(name)) => refused("no_model", name),
        (_, CHAT | MODELS, _) => refused("no_method", &format!("{method} on {path}")),
        _ => refused("no_path", &format!("{method} {path}")),
    };
    answered.unwrap_or_else(|refusal| refusal.response())
}

/// Error response for an injected `status`.
pub(crate) fn fail(status: u16) -> HttpResponse {
    Refusal::of_status(status).response()
}

fn chat(request: &HttpRequest, now: Timestamp, seq: u64) -> Result<HttpResponse, Refusal> {
    let asked = ChatRequest::read(&request.body)?;
    let said = planner::reply(&asked, &examples::MODEL);
    let ids = response::Ids { seq, now };
    Ok(match asked.stream {
        true => response::stream(&asked, &said, ids),
        false => response::whole(&asked, &said, ids),
    })
}

fn has_key(request: &HttpRequest) -> bool {
    let key = request.header("authorization").unwrap_or_default();
    let (scheme, key) = key.split_once(' ').unwrap_or_default();
    scheme.eq_ignore_ascii_case("bearer") && !key.trim().is_empty()
}
