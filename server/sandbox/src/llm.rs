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
mod features;
mod intent_model;
mod language_detection;
mod lexicon;
mod model_answer;
mod planner;
mod request;
mod response;
mod result_texts;
mod sentence;
mod tokenizer;
mod toolbox;
mod training_examples;

use std::sync::LazyLock;

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::json;

pub(crate) use error_body::fail;
use error_body::{answer, refusal};
use response::Response;
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

/// Trains the model and compiles its patterns, which takes longer than an answer should; for the
/// start of a process.
pub fn warm_up() {
    LazyLock::force(&intent_model::MODEL);
}

/// Answers one request; `seq` is its number in the call log and determines its ids.
pub(crate) fn handle(request: &HttpRequest, now: Timestamp, seq: u64) -> HttpResponse {
    let (method, path) = (request.method.as_str(), crate::stripe::path(&request.url));
    let card =
        json!({ "id": MODEL, "object": "model", "created": 1_772_000_000, "owned_by": "dewy" });
    match (method, path, path.strip_prefix("/v1/models/")) {
        _ if !has_key(request) => refusal("no_key", "", None),
        ("POST", CHAT, _) => chat(&request.body, now, seq).unwrap_or_else(|refused| refused),
        ("GET", MODELS, _) => answer(200, &json!({ "object": "list", "data": [card] })),
        ("GET", _, Some(MODEL)) => answer(200, &card),
        ("GET", _, Some(name)) => refusal("no_model", name, None),
        (_, CHAT | MODELS, _) => refusal("no_method", &format!("{method} on {path}"), None),
        _ => refusal("no_path", &format!("{method} {path}"), None),
    }
}

fn chat(body: &[u8], now: Timestamp, seq: u64) -> Result<HttpResponse, HttpResponse> {
    let asked = &request::read(body)?;
    let said = &planner::reply(asked);
    let response = Response {
        asked,
        said,
        seq,
        now,
    };
    Ok(match asked["stream"] == true {
        true => response.stream(),
        false => response.whole(),
    })
}

fn has_key(request: &HttpRequest) -> bool {
    let key = request.header("authorization").unwrap_or_default();
    let (scheme, key) = key.split_once(' ').unwrap_or_default();
    scheme.eq_ignore_ascii_case("bearer") && !key.trim().is_empty()
}
