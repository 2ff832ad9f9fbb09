//! Result of a call, before it becomes an HTTP response or a part of a composite's.

use dewy_domain::ports::HttpResponse;
use serde_json::Value;

use super::error::ApiError;
use crate::json_response::with_charset as respond;

/// Status, body (204 has none), and location of a new record.
#[derive(Clone, Debug)]
pub struct CallResult {
    pub status: u16,
    pub body: Option<Value>,
    /// `Location` of a new record.
    pub location: Option<String>,
}

impl CallResult {
    #[must_use]
    pub fn new(status: u16, body: Value) -> Self {
        Self {
            status,
            body: Some(body),
            location: None,
        }
    }

    /// Answer 204.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            status: 204,
            body: None,
            location: None,
        }
    }

    #[must_use]
    pub fn into_response(self) -> HttpResponse {
        let mut response = match &self.body {
            Some(body) => respond(self.status, body),
            None => HttpResponse {
                status: self.status,
                headers: Vec::new(),
                body: Vec::new(),
            },
        };
        response
            .headers
            .extend(self.location.map(|l| ("location".to_owned(), l)));
        response
    }
}

impl From<ApiError> for CallResult {
    fn from(error: ApiError) -> Self {
        Self::new(error.status, error.body())
    }
}
