//! The `manage_bookings` tool: "Move the booking to room 402."

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{
        agreed_price, any_of, booking_number, day, email, flag, guest_action, needed,
        number_of_guests, optional, room, shown, special_requests, staff_action, staff_only,
    },
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    money::Cents,
    output_schema::{OutputSchema, without},
    room_number::RoomNumber,
    shown_values::ShownValues,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::BookingResult,
    vocabulary::BookingAction,
};

/// Special requests that remove those of the booking.
pub const NO_REQUESTS: &str = "-";

/// Fields only the update action takes.
const CHANGES: [&str; 6] = [
    "room_number",
    "check_in_date",
    "check_out_date",
    "number_of_guests",
    "special_requests",
    "new_guest_email",
];

tool_input! {
    ManageBookings = "manage_bookings" => BookingResult {
        booking_number: BookingNumber = needed(booking_number().schema);
        action: BookingAction = guest_action(), staff_action();
        room_number: Option<RoomNumber> = optional(room("The new room, such as 402."));
        keep_rate: Option<bool> = staff_only(flag(
            "With room_number: true keeps the booked rate, as after a complaint. Left out, the new room's rate applies, in house \
             from tonight on.",
        ));
        check_in_date: Option<Date> = optional(day("The new day of arrival."));
        check_out_date: Option<Date> = optional(day("The new day of departure."));
        number_of_guests: Option<i64> = number_of_guests("The new number of people.");
        special_requests: Option<String> = special_requests("; - removes it");
        new_guest_email: Option<EmailAddress> = staff_only(
            email("Email of the guest to transfer the booking to; they must already be a contact."),
        );
        amount: Option<Cents> = agreed_price();
        shown: Option<ShownValues> = shown();
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Change or cancel a booking",
        description: "Changes only the given fields of a booking; its status stays. Use it for \"Move the booking \
            to room 402\" (room_number), \"one more night\" (check_out_date) or, with action cancel, \"Cancel my booking\". The \
            amount is recalculated; nights already slept keep their price. Only staff can move a checked-in guest to another room; an ended \
            booking can't change.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        rules: vec![json!({
            "if": { "required": ["action"], "properties": { "action": { "enum": [BookingAction::Cancel, BookingAction::NoShow] } } },
            "then": { "not": any_of(&CHANGES) },
            "else": any_of(&CHANGES),
        })],
        output: without(
            BookingResult::schema(),
            None,
            &["room_type", "contact_created"],
        ),
        errors: &[
            ErrorCode::BookingNotFound,
            ErrorCode::RoomNotFound,
            ErrorCode::RoomAlreadyBooked,
            ErrorCode::RoomOutOfService,
            ErrorCode::RoomNotVacant,
            ErrorCode::GuestNotFound,
            ErrorCode::InvalidTransition,
            ErrorCode::TooManyGuests,
            ErrorCode::BookingLimit,
            ErrorCode::DatesInvalid,
            ErrorCode::PriceChanged,
        ],
        approvals: vec![
            Approval::of(
                &["action=cancel"],
                "Cancel booking {booking_number}?",
                "Cancel the booking",
            )
            .loses(),
            Approval::of(
                &["action=no_show"],
                "Mark booking {booking_number} as a no-show?",
                "Mark as no-show",
            )
            .loses(),
            Approval::of(
                &[],
                "Change booking {booking_number}?",
                "Change the booking",
            ),
        ],
        finality: "said-fact-ends",
        ..ManageBookings::write_entry(
            Reversibility::Reversible,
            json!({ "booking_number": "BK-0042", "room_number": "402" }),
        )
    }
}
