//! Rows exchanged between a simulator and the disk.

/// Row that changed since the last drain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRow {
    /// Table, as in `/admin/state`.
    pub table: String,
    pub id: String,
    /// Current row; `None` when it was deleted.
    pub json: Option<String>,
}

/// Row read from disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Table, as in `/admin/state`.
    pub table: String,
    pub id: String,
    /// Row as it was written.
    pub json: String,
}
