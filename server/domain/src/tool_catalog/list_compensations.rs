//! The `list_compensations` tool: "Which payments were refunded?"

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{day, limit, one_of, optional},
};
use crate::{
    email_address::EmailAddress,
    execution_view::CompensationItem,
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::ListResult,
    vocabulary::CompensationStatus,
};

tool_input! {
    ListCompensations = "list_compensations" => ListResult<CompensationItem> {
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
pub(super) fn tool() -> Tool {
    Tool {
        title: "List compensations",
        description: "Lists payments that have been or are being refunded, newest first: what was undone, who requested it, \
            and what still needs a person. There is one record per payment.",
        roles: FRONT_DESK_ROLES,
        ..ListCompensations::read_entry(json!({ "status": CompensationStatus::NeedsAttention }))
    }
}
