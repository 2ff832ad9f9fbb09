//! Which room do I have?

use super::fields::{limit, list_output, one_of, optional};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
};

/// The entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_rooms_on_behalf_of_guest",
        title: "My stays",
        description: "Lists the guest's own stays with their rooms: those of now, to come, past, or all. Use it for \"Which room do I \
            have?\" and \"When do I have to leave?\".",
        personas: &[Persona::Guest],
        roles: &[],
        input: vec![
            optional(
                "filter",
                one_of(&["current", "upcoming", "historical", "all"], "Which stays; current if left out."),
            ),
            limit(10),
        ],
        output: list_output("stays"),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
