//! Twilio's errors.

use dewy_domain::ports::HttpResponse;
use serde_json::json;

use crate::json_response::answer;

/// Error response.
#[derive(Clone, Debug)]
pub struct Refusal {
    status: u16,
    code: u32,
    message: String,
}

impl Refusal {
    fn new(status: u16, code: u32, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
        }
    }

    /// Error 400 with this code.
    pub fn bad(code: u32, message: impl Into<String>) -> Self {
        Self::new(400, code, message)
    }

    /// The queue of the sender is full.
    pub fn full_queue() -> Self {
        Self::new(429, 21611, "SMS queue is full.")
    }

    /// Wrong sid or token.
    pub fn unauthorised() -> Self {
        Self::of_status(401)
    }

    /// Unknown path.
    pub fn no_such(method: &str, what: &str) -> Self {
        if method == "GET" || method == "POST" {
            let message = format!("The requested resource /{what} was not found");
            Self::new(404, 20404, message)
        } else {
            Self::new(405, 20004, format!("Method {method} not allowed"))
        }
    }

    /// Error for an injected fault.
    pub fn of_status(status: u16) -> Self {
        let (code, message) = match status {
            401 => (20003, "Authenticate"),
            403 => (20003, "Permission denied"),
            404 => (20404, "The requested resource was not found"),
            429 => (20429, "Too Many Requests"),
            503 => (20503, "Service unavailable"),
            500.. => (20500, "Internal server error"),
            _ => (20001, "Invalid parameter"),
        };
        Self::new(status, code, message)
    }

    pub fn response(&self) -> HttpResponse {
        let more = format!("https://www.twilio.com/docs/errors/{}", self.code);
        let body = json!({"code": self.code, "message": self.message, "more_info": more, "status": self.status});
        answer(self.status, &body)
    }
}
