//! What a reply is, and what it holds.

use std::fmt::Debug;

use dewy_domain::upstream_request::Fault;

use crate::prelude::*;

/// Variant of the reply and the code of its trouble.
pub fn arm<T>(reply: &Outcome<T>) -> String {
    match reply {
        Outcome::Done(_) => "done".to_owned(),
        Outcome::Refused(error) => format!("refused {}", error.code),
        Outcome::TryLater(error) => format!("try_later {}", error.code),
        Outcome::Unknown(error) => format!("unknown {}", error.code),
        Outcome::Waiting(_) => "waiting".to_owned(),
    }
}

#[track_caller]
pub fn done<T: Debug>(reply: Outcome<T>) -> T {
    match reply {
        Outcome::Done(value) => value,
        other => panic!("not done: {other:?}"),
    }
}

#[track_caller]
pub fn refused<T: Debug>(reply: Outcome<T>) -> Fault {
    match reply {
        Outcome::Refused(error) => error,
        other => panic!("not refused: {other:?}"),
    }
}

#[track_caller]
pub fn try_later<T: Debug>(reply: Outcome<T>) -> Fault {
    match reply {
        Outcome::TryLater(error) => error,
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
