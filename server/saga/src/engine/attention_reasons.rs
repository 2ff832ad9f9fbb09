//! Reasons for which the engine itself ends an execution as needing attention.

/// Attention reason of an execution whose record cannot be read.
pub const RECORD_UNREADABLE: &str = "RECORD_UNREADABLE";

/// Attention reason of an execution that makes no progress.
pub const STUCK: &str = "STUCK";

/// All of them.
pub const ATTENTION_REASONS: [&str; 2] = [RECORD_UNREADABLE, STUCK];
