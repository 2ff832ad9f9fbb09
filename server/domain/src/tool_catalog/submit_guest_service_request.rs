//! The `submit_guest_service_request` tool: "Could I have two more towels?"

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_of_guest, guest_of_booking, needed, one_of, optional, priority, room, text},
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    output_schema::{OutputSchema, without},
    room_number::RoomNumber,
    tool::{Reversibility, Tool, guest_booking_or_room},
    tool_input::{ToolInput, tool_input},
    tool_output::CaseResult,
    vocabulary::{CasePriority, CaseType},
};

tool_input! {
    SubmitGuestServiceRequest = "submit_guest_service_request" => CaseResult {
        guest_email: Option<EmailAddress> = guest_of_booking();
        booking_number: Option<BookingNumber> = booking_of_guest();
        room_number: Option<RoomNumber> = optional(room("The guest's room, such as 302."));
        kind as "type": CaseType = needed(
            one_of(&[
                CaseType::Housekeeping,
                CaseType::RoomService,
                CaseType::Maintenance,
                CaseType::Concierge,
            ], "Department that handles it."),
        );
        priority: CasePriority = priority();
        description: String = needed(text(2000, "What is wanted, in the guest's words."));
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Ask for service",
        description: "Files a guest's request for their room: housekeeping, room service, maintenance or the concierge. Use it for \
            \"Could I have more towels?\" or, when a guest says it, \"My toilet is broken\" (Maintenance). The room may be left out \
            if the guest is checked in.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        rules: vec![guest_booking_or_room()],
        output: without(CaseResult::schema(), None, &["assignee", "room_status"]),
        errors: &[
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::RoomNotFound,
            ErrorCode::MultipleBookings,
        ],
        approvals: vec![Approval::of(
            &[],
            "Send this request to {type}[ for room {room_number}]? “{description}”",
            "Send it",
        )],
        ..SubmitGuestServiceRequest::write_entry(
            Reversibility::Reversible,
            json!({ "guest_email": "beth.gibbs@email.com", "type": CaseType::Housekeeping, "description": "Two more towels, please." }),
        )
    }
}
