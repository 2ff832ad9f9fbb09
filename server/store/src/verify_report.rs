//! Result of verifying the hash chains.

use dewy_saga::ExecutionId;

/// Kind of chain in which a fault was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChainKind {
    /// An execution's journal and audit trail.
    Execution,
    /// The audit log of calls.
    Calls,
    /// The checkpoints over all other chains.
    Checkpoint,
}

/// An inconsistency in the stored history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainFault {
    pub kind: ChainKind,
    /// Execution; `None` for other chains.
    pub execution: Option<ExecutionId>,
    pub what: String,
}

/// Result of verifying everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    pub executions: usize,
    /// Number of writers' call chains verified.
    pub call_chains: usize,
    /// Number of batches in them.
    pub batches: usize,
    /// Number of calls in those batches.
    pub calls: usize,
    /// Number of calls that could not be stored as received and were set aside.
    pub calls_aside: u64,
    /// Number of checkpoints verified.
    pub checkpoints: usize,
    /// Number and hash of the newest checkpoint. Stored elsewhere, it also proves whether the
    /// newest checkpoints were removed.
    pub newest_checkpoint: Option<(i64, String)>,
    /// Inconsistencies; empty when there are none.
    pub faults: Vec<ChainFault>,
}
