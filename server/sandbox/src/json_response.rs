//! Responses with a JSON body.

use dewy_domain::ports::HttpResponse;
use serde_json::Value;

#[must_use]
pub fn answer(status: u16, body: &Value) -> HttpResponse {
    HttpResponse {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: body.to_string().into_bytes(),
    }
}

/// JSON response as Salesforce and the admin API send it: with its charset.
#[must_use]
pub fn with_charset(status: u16, body: &Value) -> HttpResponse {
    let kind = "application/json;charset=UTF-8".to_owned();
    HttpResponse {
        headers: vec![("content-type".to_owned(), kind)],
        ..answer(status, body)
    }
}
