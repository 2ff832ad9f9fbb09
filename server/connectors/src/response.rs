//! What came back from one exchange, and what every system's silence means alike.

use std::time::Duration;

use dewy_domain::{
    call::{Reply, Trouble},
    ports::{HttpResponse, TransportError},
};

/// An answer, or why there is none.
pub(crate) type Response = Result<HttpResponse, TransportError>;

/// No answer: only a failed connection proves that nothing was sent.
pub(crate) fn silence<T>(error: &TransportError) -> Reply<T> {
    match error {
        TransportError::Connect(_) => Reply::TryLater(Trouble::new("connect", error.to_string())),
        TransportError::Timeout => Reply::Unknown(Trouble::new("timeout", error.to_string())),
        TransportError::Broken(_) => Reply::Unknown(Trouble::new("broken", error.to_string())),
    }
}

/// An answer that nobody can read proves nothing.
pub(crate) fn garbage<T>(what: impl std::fmt::Display) -> Reply<T> {
    Reply::Unknown(Trouble::new(
        "garbage",
        format!("an answer that cannot be read: {what}"),
    ))
}

/// Goes on with what was answered.
pub(crate) fn then<T, U>(reply: Reply<T>, next: impl FnOnce(T) -> Reply<U>) -> Reply<U> {
    match reply {
        Reply::Done(value) => next(value),
        Reply::Refused(trouble) => Reply::Refused(trouble),
        Reply::TryLater(trouble) => Reply::TryLater(trouble),
        Reply::Unknown(trouble) => Reply::Unknown(trouble),
    }
}

/// `Retry-After` in seconds; the date form is not used by these systems and reads as none.
pub(crate) fn retry_after(response: &HttpResponse) -> Option<Duration> {
    response
        .header("retry-after")?
        .trim()
        .parse()
        .ok()
        .map(Duration::from_secs)
}
