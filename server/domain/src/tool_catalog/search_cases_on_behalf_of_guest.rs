//! The guest's case search: "Where are my towels?"

use serde_json::json;

use super::fields::{case_type, limit, one_of, optional, optional_guest_email, or};
use crate::{
    caller::Persona,
    email_address::EmailAddress,
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::{ListResult, OwnCase},
    vocabulary::{CaseFilter, CaseType},
};

tool_input! {
    SearchCasesOnBehalfOfGuest = "search_cases_on_behalf_of_guest" => ListResult<OwnCase> {
        guest_email: Option<EmailAddress> = optional_guest_email();
        status_filter: CaseFilter =
            or("Open", optional(one_of(&[CaseFilter::Open, CaseFilter::Closed, CaseFilter::All], "Only with this status.")));
        case_type_filter: Option<CaseType> = optional(case_type());
        limit: u32 = limit(10);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "My requests",
        description: "Lists the guest's requests and their status, newest first. Use it for \"What became of my towels?\".",
        personas: &[Persona::Guest],
        ..SearchCasesOnBehalfOfGuest::read_entry(json!({ "status_filter": CaseFilter::All }))
    }
}
