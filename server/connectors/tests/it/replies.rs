//! What a reply is, and what it holds.

use std::fmt::Debug;

use dewy_domain::upstream_request::UpstreamError;

use crate::prelude::*;

/// Variant of the reply and the code of its trouble.
pub fn arm<T>(reply: &Reply<T>) -> String {
    match reply {
        Reply::Done(_) => "done".to_owned(),
        Reply::Refused(error) => format!("refused {}", error.code),
        Reply::TryLater(error) => format!("try_later {}", error.code),
        Reply::Unknown(error) => format!("unknown {}", error.code),
    }
}

#[track_caller]
pub fn done<T: Debug>(reply: Reply<T>) -> T {
    match reply {
        Reply::Done(value) => value,
        other => panic!("not done: {other:?}"),
    }
}

#[track_caller]
pub fn refused<T: Debug>(reply: Reply<T>) -> UpstreamError {
    match reply {
        Reply::Refused(error) => error,
        other => panic!("not refused: {other:?}"),
    }
}

#[track_caller]
pub fn try_later<T: Debug>(reply: Reply<T>) -> UpstreamError {
    match reply {
        Reply::TryLater(error) => error,
        other => panic!("not to be tried later: {other:?}"),
    }
}

/// Errors of the transport, and what they mean for a write.
pub fn broken() -> [(TransportError, &'static str); 3] {
    [
        (
            TransportError::Connect("refused".to_owned()),
            "try_later connect",
        ),
        (TransportError::Timeout, "unknown timeout"),
        (TransportError::Broken("reset".to_owned()), "unknown broken"),
    ]
}
