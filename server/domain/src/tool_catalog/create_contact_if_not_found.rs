//! The `create_contact_if_not_found` tool: "Add Ada Lovelace to the guest list."

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{email, needed, one_of, optional, or, phone, staff_only, text},
};
use crate::{
    approval::Approval,
    email_address::EmailAddress,
    one_line::OneLine,
    tool::{REGISTRATION, Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::GuestResult,
};

tool_input! {
    CreateContactIfNotFound = REGISTRATION => GuestResult {
        email: EmailAddress = needed(email("The contact's email address."));
        first_name: OneLine = needed(text(40, "First name."));
        last_name: OneLine = needed(text(80, "Last name."));
        phone: Option<String> = optional(phone());
        contact_type: String = or(
            "Guest", staff_only(one_of(&["Guest", "Manager", "Vendor"], "What they are to the hotel.")),
        );
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Find or create a contact",
        description: "Finds the contact with an email address, or creates one. An existing contact is returned unchanged.",
        roles: FRONT_DESK_ROLES,
        errors: &[crate::error_code::ErrorCode::DuplicateGuest],
        approvals: vec![Approval::of(
            &[],
            "Add {first_name} {last_name} ({email}) to our guests?",
            "Add the guest",
        )],
        ..CreateContactIfNotFound::write_entry(
            Reversibility::Reversible,
            json!({ "email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace" }),
        )
    }
}
