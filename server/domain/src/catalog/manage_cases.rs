//! The `manage_cases` tool: "The leak in 108 is fixed."

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{any_of, email, one_of, optional, pattern, room, text},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
};

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "manage_cases",
        title: "Open or update a case",
        description: "Changes a case, or opens one when no case_number is given (then type and subject are needed). Status goes New, \
            In Progress, Closed; a closed case is reopened with In Progress. Use it for \"The leak in 108 is fixed\" (search the case \
            first), to comment, and to assign.",
        personas: &[Persona::Staff],
        roles: ALL_ROLES,
        input: vec![
            optional(
                "case_number",
                pattern(
                    "^[0-9]{1,10}$",
                    "Which case, such as 00001001; left out to open one.",
                ),
            ),
            optional(
                "status",
                one_of(&["New", "In Progress", "Closed"], "Its new status."),
            ),
            optional(
                "priority",
                one_of(
                    &["Low", "Medium", "High", "Urgent"],
                    "Its new priority; Medium for a new one.",
                ),
            ),
            optional(
                "type",
                one_of(
                    &[
                        "Housekeeping",
                        "Room Service",
                        "Maintenance",
                        "Concierge",
                        "Facilities",
                    ],
                    "Its type.",
                ),
            ),
            optional("subject", text(255, "One-line summary.")),
            optional("description", text(2000, "In full.")),
            optional("room_number", room("Which room it is about.")),
            optional("guest_email", email("Which guest it is about.")),
            optional(
                "comment",
                text(
                    2000,
                    "Comment to add; existing comments are never overwritten.",
                ),
            ),
            optional(
                "assignee",
                email("Email of the staff member to assign it to."),
            ),
        ],
        rules: vec![json!({
            "if": { "required": ["case_number"] },
            "then": any_of(&[
                "status", "priority", "type", "subject", "description", "room_number", "guest_email", "comment", "assignee",
            ]),
            "else": {
                "required": ["type", "subject"], "properties": { "status": { "const": "New" } },
                "not": { "required": ["comment"] },
            },
        })],
        example: json!({ "case_number": "00001001", "status": "In Progress", "comment": "The plumber comes at two." }),
        output: json!({
            "type": "object",
            "properties": {
                "case_number": { "type": "string" }, "case_status": { "type": "string" }, "priority": { "type": "string" },
                "type": { "type": "string" }, "subject": { "type": "string" }, "room_number": { "type": "string" }, "assignee": { "type": "string" }
            }
        }),
        errors: &[
            ErrorCode::CaseNotFound,
            ErrorCode::RoomNotFound,
            ErrorCode::GuestNotFound,
            ErrorCode::InvalidTransition,
        ],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
