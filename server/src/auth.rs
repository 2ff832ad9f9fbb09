//! Who is asking: bearer tokens for programs, sessions for people.

mod bearer;

pub use bearer::{Bearer, TokenCheck, require_bearer};
