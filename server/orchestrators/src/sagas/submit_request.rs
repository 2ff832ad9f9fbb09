//! The guest request saga: files a guest's request as a case about their room.

use dewy_domain::{
    case::OpenCaseRequest,
    error_code::ErrorCode,
    guest::Guest,
    said,
    tool_answer::ToolError,
    tool_catalog::SubmitGuestServiceRequest,
    tool_output::CaseResult,
    vocabulary::{BookingStatus, CaseOrigin, CaseType},
};
use dewy_saga::{Context, PrerequisitesResult, Saga};
use futures::FutureExt;
use serde_json::json;

use crate::saga_parts::{
    engine_conversions::calling_guest,
    find_stay::{guest_or_booking, several},
    hotel_dependencies::HotelDependencies,
    not_ready::{NotReady, label, ready},
    open_case::{self, subject},
    presentation,
    room_lookup::{no_such_room, room},
    started_by::StartedBy,
};

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let read = parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed());
    open_case::saga(
        SubmitGuestServiceRequest::NAME,
        "Ask for service",
        parts,
        read,
    )
}

pub(crate) static PRESENTATION: presentation::Labels<CaseResult> = presentation::Labels {
    done: |case| {
        // In quotes: it may end in a mark of its own
        said!("request-asked", kind = case.kind, what = case.subject)
    },
    doing: || said!("request-passing"),
    not_done: || said!("request-not-passed"),
};

/// The room concerned, and its booking.
async fn place(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &SubmitGuestServiceRequest,
    person: &Guest,
) -> Result<RequestLocation, NotReady> {
    let in_house: Vec<_> = person
        .stays
        .iter()
        .filter(|stay| stay.booking_status == BookingStatus::CheckedIn)
        .collect();
    let Some(number) = &input.room_number else {
        return match in_house.as_slice() {
            [] => Ok(RequestLocation::default()),
            [stay] => Ok(RequestLocation::of(
                &stay.room_id,
                Some((&stay.booking_id, &stay.booking_number)),
                &stay.room_number,
            )),
            // The front desk needs no room to act, and nobody is asked which one is on fire
            all if input.kind == CaseType::Concierge => {
                let rooms = all.iter().map(|stay| stay.room_number.as_str());
                let rooms: Vec<_> = rooms.collect();
                Ok(RequestLocation {
                    rooms: Some(format!("Rooms: {}", rooms.join(", "))),
                    ..RequestLocation::default()
                })
            }
            all => {
                let all = all.iter().map(|s| (&s.booking_number, &s.room_number));
                Err(several(all).into())
            }
        };
    };
    let mut there = in_house
        .iter()
        .filter(|stay| stay.room_number.eq_ignore_ascii_case(number));
    if let Some(stay) = there.next() {
        // Of two bookings in the room, the case names neither
        let booking = (&*stay.booking_id, &*stay.booking_number);
        let booking = there.next().is_none().then_some(booking);
        return Ok(RequestLocation::of(
            &stay.room_id,
            booking,
            &stay.room_number,
        ));
    }
    // Guests may only name their own room.
    let room = match calling_guest(cx) {
        Some(_) => None,
        None => room(parts.crm.as_ref(), number).await?,
    };
    let room = room.ok_or_else(|| no_such_room(number))?.room;
    Ok(RequestLocation::of(&room.id, None, &room.number))
}

/// Room and booking of a request.
#[derive(Default)]
struct RequestLocation {
    room_id: Option<String>,
    booking_id: Option<String>,
    /// Rooms of a guest who has several, as the case's description ends with them.
    rooms: Option<String>,
    labels: Vec<(String, String)>,
}

impl RequestLocation {
    fn of(room_id: &str, booking: Option<(&str, &str)>, room_number: &str) -> Self {
        let mut labels = vec![label("room_number", room_number)];
        labels.extend(booking.map(|(_, number)| label("booking_number", number)));
        Self {
            room_id: Some(room_id.to_owned()),
            booking_id: booking.map(|(id, _)| id.to_owned()),
            rooms: None,
            labels,
        }
    }
}

async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: SubmitGuestServiceRequest,
) -> Result<PrerequisitesResult, NotReady> {
    let guest = StartedBy::of(&cx).guest_meant(input.guest_email.clone());
    let named = (guest, input.booking_number.as_ref());
    let room = input.room_number.as_ref();
    let mut person = guest_or_booking(parts.crm.as_ref(), named, room).await?;
    if let Some(number) = &input.booking_number {
        person
            .stays
            .retain(|stay| stay.booking_number.eq_ignore_ascii_case(number));
    }
    // A page that was opened during a stay: nobody brings towels to a guest who has left
    let over = calling_guest(&cx).is_some() && person.stays.is_empty();
    if over && input.kind.ends_with_the_stay() {
        let why = "You have no stay with us now. The front desk is happy to help.";
        return Err(ToolError::with(ErrorCode::InvalidTransition, json!({ "why": why })).into());
    }
    let place = place(parts, &cx, &input, &person).await?;
    let order = OpenCaseRequest {
        execution_id: cx.id.to_string(),
        subject: subject(&input.description),
        description: match place.rooms {
            Some(rooms) => format!("{}\n{rooms}", input.description),
            None => input.description,
        },
        kind: input.kind,
        priority: input.priority,
        origin: if calling_guest(&cx).is_some() {
            CaseOrigin::Web
        } else {
            CaseOrigin::Internal
        },
        contact_id: Some(person.id),
        booking_id: place.booking_id,
        room_id: place.room_id,
    };
    ready(&order, Vec::new(), place.labels)
}
