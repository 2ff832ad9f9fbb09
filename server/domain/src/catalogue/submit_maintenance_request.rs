//! Room 302's toilet is broken.

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{flag, needed, one_of, optional, priority, room, text},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
};

/// The entry.
pub fn tool() -> Tool {
    Tool {
        name: "submit_maintenance_request",
        title: "Report a defect",
        description: "Files a defect of a room or of the building, as staff see it. Use it for \"Room 302's toilet is broken\". With \
            take_out_of_service the room cannot be let until it is set back; somebody who is in it has to be moved first.",
        personas: &[Persona::Staff],
        roles: ALL_ROLES,
        input: vec![
            needed("room_number", room("Which room, such as 302.")),
            optional("type", one_of(&["Maintenance", "Facilities"], "Maintenance if left out.")),
            priority(),
            needed("description", text(2000, "What is wrong.")),
            optional("take_out_of_service", flag("True to take the room out of service as well.")),
        ],
        output: json!({
            "type": "object",
            "properties": {
                "case_number": { "type": "string" }, "case_status": { "type": "string" }, "priority": { "type": "string" },
                "type": { "type": "string" }, "subject": { "type": "string" }, "room_number": { "type": "string" }, "room_status": { "type": "string" }
            }
        }),
        errors: &[ErrorCode::RoomNotFound, ErrorCode::RoomOccupied, ErrorCode::InvalidTransition],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
