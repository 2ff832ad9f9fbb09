//! Errors in OpenAI's format: `{"error": {message, type, param, code}}`, from `refusals.txt`.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

/// Error response.
#[derive(Debug)]
pub struct Refusal {
    status: u16,
    error: Value,
}

impl Refusal {
    /// Error with this name; its message contains the detail.
    pub fn new(name: &str, detail: &str) -> Self {
        let lines = include_str!("refusals.txt").lines();
        let mut lines = lines.map(|line| line.splitn(4, ' ').collect::<Vec<_>>());
        let line = lines.find(|line| line[0] == name).unwrap_or_default();
        let part = |place: usize| line.get(place).copied().unwrap_or_default();
        let status = part(1).parse().unwrap_or(400);
        let kind = match status {
            429 => "requests",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        let code = Some(part(2)).filter(|code| *code != "-");
        let message = part(3).replace("{}", detail);
        let error = json!({ "message": message, "type": kind, "param": null, "code": code });
        Self { status, error }
    }

    /// The same error in a parameter of the request.
    #[must_use]
    pub fn at(mut self, param: &str) -> Self {
        self.error["param"] = param.into();
        self
    }

    /// Error for an injected `status`.
    pub fn of_status(status: u16) -> Self {
        let known = match status {
            401 | 404 | 429 | 503 => status,
            500.. => 500,
            _ => 400,
        };
        let refusal = Self::new(&known.to_string(), "");
        Self { status, ..refusal }
    }

    /// HTTP response.
    pub fn response(&self) -> HttpResponse {
        let mut response = answer(self.status, &json!({ "error": self.error }));
        let wait = (self.status == 429).then(|| ("retry-after".to_owned(), "1".to_owned()));
        response.headers.extend(wait);
        response
    }
}

/// JSON response.
pub fn answer(status: u16, body: &Value) -> HttpResponse {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let body = body.to_string().into_bytes();
    HttpResponse {
        status,
        headers,
        body,
    }
}
