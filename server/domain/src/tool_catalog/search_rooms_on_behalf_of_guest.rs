//! The guest's room search: "Which room do I have?"

use serde_json::json;

use super::fields::{limit, list_output, one_of, optional, optional_guest_email, or};
use crate::{
    caller::Persona,
    email_address::EmailAddress,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::OwnStay,
    vocabulary::StayFilter,
};

tool_input! {
    /// Input of `search_rooms_on_behalf_of_guest`.
    SearchRoomsOnBehalfOfGuest {
        guest_email: Option<EmailAddress> = optional_guest_email();
        filter: StayFilter = or(
            "current", optional(one_of(StayFilter::WORDS, "Which stays.")),
        );
        limit: u32 = limit(10);
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_rooms_on_behalf_of_guest",
        title: "My stays",
        description: "Lists the guest's own stays with their rooms: current, upcoming, past, or all, each \
            with its total in cents. Use it for \"Which room do I \
            have?\" and \"When do I have to leave?\".",
        personas: &[Persona::Guest],
        roles: &[],
        input: SearchRoomsOnBehalfOfGuest::fields(),
        check: SearchRoomsOnBehalfOfGuest::check,
        rules: vec![],
        example: json!({ "filter": StayFilter::Upcoming }),
        output: list_output::<OwnStay>(),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
