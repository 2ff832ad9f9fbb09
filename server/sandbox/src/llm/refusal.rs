//! Errors in OpenAI's format: `{"error": {message, type, param, code}}`.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

/// Error response.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    status: u16,
    error: Value,
}

impl Refusal {
    /// Error with a machine-readable code, which may be empty.
    pub fn new(status: u16, code: &str, message: &str) -> Self {
        let kind = match status {
            429 => "requests",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        let code = Some(code).filter(|code| !code.is_empty());
        let error = json!({ "message": message, "type": kind, "param": null, "code": code });
        Self { status, error }
    }

    /// Error in a parameter of the request.
    pub fn invalid(param: &str, code: &str, message: &str) -> Self {
        let mut refusal = Self::new(400, code, message);
        refusal.error["param"] = param.into();
        refusal
    }

    /// Required parameter that is missing.
    pub fn missing(param: &str) -> Self {
        let message = format!("Missing required parameter: '{param}'.");
        Self::invalid(param, "missing_required_parameter", &message)
    }

    /// Unknown model.
    pub fn no_such_model(name: &str) -> Self {
        let message = format!("The model `{name}` does not exist or you do not have access to it.");
        Self::new(404, "model_not_found", &message)
    }

    /// Error for an injected `status`.
    pub fn of_status(status: u16) -> Self {
        let (code, message) = match status {
            401 => ("invalid_api_key", "Incorrect API key provided."),
            404 => return Self::no_such_model(super::MODEL),
            429 => (
                "rate_limit_exceeded",
                "Rate limit reached. Please try again in 1s.",
            ),
            503 => (
                "",
                "The server is currently overloaded. Please try again later.",
            ),
            500.. => ("", "The server had an error while processing your request."),
            _ => ("", "The request could not be understood."),
        };
        Self::new(status, code, message)
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
