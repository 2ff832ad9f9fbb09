//! The `search_executions` tool: "Which check-outs failed today?"

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    FRONT_DESK_ROLES,
    fields::{day, limit, one_of, optional, room_number},
};
use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    execution_view::ExecutionListItem,
    room_number::RoomNumber,
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::ListResult,
    vocabulary::ExecutionState,
};

tool_input! {
    SearchExecutions = "search_executions" => ListResult<ExecutionListItem> {
        state: Option<ExecutionState> =
            optional(one_of(&states(), "Only in this state; open: in progress, or needing a person."));
        tool: Option<String> = optional(text("Only executions of this tool, by name."));
        guest_email: Option<EmailAddress> = optional(text("Only for this guest."));
        booking_number: Option<BookingNumber> = optional(text("Only for this booking, such as BK-0042."));
        room_number: Option<RoomNumber> = optional(room_number().schema);
        payment_intent_id: Option<String> =
            optional(text("Only of this payment (pi_…), or of this card (last 4)."));
        from: Option<Date> = optional(day("Only from this day on."));
        to: Option<Date> = optional(day("Only on or before this day."));
        limit: usize = limit(50);
    }
}

/// Every state, and the word for all in which something is left to do.
fn states() -> Vec<&'static str> {
    let all = ExecutionState::WORDS.iter().copied();
    all.chain([ExecutionState::OPEN]).collect()
}

fn text(words: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": 120, "description": words })
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Search executions",
        description: "Lists executions, newest first: what was asked for, for whom, and where it stands. All given \
            filters must match. With state needs_attention it lists what is waiting for a person.",
        roles: FRONT_DESK_ROLES,
        ..SearchExecutions::read_entry(json!({ "state": ExecutionState::NeedsAttention }))
    }
}
