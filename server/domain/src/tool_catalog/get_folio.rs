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
    room_number::RoomNumber,
    tool::{Reversibility, Tool, guest_booking_or_room},
    tool_input::{ToolInput, tool_input},
};

tool_input! {
    /// Input of `get_folio`.
    GetFolio {
        guest_email: Option<EmailAddress> = guest_of_booking();
        booking_number: Option<BookingNumber> = booking_number();
        room_number: Option<RoomNumber> = room_number();
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "get_folio",
        title: "Show the folio",
        description: "Shows what a guest who is staying now owes: the room, charges, payments and refunds line by line, the \
            balance in cents, and the saved cards (last four digits). Use it for \"What do I owe?\" and before \
            process_guest_checkout, whose amount must be this balance. No tax is computed. With several stays it answers \
            MULTIPLE_BOOKINGS and lists them.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        input: GetFolio::fields(),
        check: GetFolio::check,
        rules: vec![guest_booking_or_room()],
        example: json!({ "guest_email": "beth.gibbs@email.com" }),
        output: json!({
            "type": "object",
            "properties": {
                "booking_number": { "type": "string" },
                "booking_status": { "type": "string" },
                "room_number": { "type": "string" },
                "check_in_date": { "type": "string" },
                "check_out_date": { "type": "string" },
                "balance": { "type": "integer", "description": "In cents; what check-out would charge." },
                "currency": { "type": "string" },
                "balance_text": { "type": "string" },
                "shares_bill_with": { "type": "array", "items": { "type": "string" } },
                "lines": { "type": "array", "items": { "type": "object", "properties": {
                    "kind": { "type": "string", "enum": ["room", "charge", "payment", "refund", "other"] },
                    "org_type": { "type": "string", "description": "The booking system's own word for another kind; the line counts by its amount." },
                    "number": { "type": "string" }, "amount": { "type": "integer" },
                    "status": { "type": "string" }, "date": { "type": "string" } } } },
                "saved_cards": { "type": "array", "items": { "type": "object", "properties": {
                    "payment_method_id": { "type": "string" }, "brand": { "type": "string" },
                    "last4": { "type": "string" }, "default": { "type": "boolean" } } } }
            }
        }),
        errors: &[
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::MultipleBookings,
        ],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
