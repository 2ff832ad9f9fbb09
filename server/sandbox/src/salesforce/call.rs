//! Parsed call of the data API, alone or as a part of a composite.

use serde_json::{Map, Value};

use super::error::{ApiError, ApiResult};
use super::route::Target;

#[derive(Debug)]
pub struct Call {
    /// `GET`, `POST`, `PATCH`, `DELETE`.
    pub method: String,
    pub target: Target,
    /// Headers with lowercase names.
    pub headers: Vec<(String, String)>,
    /// Body; null if there is none.
    pub body: Value,
}

impl Call {
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
    }

    /// Fields of the body.
    ///
    /// # Errors
    /// `JSON_PARSER_ERROR` if the body is no object.
    pub fn fields(&self) -> ApiResult<&Map<String, Value>> {
        self.body.as_object().ok_or_else(|| {
            ApiError::bad(
                "JSON_PARSER_ERROR",
                "The HTTP entity body is required and must be an object",
            )
        })
    }
}
