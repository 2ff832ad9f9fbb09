//! The `submit_maintenance_request` tool: "Room 302's toilet is broken."

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{
        any_of, booking_of_guest, email, flag, needed, one_of, optional, or, priority, room, text,
    },
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    output_schema::{OutputSchema, without},
    room_number::RoomNumber,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::CaseResult,
    vocabulary::{CasePriority, CaseType},
};

tool_input! {
    SubmitMaintenanceRequest = "submit_maintenance_request" => CaseResult {
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
pub(super) fn tool() -> Tool {
    Tool {
        title: "Report a maintenance issue",
        description: "Reports a maintenance issue in a room or the building, as seen by staff. Give room_number, or the guest_email of \
            who reports it, or their booking_number. Use it for \"Room 302's toilet is broken\". With \
            take_out_of_service, the room cannot be sold until it is returned to service; a guest who is in it must be moved first.",
        roles: ALL_ROLES,
        rules: vec![any_of(&["room_number", "guest_email", "booking_number"])],
        output: without(CaseResult::schema(), None, &["assignee"]),
        errors: &[
            ErrorCode::RoomNotFound,
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::MultipleBookings,
            ErrorCode::RoomOccupied,
            ErrorCode::InvalidTransition,
        ],
        approvals: vec![
            Approval::of(&["take_out_of_service=true"], "Open a maintenance case[ for room {room_number}], and take the room out of service? “{description}”", "Open the case").loses(),
            Approval::of(&[], "Open a maintenance case[ for room {room_number}]? “{description}”", "Open the case"),
        ],
        ..SubmitMaintenanceRequest::write_entry(
            Reversibility::Reversible,
            json!({ "room_number": "302", "description": "The toilet is broken.", "priority": CasePriority::High }),
        )
    }
}
