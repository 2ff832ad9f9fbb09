//! Selection of the one stay a caller means; shared by all tools that act on a stay.

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    ports::{Crm, StayQuery, StaySelection},
    room_number::RoomNumber,
    stay::Stay,
    tool_answer::ToolError,
    upstream_request::UpstreamError,
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

/// Query for a guest's in-house stay.
pub(crate) const fn query(
    guest_email: EmailAddress,
    booking_number: Option<BookingNumber>,
    room_number: Option<RoomNumber>,
) -> StayQuery {
    StayQuery {
        guest_email,
        booking_number,
        room_number,
        wanted: StaySelection::InHouse,
    }
}

/// Error for several stays, each with its booking number and room number.
pub(crate) fn several<'a>(
    stays: impl Iterator<Item = (&'a BookingNumber, &'a RoomNumber)>,
) -> ToolError {
    let one = |(booking, room)| json!({ "booking_number": booking, "room_number": room });
    let bookings: Vec<_> = stays.map(one).collect();
    ToolError::with(ErrorCode::MultipleBookings, json!({ "bookings": bookings }))
}

/// Exactly one of the stays read.
///
/// # Errors
/// No stay, or several, as an error for the caller.
pub(crate) async fn single_stay(
    crm: &dyn Crm,
    query: &StayQuery,
    mut stays: Vec<Stay>,
) -> Result<Stay, NoStay> {
    if stays.len() > 1 {
        let all = stays.iter().map(|s| (&s.booking.number, &s.room.number));
        return Err(NoStay::Presentation(several(all)));
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
