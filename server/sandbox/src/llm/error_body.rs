//! Errors in OpenAI's format: `{"error": {message, type, param, code}}`, from `refusals.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use dewy_domain::ports::HttpResponse;
use serde_json::json;

use super::lexicon::built_in;
use crate::json_response::answer;

/// Status, type, code and message of an error.
type Error<'a> = (u16, &'a str, Option<&'a str>, &'a str);
static ERRORS: LazyLock<BTreeMap<&str, Error<'_>>> =
    LazyLock::new(|| built_in(serde_json::from_str(include_str!("refusals.json"))));

/// Error response with this name, for a parameter of the request; its message contains the detail.
pub fn refusal(name: &str, detail: &str, param: Option<&str>) -> HttpResponse {
    let (status, kind, code, message) = ERRORS[name];
    let message = message.replace("{}", detail);
    let error = json!({ "message": message, "type": kind, "param": param, "code": code });
    let mut response = answer(status, &json!({ "error": error }));
    let wait = (status == 429).then(|| ("retry-after".to_owned(), "1".to_owned()));
    response.headers.extend(wait);
    response
}

/// Error response for an injected `status`.
pub fn fail(status: u16) -> HttpResponse {
    let known = match status {
        401 | 404 | 429 | 503 => status,
        500.. => 500,
        _ => 400,
    };
    let response = refusal(&known.to_string(), "", None);
    HttpResponse { status, ..response }
}
