//! The `undo_check_in` tool: "I checked in the wrong guest."

use jiff::SignedDuration;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_number, needed},
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::UndoCheckInResult,
};

/// How long a check-in can be undone: a mistake is noticed at the desk. Later, the guest has used
/// the room.
pub const UNDO_CHECK_IN_WINDOW: SignedDuration = SignedDuration::from_hours(2);

tool_input! {
    UndoCheckIn = "undo_check_in" => UndoCheckInResult {
        booking_number: BookingNumber = needed(booking_number().schema);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Undo a check-in",
        description: "Takes back a check-in that was a mistake: the booking becomes Reserved and the room Vacant again. Use it for \
            \"I checked in the wrong guest\". It is possible for two hours, and only while nobody has changed the stay, the \
            room or the folio since. If the booking is Reserved already, nothing is changed.",
        roles: FRONT_DESK_ROLES,
        errors: &[ErrorCode::BookingNotFound, ErrorCode::InvalidTransition],
        approvals: vec![Approval::of(
            &[],
            "Undo the check-in of booking {booking_number}?",
            "Undo the check-in",
        )],
        ..UndoCheckIn::write_entry(
            Reversibility::Reversible,
            json!({ "booking_number": "BK-0042" }),
        )
    }
}
