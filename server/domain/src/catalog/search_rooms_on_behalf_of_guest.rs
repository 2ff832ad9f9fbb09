//! The guest's room search: "Which room do I have?"

use serde_json::json;

use super::fields::{limit, list_output, one_of, optional, optional_guest_email, or};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
};

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
        input: vec![
            optional_guest_email(),
            or(
                "current",
                optional(
                    "filter",
                    one_of(
                        &["current", "upcoming", "historical", "all"],
                        "Which stays.",
                    ),
                ),
            ),
            limit(10),
        ],
        rules: vec![],
        example: json!({ "filter": "upcoming" }),
        output: list_output("stays"),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
