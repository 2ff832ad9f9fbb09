//! How a look-alike hands its rows to the disk and gets them back.

/// A row that changed since the last look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dirty {
    /// The table, as `/admin/state` names it.
    pub table: String,
    /// The row's own id.
    pub id: String,
    /// The row now; `None` when it was deleted.
    pub json: Option<String>,
}

/// A row read back from disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The table, as `/admin/state` names it.
    pub table: String,
    /// The row's own id.
    pub id: String,
    /// The row as it was written.
    pub json: String,
}
