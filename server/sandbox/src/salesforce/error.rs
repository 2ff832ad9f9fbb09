//! Salesforce errors.

use serde_json::{Value, json};

/// Error of a data call: HTTP status, error code, message, and invalid fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    pub status: u16,
    pub code: &'static str,
    pub message: String,
    /// Invalid fields, if the error is about fields.
    pub fields: Option<Vec<String>>,
    pub duplicate_result: Option<Value>,
}

pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// Error with status 400.
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

    /// Error with status 400 about one field.
    #[must_use]
    pub fn field(code: &'static str, message: impl Into<String>, field: &str) -> Self {
        Self {
            fields: Some(vec![field.to_owned()]),
            ..Self::bad(code, message)
        }
    }

    /// Field that the object has not, or not for this user.
    #[must_use]
    pub fn no_column(name: &str, object: &str) -> Self {
        let message = format!("No such column '{name}' on sobject of type {object}");
        Self::bad("INVALID_FIELD", message)
    }

    /// Field that the user may not write.
    #[must_use]
    pub fn not_writeable(field: &str) -> Self {
        let message = format!(
            "Unable to create/update fields: {field}. Please check the security settings of this field and verify that \
             it is read/write for your profile or permission set."
        );
        Self::field("INVALID_FIELD_FOR_INSERT_UPDATE", message, field)
    }

    /// 404 for a field that is no external id.
    #[must_use]
    pub fn no_external(name: &str) -> Self {
        Self::not_found(format!(
            "Provided external ID field does not exist or is not accessible: {name}"
        ))
    }

    /// Invalid or unsupported SOQL.
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

    /// 404 for an unknown path.
    #[must_use]
    pub fn no_resource() -> Self {
        Self::not_found("The requested resource does not exist")
    }

    /// 403: the calls of the last 24 hours are used up.
    #[must_use]
    pub fn request_limit() -> Self {
        Self {
            status: 403,
            ..Self::bad("REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.")
        }
    }

    /// 403: the org's edition has no API, or an administrator has switched it off.
    #[must_use]
    pub fn api_disabled() -> Self {
        Self {
            status: 403,
            ..Self::bad(
                "API_DISABLED_FOR_ORG",
                "API is not enabled for this Organization or Partner",
            )
        }
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

    /// Error array returned by every data call.
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

    /// Error object inside a collection's response.
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
