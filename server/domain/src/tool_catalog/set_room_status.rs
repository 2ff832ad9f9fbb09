//! The `set_room_status` tool: "302 is clean."

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{needed, one_of, optional, reason, room, shown},
};
use crate::{
    approval::Approval,
    error_code::ErrorCode,
    room_number::RoomNumber,
    shown_values::ShownValues,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::RoomResult,
    vocabulary::RoomStatus,
};

tool_input! {
    SetRoomStatus = "set_room_status" => RoomResult {
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
        shown: Option<ShownValues> = shown();
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Set a room's status",
        description: "Sets the status of a room that nobody is in: Cleaning to Vacant when it is clean, Vacant to Cleaning, and to or \
            from Maintenance and Out of Service. Use it for \"302 is clean\". Occupied is set and cleared only by check-in and check-out.",
        roles: ALL_ROLES,
        errors: &[
            ErrorCode::RoomNotFound,
            ErrorCode::RoomOccupied,
            ErrorCode::InvalidTransition,
        ],
        approvals: vec![Approval::of(
            &[],
            "Set room {room_number} to {status}?",
            "Set the status",
        )],
        ..SetRoomStatus::write_entry(
            Reversibility::Reversible,
            json!({ "room_number": "302", "status": RoomStatus::Vacant }),
        )
    }
}
