//! The `create_contact_if_not_found` tool: "Add Ada Lovelace to the guest list."

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{email, needed, one_of, optional, or, phone, staff_only, text},
};
use crate::{
    caller::Persona,
    email_address::EmailAddress,
    one_line::OneLine,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
};

tool_input! {
    /// Input of `create_contact_if_not_found`.
    CreateContactIfNotFound {
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
pub fn tool() -> Tool {
    Tool {
        name: "create_contact_if_not_found",
        title: "Find or create a contact",
        description: "Finds the contact with an email address, or creates one. An existing contact is returned unchanged.",
        personas: &[Persona::Staff],
        roles: FRONT_DESK_ROLES,
        input: CreateContactIfNotFound::fields(),
        check: CreateContactIfNotFound::check,
        rules: vec![],
        example: json!({ "email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace" }),
        output: json!({
            "type": "object",
            "properties": {
                "email": { "type": "string" }, "first_name": { "type": "string" }, "last_name": { "type": "string" },
                "phone": { "type": "string" }, "created": { "type": "boolean" }
            }
        }),
        errors: &[crate::error_code::ErrorCode::DuplicateGuest],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
