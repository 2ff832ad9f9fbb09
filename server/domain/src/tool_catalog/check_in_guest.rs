//! The `check_in_guest` tool: "Check in Beth Gibbs."

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_number, day, guest_of_booking, optional, room_number},
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    room_number::RoomNumber,
    tool::{Field, Reversibility, Source, Tool, guest_booking_or_room},
    tool_input::{ToolInput, tool_input},
    tool_output::CheckInResult,
};

tool_input! {
    CheckInGuest = "check_in_guest" => CheckInResult {
        guest_email: Option<EmailAddress> = guest_of_booking();
        check_in_date: Option<Date> = Field { source: Source::Calendar, ..optional(day("The day of arrival; today if left out.")) };
        booking_number: Option<BookingNumber> = booking_number();
        room_number: Option<RoomNumber> = optional(room_number().schema);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Check in",
        description: "Checks a guest with a reservation into their room: the booking becomes Checked In, the room Occupied. \
            Use it for \"Check in Beth Gibbs\" or \"I have arrived\". It is open from the day of arrival until the day of \
            departure, and the room must be Vacant. With several reservations it answers MULTIPLE_RESERVATIONS and lists them. \
            If the guest is already checked in, it returns the current state.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        rules: vec![guest_booking_or_room()],
        errors: &[
            ErrorCode::GuestNotFound,
            ErrorCode::ReservationNotFound,
            ErrorCode::MultipleReservations,
            ErrorCode::MultipleGuests,
            ErrorCode::RoomNotVacant,
            ErrorCode::OutsideCheckInWindow,
            ErrorCode::InvalidTransition,
        ],
        approvals: vec![
            Approval::of(&["guest"], "Check in to your room now?", "Check in"),
            Approval::of(
                &["guest_email"],
                "Check in {guest_email}[ for room {room_number}]?",
                "Check in",
            ),
            Approval::of(
                &["booking_number"],
                "Check in {booking_number}[ for room {room_number}]?",
                "Check in",
            ),
            Approval::of(
                &[],
                "Check in this guest[ for room {room_number}]?",
                "Check in",
            ),
        ],
        ..CheckInGuest::write_entry(
            Reversibility::Irreversible,
            json!({ "guest_email": "beth.gibbs@email.com", "booking_number": "BK-0042" }),
        )
    }
}
