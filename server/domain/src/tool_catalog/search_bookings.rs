//! The `search_bookings` tool: "Who arrives today?"

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{RECORD_NAME, day, limit, one_of, optional, optional_guest_email, pattern, room},
};
use crate::{
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    room_number::RoomNumber,
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::{BookingListItem, ListResult},
    vocabulary::BookingStatus,
};

tool_input! {
    SearchBookings = "search_bookings" => ListResult<BookingListItem> {
        guest_email: Option<EmailAddress> = optional_guest_email();
        status: Option<BookingStatus> = optional(
            one_of(BookingStatus::WORDS, "Only in this status."),
        );
        from_date: Option<Date> = optional(day("Only with a night on or after this day."));
        to_date: Option<Date> = optional(day("Only with a night on or before this day."));
        room_number: Option<RoomNumber> = optional(room("Only of this room."));
        booking_number: Option<BookingNumber> = optional(
            pattern(RECORD_NAME, "Only this booking, such as BK-0042."),
        );
        limit: u32 = limit(20);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Search bookings",
        description: "Lists bookings with price by arrival; all filters must match. Guests see their own. Use it for \"Who arrives \
            today?\" (status Reserved, from_date and to_date today): a booking matches a date range if it has a night in it.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        ..SearchBookings::read_entry(
            json!({ "status": BookingStatus::Reserved, "from_date": "2027-03-10", "to_date": "2027-03-10" }),
        )
    }
}
