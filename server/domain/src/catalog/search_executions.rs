//! The `search_executions` tool: "Which check-outs failed today?"

use serde_json::json;

use super::{
    DESK,
    fields::{day, limit, optional, room_number},
};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
};

/// Catalog entry.
pub fn tool() -> Tool {
    let text = |words: &str| json!({ "type": "string", "minLength": 1, "maxLength": 120, "description": words });
    Tool {
        name: "search_executions",
        title: "Search executions",
        description: "Lists executions, newest first: what was asked for, for whom, and where it stands. All given \
            filters must match. With state needs_attention it lists what is waiting for a person.",
        personas: &[Persona::Staff],
        roles: DESK,
        input: vec![
            optional(
                "state",
                json!({ "type": "string", "enum": ["queued", "running", "retrying", "waiting", "compensating",
                "completed", "refused", "compensated", "needs_attention", "settled_by_hand"], "description": "Only in this state." }),
            ),
            optional("tool", text("Only executions of this tool, by name.")),
            optional("guest_email", text("Only for this guest.")),
            optional(
                "booking_number",
                text("Only for this booking, such as BK-0042."),
            ),
            optional("room_number", room_number().schema),
            optional(
                "payment_intent_id",
                text("Only of this payment (pi_…), or of this card (last 4)."),
            ),
            optional("from", day("Only from this day on.")),
            optional("to", day("Only on or before this day.")),
            limit(50),
        ],
        rules: vec![],
        example: json!({ "state": "needs_attention" }),
        output: json!({
            "type": "object",
            "properties": {
                "executions": { "type": "array", "items": { "type": "object" } },
                "cut": { "type": "boolean", "description": "True when there are more than the limit." },
                "how_to_narrow": { "type": "string" }
            }
        }),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
