//! The `get_execution` tool: "What happened to my request?"

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{one_field_of, optional},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
};

tool_input! {
    /// Input of `get_execution`.
    GetExecution {
        execution_id: Option<String> = optional(
            json!({ "type": "string", "pattern": "^exe_[0-9a-f]{32}$", "description": "As answered by the tool." }),
        );
        idempotency_token: Option<String> = optional(
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "description": "The one you sent with the request." }),
        );
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "get_execution",
        title: "Show the status of a request",
        description: "Shows the status of an earlier request: its state, its steps and compensations, the amounts charged and refunded, \
            and its answer once it is final. Use it after a pending answer, and for \"I got charged but check-out \
            failed\". Give exactly one of execution_id and idempotency_token.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: ALL_ROLES,
        input: GetExecution::fields(),
        check: GetExecution::check,
        rules: vec![one_field_of(&["execution_id", "idempotency_token"])],
        example: json!({ "execution_id": "exe_019c8f4e2b7c7d10a3b1c2d3e4f50617" }),
        output: json!({ "type": "object", "properties": {
            "execution_id": { "type": "string" }, "tool": { "type": "string" }, "state": { "type": "string" },
            "summary": { "type": "string" }, "at_rest": { "type": "boolean" },
            "answer": { "type": "object" }, "next_action_url": { "type": "string" } } }),
        errors: &[ErrorCode::ExecutionNotFound],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
