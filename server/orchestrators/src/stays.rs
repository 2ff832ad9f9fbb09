//! Selection of the one stay a caller means; shared by all tools that act on a stay.

use dewy_domain::{
    answer::ToolError,
    call::UpstreamError,
    error_code::ErrorCode,
    ports::{Crm, StayQuery, Wanted},
    stay::Stay,
};
use serde_json::{Value, json};

/// Why no single stay was found.
#[derive(Debug)]
pub(crate) enum NoStay {
    /// An error for the caller.
    Presentation(ToolError),
    /// The CRM did not answer.
    UpstreamError(UpstreamError),
}

/// Builds the query from an input.
pub(crate) fn query(input: &Value) -> StayQuery {
    let text = |name: &str| input[name].as_str().map(str::to_owned);
    StayQuery {
        guest_email: text("guest_email").unwrap_or_default(),
        booking_number: text("booking_number"),
        room_number: text("room_number"),
        wanted: Wanted::InHouse,
    }
}

/// Exactly one of the stays read.
///
/// # Errors
/// No stay, or several, as an error for the caller.
pub(crate) async fn the_one(
    crm: &dyn Crm,
    query: &StayQuery,
    mut stays: Vec<Stay>,
) -> Result<Stay, NoStay> {
    if stays.len() > 1 {
        let bookings: Vec<_> = stays
            .iter()
            .map(|s| json!({ "booking_number": s.booking.number, "room_number": s.room.number }))
            .collect();
        return Err(NoStay::Presentation(ToolError::with(
            ErrorCode::MultipleBookings,
            json!({ "bookings": bookings }),
        )));
    }
    if let Some(stay) = stays.pop() {
        return Ok(stay);
    }
    let known = crm
        .knows_guest(&query.guest_email)
        .await
        .answered()
        .map_err(NoStay::UpstreamError)?;
    let code = if known {
        ErrorCode::BookingNotFound
    } else {
        ErrorCode::GuestNotFound
    };
    Err(NoStay::Presentation(ToolError::new(code)))
}
