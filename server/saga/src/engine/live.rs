//! Executions that run in this process.

use std::collections::BTreeMap;

use tokio::sync::watch;

use crate::id::ExecutionId;

/// A run in this process.
#[derive(Debug)]
pub(super) struct Live {
    /// Seq of its last committed row.
    pub rows: watch::Sender<i64>,
    /// The same when it was taken.
    pub began: i64,
    /// Number of workers that were lost over it in a row before.
    pub lapses: u32,
}

/// Executions that run here, by id.
pub(super) type Running = BTreeMap<ExecutionId, Live>;
