//! The `create_booking` tool: "Book me a room for tomorrow, two nights."

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{
        agreed_price, day, flag, needed, number_of_guests, of_contact, one_field_of, optional,
        optional_guest_email, or, phone, repeat_of, room, room_type, same_guest_as,
        special_requests, staff_only, text,
    },
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    money::Cents,
    one_line::OneLine,
    output_schema::{OutputSchema, without},
    room_number::RoomNumber,
    tool::{Reversibility, Tool, known_or_named_guest},
    tool_input::{ToolInput, tool_input},
    tool_output::BookingResult,
};

tool_input! {
    CreateBooking = "create_booking" => BookingResult {
        guest_email: Option<EmailAddress> = optional_guest_email();
        same_guest_as: Option<BookingNumber> = same_guest_as();
        guest_first_name: Option<OneLine> = of_contact(text(40, "The guest's first name."));
        guest_last_name: Option<OneLine> = of_contact(text(80, "The guest's last name."));
        guest_phone: Option<String> = optional(phone());
        room_number: Option<RoomNumber> = optional(room("Which room, such as 302; or give room_type."));
        room_type: Option<String> = room_type();
        check_in_date: Date = needed(day("The day of arrival, such as 2026-03-10."));
        check_out_date: Date =
            needed(day("The day of departure; the night before it is the last one."));
        number_of_guests: i64 = or(1, number_of_guests("How many people."));
        special_requests: Option<String> = special_requests("");
        amount: Option<Cents> = agreed_price();
        repeat_of: Option<String> = repeat_of();
        check_in: Option<bool> = staff_only(flag("True for a walk-in: also check in, now."));
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Book a room",
        description: "Books a room: give room_number, or room_type for any free one. Use it for \"Book me a \
            room for tomorrow, two nights\". A new email makes a contact; an existing one stays as it is. \
            The price is nights times rate; nothing is charged now.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        rules: vec![
            one_field_of(&["room_number", "room_type"]),
            known_or_named_guest(),
        ],
        output: {
            let mut schema = without(
                BookingResult::schema(),
                None,
                &["special_requests", "changed"],
            );
            schema["properties"]["amount"]["description"] = "In cents, for the whole stay.".into();
            schema
        },
        errors: &[
            ErrorCode::BookingNotFound,
            ErrorCode::RoomNotFound,
            ErrorCode::RoomAlreadyBooked,
            ErrorCode::RoomOutOfService,
            ErrorCode::TooManyGuests,
            ErrorCode::BookingLimit,
            ErrorCode::DatesInvalid,
            ErrorCode::DuplicateGuest,
            ErrorCode::PriceChanged,
            ErrorCode::EmailOfAnotherGuest,
            ErrorCode::PhoneOfAnotherGuest,
            ErrorCode::PossibleDuplicate,
            ErrorCode::RoomNotVacant,
        ],
        approvals: vec![
            Approval::of(
                &["check_in=true", "room_number"],
                "Book room {room_number}[ for {guest_first_name} {guest_last_name}] until {check_out_date}, and check in now?",
                "Book and check in",
            ),
            Approval::of(
                &["check_in=true"],
                "Book a room of type {room_type}[ for {guest_first_name} {guest_last_name}] until {check_out_date}, and check in now?",
                "Book and check in",
            ),
            Approval::of(
                &["room_number"],
                "Book room {room_number}[ for {guest_first_name} {guest_last_name}], {check_in_date} to {check_out_date}?",
                "Book it",
            ),
            Approval::of(
                &[],
                "Book a room of type {room_type}[ for {guest_first_name} {guest_last_name}], {check_in_date} to {check_out_date}?",
                "Book it",
            ),
        ],
        ..CreateBooking::write_entry(
            Reversibility::Reversible,
            json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "Lovelace", "room_type": "Deluxe", "check_in_date": "2027-03-10", "check_out_date": "2027-03-12", "number_of_guests": 2 }),
        )
    }
}
