//! The `search_guests` tool: "Who is in 302?"

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{limit, list_output, needed, text},
};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::GuestListItem,
};

tool_input! {
    /// Input of `search_guests`.
    SearchGuests {
        query: String =
            needed(text(80, "A name or part of it, an email, a phone number, BK-0042, or 302."));
        limit: u32 = limit(20);
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_guests",
        title: "Search guests",
        description: "Finds guests by name, email, phone, booking number or room number, with their stays that are not over. Use it \
            for \"Who is in 302?\" and to learn a guest's email before another tool.",
        personas: &[Persona::Staff],
        roles: FRONT_DESK_ROLES,
        input: SearchGuests::fields(),
        check: SearchGuests::check,
        rules: vec![],
        example: json!({ "query": "Beth Gibbs" }),
        output: list_output::<GuestListItem>(),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
