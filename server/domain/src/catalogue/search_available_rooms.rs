//! Is there a room?

use super::{
    DESK,
    fields::{day, limit, list_output, needed, number_of_guests, room_type},
};
use crate::{
    caller::Persona,
    error_code::ErrorCode,
    tool::{Reversibility, Tool},
};

/// The entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_available_rooms",
        title: "Search available rooms",
        description: "Lists rooms that are free for every night from check_in_date up to check_out_date, with their nightly rate \
            and the price of the whole stay in cents. Use it before create_booking and before moving a booking. No tax is computed.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: DESK,
        input: vec![
            needed(
                "check_in_date",
                day("The day of arrival as an ISO date in the hotel's time zone, such as 2026-03-10."),
            ),
            needed("check_out_date", day("The day of departure; the night before it is the last one.")),
            number_of_guests("Only rooms with place for so many; 1 if left out."),
            room_type(),
            limit(10),
        ],
        output: list_output("rooms"),
        errors: &[ErrorCode::DatesInvalid],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
