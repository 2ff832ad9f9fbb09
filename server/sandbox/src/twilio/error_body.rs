//! Twilio's errors.

use dewy_domain::ports::HttpResponse;
use serde_json::json;

use super::answer;

/// Error response.
#[derive(Clone, Debug)]
pub struct Refusal {
    status: u16,
    code: u32,
    message: String,
}

impl Refusal {
    /// Error 400 with this code.
    pub fn bad(code: u32, message: impl Into<String>) -> Self {
        Self {
            status: 400,
            code,
            message: message.into(),
        }
    }

    /// The queue of the sender is full.
    pub fn full_queue() -> Self {
        Self {
            status: 429,
            code: 21611,
            message: "SMS queue is full.".to_owned(),
        }
    }

    /// Wrong sid or token.
    pub fn unauthorised() -> Self {
        Self {
            status: 401,
            code: 20003,
            message: "Authenticate".to_owned(),
        }
    }

    /// Unknown path.
    pub fn no_such(method: &str, what: &str) -> Self {
        if method == "GET" || method == "POST" {
            Self {
                status: 404,
                code: 20404,
                message: format!("The requested resource /{what} was not found"),
            }
        } else {
            Self {
                status: 405,
                code: 20004,
                message: format!("Method {method} not allowed"),
            }
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
        Self {
            status,
            code,
            message: message.to_owned(),
        }
    }

    pub fn response(&self) -> HttpResponse {
        let more = format!("https://www.twilio.com/docs/errors/{}", self.code);
        let body = json!({"code": self.code, "message": self.message, "more_info": more, "status": self.status});
        answer(self.status, &body)
    }
}
