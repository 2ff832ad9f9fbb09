//! Selection of the one stay a caller means; shared by all tools that act on a stay.

use dewy_domain::{
    answer::ToolError,
    call::UpstreamError,
    error_code::ErrorCode,
    ports::{Crm, StayQuery, Wanted},
    stay::Stay,
};
use serde_json::json;

/// Why no single stay was found.
#[derive(Debug)]
pub(crate) enum NoStay {
    /// An error for the caller.
    Presentation(ToolError),
    /// The CRM did not answer.
    UpstreamError(UpstreamError),
}

/// Query for a guest's stay in the house.
pub(crate) const fn query(
    guest_email: String,
    booking_number: Option<String>,
    room_number: Option<String>,
) -> StayQuery {
    StayQuery {
        guest_email,
        booking_number,
        room_number,
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
