//! Result of one exchange, and the handling of missing responses common to all systems.

use dewy_domain::{
    ports::{HttpResponse, TransportError},
    upstream_request::{Fault, Outcome},
    vocabulary::FaultCode,
};
use serde::de::DeserializeOwned;

/// A response, or the reason there is none.
pub(crate) type Response = Result<HttpResponse, TransportError>;

/// No response: only a failed connection proves that nothing was sent.
pub(crate) fn no_response<T>(error: &TransportError) -> Outcome<T> {
    match error {
        TransportError::Connect(_) => Outcome::TryLater(Fault::new("connect", error.to_string())),
        TransportError::Timeout => Outcome::Unknown(Fault::new("timeout", error.to_string())),
        TransportError::Broken(_) => Outcome::Unknown(Fault::new("broken", error.to_string())),
    }
}

/// Body of a successful response; `failure` classifies any other.
pub(crate) fn successful_body<'a>(
    response: &'a Response,
    failure: impl FnOnce(&HttpResponse) -> Outcome<&'a [u8]>,
) -> Outcome<&'a [u8]> {
    match response {
        Ok(response) if (200..300).contains(&response.status) => Outcome::Done(&response.body),
        Ok(response) => failure(response),
        Err(error) => no_response(error),
    }
}

/// Content of a JSON body.
pub(crate) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Outcome<T> {
    match serde_json::from_slice(body) {
        Ok(object) => Outcome::Done(object),
        Err(error) => malformed_response(position(&error)),
    }
}

/// Position where parsing failed; never the content, which may be a guest's data.
pub(crate) fn position(error: &serde_json::Error) -> String {
    format!("line {} column {}", error.line(), error.column())
}

/// An unreadable response proves nothing.
pub(crate) fn malformed_response<T>(what: impl std::fmt::Display) -> Outcome<T> {
    Outcome::Unknown(Fault::new(
        FaultCode::UnreadableResponse,
        format!("an unreadable response: {what}"),
    ))
}

/// `Retry-After` in milliseconds; these systems send seconds, not the date form, which is ignored.
pub(crate) fn retry_after_ms(response: &HttpResponse) -> Option<u64> {
    let seconds: u64 = response.header("retry-after")?.trim().parse().ok()?;
    seconds.checked_mul(1000)
}
