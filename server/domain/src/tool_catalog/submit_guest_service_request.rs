//! The `submit_guest_service_request` tool: "Could I have two more towels?"

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_of_guest, guest_of_booking, needed, one_of, optional, priority, room, text},
};
use crate::{
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    room_number::RoomNumber,
    tool::{Reversibility, Tool, guest_booking_or_room},
    tool_input::{ToolInput, tool_input},
    vocabulary::{CasePriority, CaseType},
};

tool_input! {
    /// Input of `submit_guest_service_request`.
    SubmitGuestServiceRequest {
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
pub fn tool() -> Tool {
    Tool {
        name: "submit_guest_service_request",
        title: "Ask for service",
        description: "Files a guest's request for their room: housekeeping, room service, maintenance or the concierge. Use it for \
            \"Could I have more towels?\" or, when a guest says it, \"My toilet is broken\" (Maintenance). The room may be left out \
            if the guest is checked in.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        input: SubmitGuestServiceRequest::fields(),
        check: SubmitGuestServiceRequest::check,
        rules: vec![guest_booking_or_room()],
        example: json!({ "guest_email": "beth.gibbs@email.com", "type": CaseType::Housekeeping, "description": "Two more towels, please." }),
        output: json!({
            "type": "object",
            "properties": {
                "case_number": { "type": "string" }, "case_status": { "type": "string" }, "priority": { "type": "string" },
                "type": { "type": "string" }, "subject": { "type": "string" }, "room_number": { "type": "string" }
            }
        }),
        errors: &[
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::RoomNotFound,
            ErrorCode::MultipleBookings,
        ],
        reversibility: Reversibility::Reversible,
        moves_money: false,
        writes: true,
    }
}
