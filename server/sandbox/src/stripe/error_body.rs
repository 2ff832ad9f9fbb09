//! Stripe's error bodies.

use serde_json::{Map, Value, json};

/// Error response in Stripe's format.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub status: u16,
    /// Object under `error`.
    pub error: Map<String, Value>,
    /// Whether the endpoint had started; only then is the response stored with the idempotency key.
    pub began: bool,
    /// `Stripe-Should-Retry`, where Stripe sends it.
    pub should_retry: Option<bool>,
}

impl Refusal {
    fn new(status: u16, kind: &str, message: impl Into<String>) -> Self {
        let mut error = Map::new();
        error.insert("message".to_owned(), Value::String(message.into()));
        error.insert("type".to_owned(), Value::String(kind.to_owned()));
        Self {
            status,
            error,
            began: false,
            should_retry: None,
        }
    }

    /// Request rejected before anything ran; never stored.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request_error", message)
    }

    /// Valid request for an object in the wrong state.
    pub fn state(code: &str, message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request_error", message)
            .code(code)
            .begun()
    }

    /// Unknown object in the path.
    pub fn not_found(what: &str, id: &str) -> Self {
        let message = format!("No such {what}: '{id}'");
        let mut refusal = Self::new(404, "invalid_request_error", message).code("resource_missing");
        refusal.error.insert("param".to_owned(), json!("id"));
        refusal.begun()
    }

    /// Unknown object in a parameter.
    pub fn missing_reference(what: &str, id: &str, param: &str) -> Self {
        let message = format!("No such {what}: '{id}'");
        Self::new(400, "invalid_request_error", message)
            .code("resource_missing")
            .param(param)
            .begun()
    }

    /// Missing required parameter.
    pub fn needs(param: &str) -> Self {
        Self::invalid(format!("Missing required param: {param}."))
            .code("parameter_missing")
            .param(param)
    }

    /// Parameter that is no number, or one out of range.
    pub fn integer(message: &str, param: &str) -> Self {
        Self::invalid(message)
            .code("parameter_invalid_integer")
            .param(param)
    }

    /// Amount below 1.
    pub fn below_one(param: &str) -> Self {
        Self::integer("This value must be greater than or equal to 1.", param)
    }

    /// Text that is no email address.
    pub fn email(email: &str, param: &str) -> Self {
        Self::invalid(format!("Invalid email address: {email}"))
            .code("email_invalid")
            .param(param)
    }

    /// Parameter that Stripe does not know.
    pub fn unknown_parameter(name: &str) -> Self {
        Self::invalid(format!("Received unknown parameter: {name}"))
            .code("parameter_unknown")
            .param(name)
    }

    /// Parameter that Stripe takes, and this sandbox does not simulate: the request would otherwise
    /// succeed without its effect.
    pub fn not_simulated(name: &str) -> Self {
        Self::invalid(format!("The sandbox does not simulate {name}.")).param(name)
    }

    pub fn no_such_path(method: &str, path: &str) -> Self {
        Self::new(
            404,
            "invalid_request_error",
            format!("Unrecognized request URL ({method}: {path})."),
        )
    }

    /// Card declined (402).
    pub fn card(code: &str, decline: Option<&str>, message: &str) -> Self {
        let mut refusal = Self::new(402, "card_error", message).code(code).begun();
        if let Some(decline) = decline {
            refusal
                .error
                .insert("decline_code".to_owned(), json!(decline));
        }
        refusal.error.insert(
            "doc_url".to_owned(),
            json!(format!(
                "https://stripe.com/docs/error-codes/{}",
                code.replace('_', "-")
            )),
        );
        refusal
    }

    /// Invalid or missing key.
    pub fn unauthorised(message: &str) -> Self {
        Self::new(401, "invalid_request_error", message)
    }

    /// Key that was rolled or deleted in the dashboard.
    pub fn expired_key(key: &str) -> Self {
        Self::unauthorised(&format!("Expired API Key provided: {}", redacted(key)))
            .code("api_key_expired")
    }

    /// Restricted key without permission for the endpoint.
    pub fn lacks_permission(key: &str, operation: &str, account: &str) -> Self {
        let message = format!(
            "The provided key '{}' does not have the required permissions for this endpoint ({operation}) on account '{account}'.",
            redacted(key)
        );
        Self::new(403, "invalid_request_error", message).code("more_permissions_required")
    }

    /// Same idempotency key with other parameters or at another endpoint.
    pub fn other_parameters(key: &str) -> Self {
        Self::new(
            400,
            "idempotency_error",
            format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '{key}' if you meant to execute a different request."
            ),
        )
    }

    /// Same idempotency key while its first request is in progress.
    pub fn key_in_use(key: &str) -> Self {
        let message = format!(
            "There is currently another in-progress request using this Stripe-Idempotency-Key (that probably means you submitted twice, and the other request is still going through): {key}."
        );
        Self::new(409, "idempotency_error", message).code("idempotency_key_in_use")
    }

    /// Another request is processing the same object.
    pub fn lock_timeout() -> Self {
        let message = "This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate.";
        let mut refusal = Self::new(429, "invalid_request_error", message).code("lock_timeout");
        refusal.should_retry = Some(true);
        refusal
    }

    /// Stripe's error for an injected `status`.
    pub fn of_status(status: u16, key: &str) -> Self {
        match status {
            401 => Self::unauthorised("Invalid API Key provided: sk_test_****"),
            402 => Self::card("card_declined", Some("generic_decline"), "Your card was declined."),
            409 => Self::key_in_use(key),
            429 => Self::new(
                429,
                "invalid_request_error",
                "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.",
            )
            .code("rate_limit"),
            500.. => {
                let mut refusal = Self::new(status, "api_error", "An unknown error occurred");
                if status == 500 {
                    refusal.should_retry = Some(false);
                    refusal.began = true;
                }
                refusal
            }
            _ => Self::new(status, "invalid_request_error", "Invalid request."),
        }
    }

    /// Sets the machine-readable code.
    #[must_use]
    pub fn code(mut self, code: &str) -> Self {
        self.error.insert("code".to_owned(), json!(code));
        self
    }

    /// Sets the invalid parameter.
    #[must_use]
    pub fn param(mut self, param: &str) -> Self {
        self.error.insert("param".to_owned(), json!(param));
        self
    }

    /// Sets another member of the error object.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.error.insert(name.to_owned(), value);
        self
    }

    /// Marks the endpoint as started: the response is stored with the key.
    #[must_use]
    pub fn begun(mut self) -> Self {
        self.began = true;
        self
    }

    #[must_use]
    pub fn body(&self) -> Value {
        json!({ "error": self.error })
    }
}

/// Redacted key as Stripe repeats it: its kind and its last four characters.
fn redacted(key: &str) -> String {
    let kind = key.get(..8).unwrap_or(key);
    let last = key.get(key.len().saturating_sub(4)..).unwrap_or_default();
    format!("{kind}********{last}")
}
