//! The `get_execution` tool: "What happened to my request?"

use serde_json::{Value, json};

use super::{
    ALL_ROLES,
    fields::{one_field_of, optional},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    execution_view::ExecutionView,
    output_schema::OutputSchema,
    tool::Tool,
    tool_input::{ToolInput, tool_input},
};

tool_input! {
    GetExecution = "get_execution" => ExecutionView {
        execution_id: Option<String> = optional(
            json!({ "type": "string", "pattern": "^exe_[0-9a-f]{32}$", "description": "As answered by the tool." }),
        );
        idempotency_token: Option<String> = optional(
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "description": "The one you sent with the request." }),
        );
    }
}

/// What callers poll for; a view has more, for pages.
impl OutputSchema for ExecutionView {
    fn schema() -> Value {
        json!({ "type": "object", "properties": {
            "execution_id": { "type": "string" }, "tool": { "type": "string" }, "state": { "type": "string" },
            "summary": { "type": "string" }, "at_rest": { "type": "boolean" },
            "answer": { "type": "object" }, "next_action_url": { "type": "string" } } })
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Show the status of a request",
        description: "Shows the status of an earlier request: its state, its steps and compensations, the amounts charged and refunded, \
            and its answer once it is final. Use it after a pending answer, and for \"I got charged but check-out \
            failed\". Give exactly one of execution_id and idempotency_token.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: ALL_ROLES,
        rules: vec![one_field_of(&["execution_id", "idempotency_token"])],
        errors: &[ErrorCode::ExecutionNotFound],
        ..GetExecution::read_entry(
            json!({ "execution_id": "exe_019c8f4e2b7c7d10a3b1c2d3e4f50617" }),
        )
    }
}
