//! The guest's room search: "Which room do I have?"

use serde_json::json;

use super::fields::{limit, one_of, optional, optional_guest_email, or};
use crate::{
    caller::Persona,
    email_address::EmailAddress,
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::{ListResult, OwnStay},
    vocabulary::StayFilter,
};

tool_input! {
    SearchRoomsOnBehalfOfGuest = "search_rooms_on_behalf_of_guest" => ListResult<OwnStay> {
        guest_email: Option<EmailAddress> = optional_guest_email();
        filter: StayFilter = or(
            "current", optional(one_of(StayFilter::WORDS, "Which stays.")),
        );
        limit: u32 = limit(10);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "My stays",
        description: "Lists the guest's own stays with their rooms: current, upcoming, past, or all, each \
            with its total in cents. Use it for \"Which room do I \
            have?\" and \"When do I have to leave?\".",
        personas: &[Persona::Guest],
        ..SearchRoomsOnBehalfOfGuest::read_entry(json!({ "filter": StayFilter::Upcoming }))
    }
}
