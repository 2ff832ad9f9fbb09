//! The guest's case search: "Where are my towels?"

use serde_json::json;

use super::fields::{case_type, limit, list_output, one_of, optional, optional_guest_email, or};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
};

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_cases_on_behalf_of_guest",
        title: "My requests",
        description: "Lists the guest's requests and their status, newest first. Use it for \"What became of my towels?\".",
        personas: &[Persona::Guest],
        roles: &[],
        input: vec![
            optional_guest_email(),
            or(
                "Open",
                optional(
                    "status_filter",
                    one_of(&["Open", "Closed", "All"], "Only with this status."),
                ),
            ),
            optional("case_type_filter", case_type()),
            limit(10),
        ],
        rules: vec![],
        example: json!({ "status_filter": "All" }),
        output: list_output("cases"),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
