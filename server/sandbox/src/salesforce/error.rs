//! A refusal, as Salesforce words it.

use serde_json::{Value, json};

/// One error of a data call: the HTTP status, the stable code, words, and the fields at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The HTTP status it travels with.
    pub status: u16,
    /// The stable code.
    pub code: &'static str,
    /// Words for a person.
    pub message: String,
    /// The fields at fault, if the error is about fields.
    pub fields: Option<Vec<String>>,
    /// What a duplicate rule found.
    pub duplicate_result: Option<Value>,
}

/// What a data call comes to.
pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// A 400.
    #[must_use]
    pub fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status: 400,
            code,
            message: message.into(),
            fields: None,
            duplicate_result: None,
        }
    }

    /// A 400 about one field.
    #[must_use]
    pub fn field(code: &'static str, message: impl Into<String>, field: &str) -> Self {
        Self {
            fields: Some(vec![field.to_owned()]),
            ..Self::bad(code, message)
        }
    }

    /// A query that is not SOQL, or not the part of it spoken here.
    #[must_use]
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::bad("MALFORMED_QUERY", message)
    }

    /// 404: no such record or resource.
    #[must_use]
    pub fn not_found(message: impl Into<String>) -> Self {
        Self {
            status: 404,
            ..Self::bad("NOT_FOUND", message)
        }
    }

    /// 404 for a path nothing is at.
    #[must_use]
    pub fn no_resource() -> Self {
        Self::not_found("The requested resource does not exist")
    }

    /// 405.
    #[must_use]
    pub fn method(method: &str, allowed: &str) -> Self {
        let message = format!("HTTP Method '{method}' not allowed. Allowed are {allowed}");
        Self {
            status: 405,
            ..Self::bad("METHOD_NOT_ALLOWED", message)
        }
    }

    /// The array every data call answers with.
    #[must_use]
    pub fn body(&self) -> Value {
        let mut error = json!({"message": self.message, "errorCode": self.code});
        if let Some(fields) = &self.fields {
            error["fields"] = json!(fields);
        }
        if let Some(result) = &self.duplicate_result {
            error["duplicateResult"] = result.clone();
        }
        json!([error])
    }

    /// The shape inside a collection's answer.
    #[must_use]
    pub fn item(&self) -> Value {
        let fields = self.fields.clone().unwrap_or_default();
        let mut item = json!({"statusCode": self.code, "message": self.message, "fields": fields});
        if let Some(result) = &self.duplicate_result {
            item["duplicateResult"] = result.clone();
        }
        item
    }
}
