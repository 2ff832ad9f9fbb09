//! Why the engine itself brings an execution to a person.

/// Attention reason of an execution whose record cannot be read.
pub const RECORD_UNREADABLE: &str = "RECORD_UNREADABLE";

/// Attention reason of an execution that makes no progress.
pub const STUCK: &str = "STUCK";
