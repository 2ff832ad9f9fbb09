//! The guest's case search: "Where are my towels?"

use serde_json::json;

use super::fields::{case_type, limit, list_output, one_of, optional, optional_guest_email, or};
use crate::{
    caller::Persona,
    email_address::EmailAddress,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::OwnCase,
    vocabulary::{CaseFilter, CaseType},
};

tool_input! {
    /// Input of `search_cases_on_behalf_of_guest`.
    SearchCasesOnBehalfOfGuest {
        guest_email: Option<EmailAddress> = optional_guest_email();
        status_filter: CaseFilter =
            or("Open", optional(one_of(&[CaseFilter::Open, CaseFilter::Closed, CaseFilter::All], "Only with this status.")));
        case_type_filter: Option<CaseType> = optional(case_type());
        limit: u32 = limit(10);
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_cases_on_behalf_of_guest",
        title: "My requests",
        description: "Lists the guest's requests and their status, newest first. Use it for \"What became of my towels?\".",
        personas: &[Persona::Guest],
        roles: &[],
        input: SearchCasesOnBehalfOfGuest::fields(),
        check: SearchCasesOnBehalfOfGuest::check,
        rules: vec![],
        example: json!({ "status_filter": CaseFilter::All }),
        output: list_output::<OwnCase>(),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
