//! What became of my towels?

use super::fields::{case_type, limit, list_output, one_of, optional};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
};

/// The entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_cases_on_behalf_of_guest",
        title: "My requests",
        description: "Lists what the guest has asked for and where it stands, newest first. Use it for \"What became of my towels?\".",
        personas: &[Persona::Guest],
        roles: &[],
        input: vec![
            optional("status_filter", one_of(&["Open", "Closed", "All"], "Open if left out.")),
            optional("case_type_filter", case_type()),
            limit(10),
        ],
        output: list_output("cases"),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
