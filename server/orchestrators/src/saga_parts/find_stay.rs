//! Selection of the one stay a caller means; shared by all tools that act on a stay.

use dewy_domain::{
    booking_number::BookingNumber,
    error_code::ErrorCode,
    guest::{Guest, GuestQuery, GuestStay},
    guest_identity::GuestIdentity,
    ports::{Crm, StayQuery, StaySelection},
    room_number::RoomNumber,
    stay::Stay,
    tool_answer::ToolError,
    upstream_request::Fault,
};
use serde_json::json;

use crate::saga_parts::not_ready::{NotReady, label};

/// Why no single stay was found.
#[derive(Debug)]
pub(crate) enum NoStay {
    Presentation(ToolError),
    /// The CRM did not answer.
    Fault(Fault),
}

impl From<NoStay> for NotReady {
    fn from(none: NoStay) -> Self {
        match none {
            NoStay::Presentation(error) => error.into(),
            NoStay::Fault(error) => error.into(),
        }
    }
}

/// Query for a guest's in-house stay, or for the stay of a booking that staff name.
pub(crate) const fn query(
    guest: Option<GuestIdentity>,
    booking_number: Option<BookingNumber>,
    room_number: Option<RoomNumber>,
) -> StayQuery {
    StayQuery {
        guest,
        booking_number,
        room_number,
        wanted: StaySelection::InHouse,
    }
}

/// This guest, or else the one of this booking, or whoever stays in this room.
///
/// # Errors
/// No such guest or booking, or no answer of the CRM.
pub(crate) async fn guest_or_booking(
    crm: &dyn Crm,
    (guest, booking): (Option<GuestIdentity>, Option<&BookingNumber>),
    room: Option<&RoomNumber>,
) -> Result<Guest, NotReady> {
    let (query, missing) = match (guest, booking, room) {
        (Some(guest), ..) => (GuestQuery::Email(guest), ErrorCode::GuestNotFound),
        (None, Some(number), _) => (
            GuestQuery::Booking(vec![number.clone()]),
            ErrorCode::BookingNotFound,
        ),
        (None, None, Some(room)) => {
            let guest = match crm.in_house(room).await.answered()?.as_slice() {
                [] => return Err(ToolError::new(ErrorCode::BookingNotFound).into()),
                [stay] => stay.booking.guest_id.clone(),
                all => {
                    let all = all
                        .iter()
                        .map(|stay| (&stay.booking.number, &stay.room.number));
                    return Err(several(all).into());
                }
            };
            (GuestQuery::Id(guest), ErrorCode::GuestNotFound)
        }
        (None, None, None) => return Err(ToolError::new(ErrorCode::GuestNotFound).into()),
    };
    let guest = crm.guests(&query, 1).await.answered()?.into_iter().next();
    guest.ok_or_else(|| ToolError::new(missing).into())
}

/// Error for several stays, each with its booking number and room number.
pub(crate) fn several<'a>(
    stays: impl Iterator<Item = (&'a BookingNumber, &'a RoomNumber)>,
) -> ToolError {
    let one = |(booking, room)| json!({ "booking_number": booking, "room_number": room });
    let bookings: Vec<_> = stays.map(one).collect();
    ToolError::with(ErrorCode::MultipleBookings, json!({ "bookings": bookings }))
}

/// The one of these stays; `None` if there is none.
///
/// # Errors
/// Several stays, as an error for the caller.
pub(crate) fn only_one(mut stays: Vec<GuestStay>) -> Result<Option<GuestStay>, ToolError> {
    if stays.len() > 1 {
        let all = stays.iter().map(|s| (&s.booking_number, &s.room_number));
        return Err(several(all));
    }
    Ok(stays.pop())
}

/// Labels of an execution about this stay. `asked` is the guest that its input names, who is a label
/// already.
pub(crate) fn labels(stay: &Stay, asked: Option<&GuestIdentity>) -> Vec<(String, String)> {
    let guest = stay.guest_email.as_ref().filter(|_| asked.is_none());
    let mut labels = vec![
        label("booking_number", &stay.booking.number),
        label("room_number", &stay.room.number),
    ];
    labels.extend(guest.map(|email| label("guest_email", email)));
    labels
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
    let known = match &query.guest {
        Some(guest) => crm
            .knows_guest(guest.email())
            .await
            .answered()
            .map_err(NoStay::Fault)?,
        None => true,
    };
    let code = if known {
        ErrorCode::BookingNotFound
    } else {
        ErrorCode::GuestNotFound
    };
    Err(NoStay::Presentation(ToolError::new(code)))
}
