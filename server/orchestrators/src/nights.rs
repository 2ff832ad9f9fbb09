//! Dates of a wished stay, and who stands in its way.

use dewy_domain::{
    answer::{Problem, ToolError},
    error_code::ErrorCode,
    inventory::{AvailabilityQuery, Rival},
    nights::Nights,
    reservation::Reservation,
};
use dewy_saga::Fault;
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::task::ROOM_TAKEN;

/// A day of the input; `None` when it was left out.
///
/// # Errors
/// Something that no calendar has.
pub(crate) fn day(input: &Value, name: &str) -> Result<Option<Date>, Problem> {
    let Some(text) = input[name].as_str() else {
        return Ok(None);
    };
    text.parse().map(Some).map_err(|_| Problem {
        field: name.to_owned(),
        message: format!("{name} is not a day of the calendar; write it as 2026-03-10."),
    })
}

/// The nights between two days of the input, both given.
///
/// # Errors
/// All that is wrong with them.
pub(crate) fn nights(input: &Value, today: Date) -> Result<Nights, ToolError> {
    let (from, to) = (day(input, "check_in_date"), day(input, "check_out_date"));
    let mut unreadable = Vec::new();
    let mut take = |day: Result<Option<Date>, Problem>| match day {
        Ok(day) => day,
        Err(problem) => {
            unreadable.push(problem);
            None
        }
    };
    match (take(from), take(to)) {
        (Some(from), Some(to)) => wished(Nights { from, to }, today),
        _ => Err(ToolError::problems(&unreadable)),
    }
}

/// The nights, if they can be booked.
///
/// # Errors
/// `DATES_INVALID` with all that is wrong.
pub(crate) fn wished(nights: Nights, today: Date) -> Result<Nights, ToolError> {
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

/// One claim for each night of a room: whoever wants one of them waits for nobody, and is told.
pub(crate) fn claims(room_id: &str, nights: Nights) -> impl Iterator<Item = String> {
    nights
        .each()
        .map(move |night| format!("night:{room_id}:{night}"))
}

/// Of two bookings that have one room for one night, the later one yields. What is wrong, if ours
/// is the later one.
pub(crate) fn yields(
    there: &Reservation,
    rivals: &[Rival],
    written_at: jiff::Timestamp,
) -> Option<Fault> {
    // Ours was made when it was written; a rival of the same moment is ordered by its id, as
    // everybody orders them.
    let ours = (written_at, there.stay.booking.id.as_str());
    let earlier = rivals
        .iter()
        .find(|rival| (rival.created_at, rival.id.as_str()) < ours)?;
    Some(taken(&there.room.room.number, Some(earlier)))
}

/// The room is taken.
pub(crate) fn taken(room_number: &str, by: Option<&Rival>) -> Fault {
    let details = json!({ "room_number": room_number, "noticed": by.map(|_| "after writing") });
    Fault::new(ROOM_TAKEN, "somebody else has the room by now").with(details)
}

/// Who does not count, and for how long the room is wished.
pub(crate) fn wish(nights: Nights, today: Date, but: Option<&str>) -> AvailabilityQuery {
    AvailabilityQuery {
        nights,
        today,
        but: but.map(str::to_owned),
    }
}
