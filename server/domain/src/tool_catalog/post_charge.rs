//! The `post_charge` tool: "Put it on the room."

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{RECORD_NAME, any_of, booking_number, optional, or, repeat_of, room_number},
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    error_code::ErrorCode,
    money::Cents,
    one_line::OneLine,
    room_number::RoomNumber,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::ChargeResult,
};

/// Largest amount of a charge: what a card payment can take.
pub const MAX_CHARGE: Cents = Cents(99_999_999);

tool_input! {
    PostCharge = "post_charge" => ChargeResult {
        room_number: Option<RoomNumber> = room_number();
        booking_number: Option<BookingNumber> = booking_number();
        amount: Option<Cents> = optional(
            json!({ "type": "integer", "minimum": 1, "maximum": MAX_CHARGE, "description": "How much, in cents (5000 is $50.00)." }),
        );
        description: Option<OneLine> = optional(
            json!({ "type": "string", "minLength": 1, "maxLength": 200, "description": "What it is for, as the guest reads it on the bill." }),
        );
        charge_number: Option<String> = optional(
            json!({ "type": "string", "pattern": RECORD_NAME, "description": "The charge to void, such as PT-00012." }),
        );
        void: bool = or(
            false, optional(json!({ "type": "boolean", "description": "True to void charge_number." })),
        );
        repeat_of: Option<String> = repeat_of();
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Post a charge",
        description: "Puts a charge on the folio of the stay in a room (give room_number or booking_number, amount and \
            description), or voids an earlier one (give charge_number and void: true).",
        roles: FRONT_DESK_ROLES,
        rules: vec![
            any_of(&["room_number", "booking_number"]),
            json!({ "oneOf": [
                { "required": ["amount", "description"], "properties": { "void": { "const": false } },
                  "not": { "required": ["charge_number"] } },
                { "required": ["charge_number", "void"], "properties": { "void": { "const": true } },
                  "not": { "anyOf": [{ "required": ["amount"] }, { "required": ["description"] }] } },
            ] }),
        ],
        errors: &[
            ErrorCode::RoomNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::MultipleBookings,
            ErrorCode::ChargeNotFound,
            ErrorCode::InvalidTransition,
            ErrorCode::PossibleDuplicate,
        ],
        approvals: vec![
            Approval::of(
                &["void=true"],
                "Void charge {charge_number}?",
                "Void the charge",
            )
            .loses(),
            Approval::of(
                &["room_number"],
                "Post {amount} to room {room_number} for “{description}”?",
                "Post {amount}",
            ),
            Approval::of(
                &[],
                "Post {amount} to booking {booking_number} for “{description}”?",
                "Post {amount}",
            ),
        ],
        ..PostCharge::write_entry(
            Reversibility::Reversible,
            json!({ "room_number": "302", "amount": 5000, "description": "Minibar" }),
        )
    }
}
