//! The `resolve_execution` tool: an operator's decision about an execution that needs attention.

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{needed, one_of, reason},
};
use crate::{
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::ResolutionResult,
    vocabulary::Resolution,
};

tool_input! {
    ResolveExecution = "resolve_execution" => ResolutionResult {
        execution_id: String = needed(json!({ "type": "string", "pattern": "^exe_[0-9a-fA-F-]{32,36}$",
            "description": "Which execution, such as search_executions lists them." }));
        resolution: Resolution = needed(one_of(Resolution::WORDS, "How to resolve it."));
        reason: String = needed(reason("Why, for the record."));
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Resolve an execution",
        description: "Resolves an execution that needs a person: retry_now retries what failed; compensate refunds \
            the payment and reverts all changes; finish_forward continues the work if nothing was refunded; \
            mark_solved records that a person resolved it manually. Call get_execution first: its acts describe what each one would do.",
        roles: FRONT_DESK_ROLES,
        errors: &[
            ErrorCode::ExecutionNotFound,
            ErrorCode::InvalidTransition,
            ErrorCode::OverRefundLimit,
        ],
        moves_money: true,
        ..ResolveExecution::write_entry(
            Reversibility::Irreversible,
            json!({ "execution_id": "exe_019c8f4e2b7c7d10a3b1c2d3e4f50617", "resolution": "retry_now", "reason": "The bank has lifted its block." }),
        )
    }
}
