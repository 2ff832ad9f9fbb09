//! Executions that run in this process.

use std::collections::BTreeMap;

use tokio::sync::watch;

use crate::execution_id::ExecutionId;

/// Execution that runs in this process.
#[derive(Debug)]
pub(super) struct RunningExecution {
    /// Sequence number of the last committed row.
    pub rows: watch::Sender<i64>,
    /// That number when the lease was taken.
    pub began: i64,
    /// Number of workers lost in a row while running it, before this one.
    pub lapses: u32,
}

/// Executions that run here, by id.
pub(super) type Running = BTreeMap<ExecutionId, RunningExecution>;
