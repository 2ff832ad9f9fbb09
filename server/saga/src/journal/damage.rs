//! A stored execution that this program cannot read.

use serde::{Deserialize, Serialize};

/// The first row of an execution that cannot be read, and where its chains end, so that what
/// follows can be appended behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// The row: `journal row 4`, `signal evt_1`, `input`.
    pub row: String,
    /// The fault, in words that go on from the row's name: `cannot be read: …`, `was changed`, `is
    /// missing`.
    pub why: String,
    /// True when the row is as it was written, and only its kind is not known here: a newer release
    /// wrote it.
    pub newer: bool,
    /// Seq of the last journal row.
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
