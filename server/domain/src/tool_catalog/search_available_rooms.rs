//! The `search_available_rooms` tool: "Do you have a room?"

use jiff::civil::Date;
use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{day, limit, needed, number_of_guests, or, room_type},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::{AvailableRoom, ListResult},
};

tool_input! {
    SearchAvailableRooms = "search_available_rooms" => ListResult<AvailableRoom> {
        check_in_date: Date = needed(day("The day of arrival, such as 2026-03-10."));
        check_out_date: Date =
            needed(day("The day of departure; the night before it is the last one."));
        number_of_guests: i64 = or(1, number_of_guests("Only rooms for at least this many."));
        room_type: Option<String> = room_type();
        limit: u32 = limit(10);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Search available rooms",
        description: "Lists rooms that are free for every night from check_in_date up to check_out_date, with their nightly rate \
            and the price of the whole stay in cents. Use it before create_booking and before moving a booking. No tax is computed.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        errors: &[ErrorCode::DatesInvalid],
        ..SearchAvailableRooms::read_entry(
            json!({ "check_in_date": "2027-03-10", "check_out_date": "2027-03-12", "number_of_guests": 2 }),
        )
    }
}
