//! Stored executions that this program cannot read.

use serde::{Deserialize, Serialize};

/// The first unreadable row of an execution, and the ends of its chains, so that rows can be
/// appended after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// Row: `journal row 4`, `signal evt_1`, `input`.
    pub row: String,
    /// Fault, as a predicate of the row's name: `cannot be read: …`, `was changed`, `is missing`.
    pub why: String,
    /// True when the row is intact but of an unknown kind: a newer release wrote it.
    pub newer: bool,
    /// Sequence number of the last journal row.
    pub seq: i64,
    /// Digest of the last journal row.
    pub digest: String,
    /// Hash of the last audit row.
    pub audit_head: String,
    /// Keys of open signals that cannot be read.
    pub signals: Vec<String>,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.row, self.why)
    }
}
