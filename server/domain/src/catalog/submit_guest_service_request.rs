//! The `submit_guest_service_request` tool: "Could I have two more towels?"

use serde_json::json;

use super::{
    DESK,
    fields::{guest_email, needed, one_of, optional, priority, room, text},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
};

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "submit_guest_service_request",
        title: "Ask for service",
        description: "Files a guest's request for their room: housekeeping, room service, maintenance or the concierge. Use it for \
            \"Could I have more towels?\" or, when a guest says it, \"My toilet is broken\" (Maintenance). The room may be left out \
            if the guest is checked in.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: DESK,
        input: vec![
            guest_email(),
            optional("room_number", room("The guest's room, such as 302.")),
            needed(
                "type",
                one_of(
                    &["Housekeeping", "Room Service", "Maintenance", "Concierge"],
                    "Department that handles it.",
                ),
            ),
            priority(),
            needed(
                "description",
                text(2000, "What is wanted, in the guest's words."),
            ),
        ],
        rules: vec![],
        example: json!({ "guest_email": "beth.gibbs@email.com", "type": "Housekeeping", "description": "Two more towels, please." }),
        output: json!({
            "type": "object",
            "properties": {
                "case_number": { "type": "string" }, "case_status": { "type": "string" }, "priority": { "type": "string" },
                "type": { "type": "string" }, "subject": { "type": "string" }, "room_number": { "type": "string" }
            }
        }),
        errors: &[
            ErrorCode::GuestNotFound,
            ErrorCode::RoomNotFound,
            ErrorCode::MultipleBookings,
        ],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
