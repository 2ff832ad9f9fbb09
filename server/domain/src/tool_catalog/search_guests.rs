//! The `search_guests` tool: "Who is in 302?"

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{limit, needed, text},
};
use crate::{
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::{GuestListItem, ListResult},
};

tool_input! {
    SearchGuests = "search_guests" => ListResult<GuestListItem> {
        query: String =
            needed(text(80, "A name or part of it, an email, a phone number, BK-0042, or 302."));
        limit: u32 = limit(20);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Search guests",
        description: "Finds guests by name, email, phone, booking number or room number, with their stays that are not over. Use it \
            for \"Who is in 302?\" and to learn a guest's email before another tool.",
        roles: FRONT_DESK_ROLES,
        ..SearchGuests::read_entry(json!({ "query": "Beth Gibbs" }))
    }
}
