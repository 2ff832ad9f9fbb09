//! The `get_folio` tool: "What do I owe?"

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_number, guest_of_booking, room_number},
};
use crate::{
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    output_schema::{OutputSchema, without},
    room_number::RoomNumber,
    tool::{Tool, guest_booking_or_room},
    tool_input::{ToolInput, tool_input},
    tool_output::Folio,
};

tool_input! {
    GetFolio = "get_folio" => Folio {
        guest_email: Option<EmailAddress> = guest_of_booking();
        booking_number: Option<BookingNumber> = booking_number();
        room_number: Option<RoomNumber> = room_number();
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Show the folio",
        description: "Shows what a guest who is staying now owes: the room, charges, payments and refunds line by line, the \
            balance in cents, and the saved cards (last four digits). Use it for \"What do I owe?\" and before \
            process_guest_checkout, whose amount must be this balance. No tax is computed. With several stays it answers \
            MULTIPLE_BOOKINGS and lists them.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        rules: vec![guest_booking_or_room()],
        output: without(Folio::schema(), Some("lines"), &["description"]),
        errors: &[
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::MultipleBookings,
        ],
        ..GetFolio::read_entry(json!({ "guest_email": "beth.gibbs@email.com" }))
    }
}
