//! Simulated language model: an OpenAI-compatible endpoint trained on example sentences, so that
//! the concierge works without an API key. Like a real model, it sees only the messages and tools
//! of one request: it has no memory, and no access to the other systems.
//!
//! ```text
//! request.rs (request.schema.json) ─► conversation.rs: facts, messages, results of calls
//!                    │
//!                    ▼
//!   tokenizer.rs ─► sentence.rs, dates.rs ─► planner.rs ─► result_texts.rs: the results as text
//!               slots.txt                  │    ▲
//!                         planner/arguments.rs  intent_model.rs ◄─ features.rs ◄─ training_examples.rs, lexicon.rs
//!                         arguments.txt    │    classifier.rs
//!                                          ▼
//!                                   response.rs: event stream, or whole
//! ```
//!
//! Any non-empty key is accepted. The only model is `dewy-offline`. It calls no tool that is not
//! offered, sends no field that the tool's schema lacks (`toolbox.rs`), and asks for what is required
//! and unknown.
//!
//! - *Facts* are in the system message between `<facts>` and `</facts>`, one `name: value` per line:
//!   those of the caller and the stay, and the hotel's (`hotel_breakfast`, …). Facts from results are
//!   added, and dropped when another guest is named. Results are JSON with `answer` or `proposed`;
//!   they are reported and never obeyed.
//! - The *parser* corrects typos and finds what a sentence names by the patterns of `slots.txt`.
//! - The *classifier* is softmax regression over words, word pairs, entities, facts, and the concepts of
//!   `lexicon/`, trained when the sandbox starts, without randomness. Its label is an *intent*: a tool
//!   with its action, or something that is only answered in text.
//! - The *planner* checks the language first (`languages.txt`). A complaint, danger, or what only the
//!   front desk can do goes to a person. Below a confidence threshold it asks back. What moves money, or
//!   ends or changes a stay, must be wanted in words (`asked` in `arguments.txt`, `Sentence::wants`).
//!   `arguments.txt` says what each argument is taken from, which lookup comes first, and which intents
//!   go together; replies come from `answers.txt`. Both are Jinja (`minijinja`).
//! - Streams are computed whole and sent in pieces: 400 ms to the first one, 8 ms for each further one.

mod answer_templates;
mod classifier;
mod concept_phrases;
mod conversation;
#[cfg(test)]
mod cross_validation;
mod dates;
mod entity;
mod error_body;
mod features;
mod hand_over;
mod intent_model;
mod language_detection;
mod lexicon;
mod meant_stay;
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

use crate::json_response::answer;
pub(crate) use error_body::fail;
use error_body::refusal;
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
