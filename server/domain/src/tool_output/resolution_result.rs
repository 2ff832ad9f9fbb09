//! Result of `resolve_execution`.

use crate::{
    output_schema::tool_output,
    vocabulary::{AttentionReason, ExecutionState, Resolution},
};

tool_output! {
    /// Decision about an execution, and what became of it.
    ResolutionResult {
        /// Execution that was decided: `exe_…`.
        resolved_execution_id: String,
        resolution: Option<Resolution>,
        state: ExecutionState,
        /// Why it still needs attention.
        reason: Option<AttentionReason>,
    }
}
