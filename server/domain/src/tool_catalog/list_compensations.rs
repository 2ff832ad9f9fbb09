//! The `list_compensations` tool: "Which payments were refunded?"

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{day, limit, list_output, one_of, optional},
};
use crate::{
    caller::Persona,
    email_address::EmailAddress,
    execution_view::CompensationItem,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    vocabulary::CompensationStatus,
};

tool_input! {
    /// Input of `list_compensations`.
    ListCompensations {
        status: Option<CompensationStatus> =
            optional(one_of(CompensationStatus::WORDS, "Only with this status."));
        guest_email: Option<EmailAddress> = optional(
            json!({ "type": "string", "minLength": 3, "maxLength": 80, "description": "Only for this guest." }),
        );
        from: Option<Date> = optional(day("Only from this day on."));
        to: Option<Date> = optional(day("Only on or before this day."));
        limit: usize = limit(50);
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "list_compensations",
        title: "List compensations",
        description: "Lists payments that have been or are being refunded, newest first: what was undone, who requested it, \
            and what still needs a person. There is one record per payment.",
        personas: &[Persona::Staff],
        roles: FRONT_DESK_ROLES,
        input: ListCompensations::fields(),
        check: ListCompensations::check,
        rules: vec![],
        example: json!({ "status": CompensationStatus::NeedsAttention }),
        output: list_output::<CompensationItem>(),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
