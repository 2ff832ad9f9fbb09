//! Validation of requested nights.

use dewy_domain::{
    error_code::ErrorCode,
    inventory::AvailabilityQuery,
    nights::Nights,
    tool_answer::{Problem, ToolError},
};
use jiff::civil::Date;
use serde_json::json;

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
    Problem::new(field, message)
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
