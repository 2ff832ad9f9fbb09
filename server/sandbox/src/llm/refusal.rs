//! Errors in OpenAI's format: `{"error": {message, type, param, code}}`.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

const INVALID: &str = "invalid_request_error";

/// Error response.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    status: u16,
    kind: &'static str,
    message: String,
    param: Option<String>,
    code: Option<&'static str>,
}

impl Refusal {
    fn new(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            message: message.into(),
            param: None,
            code: None,
        }
    }

    /// Invalid request.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, INVALID, message)
    }

    /// Missing key.
    pub fn no_key() -> Self {
        let message = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
        Self::new(401, INVALID, message)
    }

    /// Unknown model.
    pub fn no_such_model(name: &str) -> Self {
        let message = format!("The model `{name}` does not exist or you do not have access to it.");
        Self::new(404, INVALID, message).code("model_not_found")
    }

    /// Unknown path.
    pub fn no_such_path(method: &str, path: &str) -> Self {
        Self::new(404, INVALID, format!("Invalid URL ({method} {path})"))
    }

    /// Method not allowed.
    pub fn method(method: &str, path: &str) -> Self {
        Self::new(405, INVALID, format!("Not allowed to {method} on {path}."))
            .code("method_not_supported")
    }

    /// Error for an injected `status`.
    pub fn of_status(status: u16) -> Self {
        match status {
            401 => Self::new(401, INVALID, "Incorrect API key provided.").code("invalid_api_key"),
            404 => Self::no_such_model(super::MODEL),
            429 => Self::new(
                429,
                "requests",
                "Rate limit reached. Please try again in 1s.",
            )
            .code("rate_limit_exceeded"),
            503 => Self::new(
                503,
                "server_error",
                "The server is currently overloaded. Please try again later.",
            ),
            500.. => Self::new(
                status,
                "server_error",
                "The server had an error while processing your request.",
            ),
            _ => Self::new(status, INVALID, "The request could not be understood."),
        }
    }

    /// Sets the machine-readable code.
    #[must_use]
    pub fn code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    /// Sets the invalid parameter.
    #[must_use]
    pub fn param(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// HTTP response.
    pub fn response(&self) -> HttpResponse {
        let error = json!({ "message": self.message, "type": self.kind, "param": self.param, "code": self.code });
        let mut response = answer(self.status, &json!({ "error": error }));
        if self.status == 429 {
            response
                .headers
                .push(("retry-after".to_owned(), "1".to_owned()));
        }
        response
    }
}

/// JSON response.
pub fn answer(status: u16, body: &Value) -> HttpResponse {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    HttpResponse {
        status,
        headers,
        body: body.to_string().into_bytes(),
    }
}
