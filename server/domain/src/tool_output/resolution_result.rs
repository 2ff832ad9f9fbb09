//! Result of `resolve_execution`.

use serde::{Deserialize, Serialize};

use crate::vocabulary::{AttentionReason, ExecutionState, Resolution};

/// Decision about an execution, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolutionResult {
    /// Execution that was decided: `exe_…`.
    pub resolved_execution_id: String,
    /// Decision.
    pub resolution: Option<Resolution>,
    /// Its state now.
    pub state: ExecutionState,
    /// Why it still needs attention.
    pub reason: Option<AttentionReason>,
}
