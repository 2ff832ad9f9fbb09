//! Validation of requested nights (and, in the other file: claims and conflicting bookings).

use dewy_domain::{
    error_code::ErrorCode,
    inventory::{AvailabilityQuery, ConflictingBooking},
    nights::Nights,
    reservation::Reservation,
    tool_answer::{Problem, ToolError},
};
use dewy_saga::Fault;
use jiff::civil::Date;
use serde_json::json;

use crate::tool_answer::ROOM_TAKEN;

/// The nights, if they can be booked.
///
/// # Errors
/// `DATES_INVALID` with all problems.
pub(crate) fn validated(nights: Nights, today: Date) -> Result<Nights, ToolError> {
    let problems: Vec<_> = nights.problems(today).into_iter().map(problem).collect();
    if problems.is_empty() {
        return Ok(nights);
    }
    Err(ToolError::with(
        ErrorCode::DatesInvalid,
        json!({ "problems": problems }),
    ))
}

fn problem((field, message): (&'static str, String)) -> Problem {
    Problem {
        field: field.to_owned(),
        message,
    }
}

/// One claim per night of a room: a conflicting caller does not wait but is refused.
pub(crate) fn night_claims(room_id: &str, nights: Nights) -> impl Iterator<Item = String> {
    nights
        .each()
        .map(move |night| format!("night:{room_id}:{night}"))
}

/// Of two bookings of one room for the same night, the later one yields. Returns the fault if ours
/// is the later one.
pub(crate) fn fault_if_later(
    there: &Reservation,
    rivals: &[ConflictingBooking],
    written_at: jiff::Timestamp,
) -> Option<Fault> {
    // Ours was created when it was written; simultaneous rivals are ordered by id, which is the
    // same for everyone.
    let ours = (written_at, there.stay.booking.id.as_str());
    let earlier = rivals
        .iter()
        .find(|rival| (rival.created_at, rival.id.as_str()) < ours)?;
    Some(room_taken_fault(&there.room.room.number, Some(earlier)))
}

/// Fault: the room is taken.
pub(crate) fn room_taken_fault(room_number: &str, by: Option<&ConflictingBooking>) -> Fault {
    let details = json!({ "room_number": room_number, "noticed": by.map(|_| "after writing") });
    Fault::new(ROOM_TAKEN, "somebody else has the room by now").with(details)
}

/// Availability criteria, with the booking to ignore.
pub(crate) fn availability_query(
    nights: Nights,
    today: Date,
    but: Option<&str>,
) -> AvailabilityQuery {
    AvailabilityQuery {
        nights,
        today,
        but: but.map(str::to_owned),
    }
}
