//! The `undo_check_in` tool: "I checked in the wrong guest."

use jiff::SignedDuration;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_number, needed},
};
use crate::{
    booking_number::BookingNumber,
    caller::Persona,
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
};

/// How long a check-in can be undone: a mistake is noticed at the desk. Later, the guest has used
/// the room.
pub const UNDO_CHECK_IN_WINDOW: SignedDuration = SignedDuration::from_hours(2);

tool_input! {
    /// Input of `undo_check_in`.
    UndoCheckIn {
        booking_number: BookingNumber = needed(booking_number().schema);
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "undo_check_in",
        title: "Undo a check-in",
        description: "Takes back a check-in that was a mistake: the booking becomes Reserved and the room Vacant again. Use it for \
            \"I checked in the wrong guest\". It is possible for two hours, and only while nobody has changed the stay, the \
            room or the folio since. If the booking is Reserved already, nothing is changed.",
        personas: &[Persona::Staff],
        roles: FRONT_DESK_ROLES,
        input: UndoCheckIn::fields(),
        check: UndoCheckIn::check,
        rules: vec![],
        example: json!({ "booking_number": "BK-0042" }),
        output: json!({
            "type": "object",
            "properties": {
                "booking_number": { "type": "string" }, "room_number": { "type": "string" },
                "booking_status": { "type": "string" }, "room_status": { "type": "string" },
                "opportunity_stage": { "type": "string" }, "note": { "type": "string" }
            }
        }),
        errors: &[ErrorCode::BookingNotFound, ErrorCode::InvalidTransition],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
