//! The `set_room_status` tool: "302 is clean."

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{needed, one_of, optional, reason, room},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    room_number::RoomNumber,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    vocabulary::RoomStatus,
};

tool_input! {
    /// Input of `set_room_status`.
    SetRoomStatus {
        room_number: RoomNumber = needed(room("Which room, such as 302."));
        status: RoomStatus = needed(
            one_of(&[
                RoomStatus::Vacant,
                RoomStatus::Cleaning,
                RoomStatus::Maintenance,
                RoomStatus::OutOfService,
            ], "Its new status."),
        );
        reason: Option<String> = optional(reason("Why, for the record."));
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "set_room_status",
        title: "Set a room's status",
        description: "Sets the status of a room that nobody is in: Cleaning to Vacant when it is clean, Vacant to Cleaning, and to or \
            from Maintenance and Out of Service. Use it for \"302 is clean\". Occupied is set and cleared only by check-in and check-out.",
        personas: &[Persona::Staff],
        roles: ALL_ROLES,
        input: SetRoomStatus::fields(),
        check: SetRoomStatus::check,
        rules: vec![],
        example: json!({ "room_number": "302", "status": RoomStatus::Vacant }),
        output: json!({
            "type": "object",
            "properties": {
                "room_number": { "type": "string" }, "room_status": { "type": "string" }, "previous_status": { "type": "string" },
                "note": { "type": "string" }, "reason": { "type": "string" }
            }
        }),
        errors: &[
            ErrorCode::RoomNotFound,
            ErrorCode::RoomOccupied,
            ErrorCode::InvalidTransition,
        ],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
