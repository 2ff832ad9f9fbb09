//! The `search_bookings` tool: "Who arrives today?"

use serde_json::json;

use super::{
    DESK,
    fields::{day, limit, list_output, one_of, optional, optional_guest_email, room},
};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
};

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_bookings",
        title: "Search bookings",
        description: "Lists bookings with price by arrival; all filters must match. Guests see their own. Use it for \"Who arrives \
            today?\" (status Reserved, from_date and to_date today): a booking matches a date range if it has a night in it.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: DESK,
        input: vec![
            optional_guest_email(),
            optional(
                "status",
                one_of(
                    &[
                        "Reserved",
                        "Checked In",
                        "Checked Out",
                        "Cancelled",
                        "No Show",
                    ],
                    "Only in this status.",
                ),
            ),
            optional("from_date", day("Only with a night on or after this day.")),
            optional("to_date", day("Only with a night on or before this day.")),
            optional("room_number", room("Only of this room.")),
            limit(20),
        ],
        rules: vec![],
        example: json!({ "status": "Reserved", "from_date": "2027-03-10", "to_date": "2027-03-10" }),
        output: list_output("bookings"),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
