//! Result of one exchange, and the handling of missing responses common to all systems.

use std::time::Duration;

use dewy_domain::{
    ports::{HttpResponse, TransportError},
    upstream_request::{Reply, UpstreamError},
    vocabulary::FaultCode,
};
use serde::de::DeserializeOwned;

/// A response, or the reason there is none.
pub(crate) type Response = Result<HttpResponse, TransportError>;

/// No response: only a failed connection proves that nothing was sent.
pub(crate) fn no_response<T>(error: &TransportError) -> Reply<T> {
    match error {
        TransportError::Connect(_) => {
            Reply::TryLater(UpstreamError::new("connect", error.to_string()))
        }
        TransportError::Timeout => Reply::Unknown(UpstreamError::new("timeout", error.to_string())),
        TransportError::Broken(_) => {
            Reply::Unknown(UpstreamError::new("broken", error.to_string()))
        }
    }
}

/// Body of a successful response; `failure` classifies any other.
pub(crate) fn successful_body<'a>(
    response: &'a Response,
    failure: impl FnOnce(&HttpResponse) -> Reply<&'a [u8]>,
) -> Reply<&'a [u8]> {
    match response {
        Ok(response) if (200..300).contains(&response.status) => Reply::Done(&response.body),
        Ok(response) => failure(response),
        Err(error) => no_response(error),
    }
}

/// Content of a JSON body.
pub(crate) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Reply<T> {
    match serde_json::from_slice(body) {
        Ok(object) => Reply::Done(object),
        Err(error) => malformed_response(position(&error)),
    }
}

/// Position where parsing failed; never the content, which may be a guest's data.
pub(crate) fn position(error: &serde_json::Error) -> String {
    format!("line {} column {}", error.line(), error.column())
}

/// An unreadable response proves nothing.
pub(crate) fn malformed_response<T>(what: impl std::fmt::Display) -> Reply<T> {
    Reply::Unknown(UpstreamError::new(
        FaultCode::UnreadableResponse,
        format!("an unreadable response: {what}"),
    ))
}

/// Maps the content of a done reply.
pub(crate) fn then<T, U>(reply: Reply<T>, next: impl FnOnce(T) -> Reply<U>) -> Reply<U> {
    match reply {
        Reply::Done(value) => next(value),
        Reply::Refused(error) => Reply::Refused(error),
        Reply::TryLater(error) => Reply::TryLater(error),
        Reply::Unknown(error) => Reply::Unknown(error),
    }
}

/// `Retry-After` in seconds; these systems don't use the date form, so it is ignored.
pub(crate) fn retry_after(response: &HttpResponse) -> Option<Duration> {
    response
        .header("retry-after")?
        .trim()
        .parse()
        .ok()
        .map(Duration::from_secs)
}
