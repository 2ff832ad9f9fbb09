//! The guest request saga: files a guest's request as a case about their room.

use dewy_domain::{
    case::OpenCaseRequest,
    error_code::ErrorCode,
    guest::Guest,
    tool_answer::ToolError,
    tool_catalog::SubmitGuestServiceRequest,
    tool_input::ToolInput,
    tool_output::CaseResult,
    vocabulary::{BookingStatus, CaseOrigin, CaseType},
};
use dewy_saga::{Context, PrerequisitesResult, Saga};
use futures::FutureExt;
use serde_json::json;

use crate::{
    saga_parts::{
        engine_conversions::{self, calling_guest},
        find_stay::{guest_or_booking, several},
        hotel_dependencies::HotelDependencies,
        open_case::{self, OPEN, subject},
        presentation,
        started_by::StartedBy,
        tool_answer::{self, prerequisites_unavailable, refused},
    },
    sagas::set_room_status::room,
};

/// The guest request saga.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let declared = Saga::new(SubmitGuestServiceRequest::NAME, 1, "Ask for service")
        .prepare(parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed()));
    open_case::step(declared, parts, |cx| cx.facts()).answer(tool_answer::of_result(|cx| {
        Some((CaseResult::from(&cx.output(OPEN)?), true))
    }))
}

/// Presentation of the guest request saga.
pub(crate) static PRESENTATION: presentation::Labels<CaseResult> = presentation::Labels {
    done: |case| {
        // In quotes: it may end in a mark of its own
        format!("{} was asked for: “{}”", case.kind, case.subject)
    },
    doing: "Passing the request on.",
    not_done: "The request was not passed on.",
};

/// The room concerned, and its booking.
async fn place(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &SubmitGuestServiceRequest,
    person: &Guest,
) -> Result<RequestLocation, PrerequisitesResult> {
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
                Err(refused(several(all)))
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
    let none = || {
        refused(ToolError::with(
            ErrorCode::RoomNotFound,
            json!({ "room_number": number }),
        ))
    };
    // Guests may only name their own room.
    if calling_guest(cx).is_some() {
        return Err(none());
    }
    match room(parts.crm.as_ref(), number).await.answered() {
        Ok(Some(facts)) => Ok(RequestLocation::of(
            &facts.room.id,
            None,
            &facts.room.number,
        )),
        Ok(None) => Err(none()),
        Err(error) => Err(prerequisites_unavailable(error)),
    }
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
        let mut labels = vec![("room_number".to_owned(), room_number.to_owned())];
        labels.extend(booking.map(|(_, number)| ("booking_number".to_owned(), number.to_owned())));
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
) -> PrerequisitesResult {
    let guest = StartedBy::of(&cx).guest_meant(input.guest_email.clone());
    let named = (guest, input.booking_number.as_ref());
    let mut person =
        match guest_or_booking(parts.crm.as_ref(), named, input.room_number.as_ref()).await {
            Ok(person) => person,
            Err(read) => return read,
        };
    if let Some(number) = &input.booking_number {
        person
            .stays
            .retain(|stay| stay.booking_number.eq_ignore_ascii_case(number));
    }
    let place = match place(parts, &cx, &input, &person).await {
        Ok(place) => place,
        Err(read) => return read,
    };
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
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&order),
        claims: Vec::new(),
        labels: place.labels,
    }
}
