//! The `submit_maintenance_request` tool: "Room 302's toilet is broken."

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{
        any_of, booking_of_guest, email, flag, needed, one_of, optional, or, priority, room, text,
    },
};
use crate::{
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    room_number::RoomNumber,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    vocabulary::{CasePriority, CaseType},
};

tool_input! {
    /// Input of `submit_maintenance_request`.
    SubmitMaintenanceRequest {
        room_number: Option<RoomNumber> =
            optional(room("Which room, such as 302; or give guest_email."));
        guest_email: Option<EmailAddress> = optional(
            email("The guest who reports it; the room defaults to the one they are staying in."),
        );
        booking_number: Option<BookingNumber> = booking_of_guest();
        kind as "type": CaseType = or(
            CaseType::Maintenance.as_str(),
            optional(one_of(&[CaseType::Maintenance, CaseType::Facilities], "Of a room, or of the building.")),
        );
        priority: CasePriority = priority();
        description: String = needed(text(2000, "What is wrong."));
        take_out_of_service: bool =
            or(false, optional(flag("True to take the room out of service as well.")));
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "submit_maintenance_request",
        title: "Report a maintenance issue",
        description: "Reports a maintenance issue in a room or the building, as seen by staff. Give room_number, or the guest_email of \
            who reports it, or their booking_number. Use it for \"Room 302's toilet is broken\". With \
            take_out_of_service, the room cannot be sold until it is returned to service; a guest who is in it must be moved first.",
        personas: &[Persona::Staff],
        roles: ALL_ROLES,
        input: SubmitMaintenanceRequest::fields(),
        check: SubmitMaintenanceRequest::check,
        rules: vec![any_of(&["room_number", "guest_email", "booking_number"])],
        example: json!({ "room_number": "302", "description": "The toilet is broken.", "priority": CasePriority::High }),
        output: json!({
            "type": "object",
            "properties": {
                "case_number": { "type": "string" }, "case_status": { "type": "string" }, "priority": { "type": "string" },
                "type": { "type": "string" }, "subject": { "type": "string" }, "room_number": { "type": "string" }, "room_status": { "type": "string" }
            }
        }),
        errors: &[
            ErrorCode::RoomNotFound,
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::MultipleBookings,
            ErrorCode::RoomOccupied,
            ErrorCode::InvalidTransition,
        ],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
