//! Result of `resolve_execution`.

use serde::{Deserialize, Serialize};

/// Decision about an execution, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolutionResult {
    /// Execution that was decided: `exe_…`.
    pub resolved_execution_id: String,
    /// Decision: `retry_now`, `compensate`, `finish_forward`, or `mark_solved`.
    pub resolution: Option<String>,
    /// Name of its state now: `completed`, `needs_attention`, …
    pub state: String,
    /// Why it still needs attention, as a code.
    pub reason: Option<String>,
}
