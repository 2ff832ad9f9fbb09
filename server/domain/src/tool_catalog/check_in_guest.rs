//! The `check_in_guest` tool: "Check in Beth Gibbs."

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_number, day, flag, guest_of_booking, optional, room_number, staff_only},
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    caller::Persona,
    card_id::CardId,
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
        check_in_date: Option<Date> = Field { source: Source::Calendar, ..optional(day("The day of arrival; default today.")) };
        booking_number: Option<BookingNumber> = booking_number();
        room_number: Option<RoomNumber> = optional(room_number().schema);
        payment_method_id: Option<CardId> = Field {
            source: Source::Card,
            ..optional(json!({ "type": "string", "pattern": CardId::PATTERN }))
        };
        save_card: Option<bool> = Field {
            source: Source::Consent,
            only: Some(Persona::Guest),
            ..optional(flag("True to keep a newly entered card, as its owner has agreed."))
        };
        without_hold: Option<bool> = staff_only(flag("True to place no hold, such as after PAYMENT_FAILED."));
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Check in",
        description: "Checks a guest with a reservation into their room. \
            Use it for \"Check in Beth Gibbs\" or \"I have arrived\". Open from the day of arrival until that of departure; \
            the room must be Vacant. Several reservations are listed (MULTIPLE_RESERVATIONS). \
            If the guest is in already, it returns the current state.",
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
            ErrorCode::PaymentFailed,
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
