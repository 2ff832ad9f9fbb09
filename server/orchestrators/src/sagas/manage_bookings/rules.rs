//! Prerequisites: finds the booking and checks whether the caller may make the change.

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    guest::{Guest, GuestQuery},
    guest_identity::GuestIdentity,
    inventory::{RoomFacts, RoomQuery},
    ports::Crm,
    reservation::{BookingFill, BookingQuery, BookingTarget, Reservation, WhichBooking},
    room_number::RoomNumber,
    tool_answer::{Problem, ToolError},
    tool_catalog::ManageBookings,
    upstream_request::UpstreamError,
    vocabulary::{BookingAction, BookingStatus, FaultCode},
};
use dewy_saga::{Context, PrerequisitesResult};
use serde_json::json;

use super::{
    Facts, booking_result,
    target_state::{BookingChange, changed, moves_in, target_state},
};
use crate::saga_parts::{
    engine_conversions::{self, calling_guest},
    hotel_dependencies::HotelDependencies,
    requested_nights::availability_query,
    rival_bookings::night_claims,
    tool_answer::{prerequisites_unavailable, refused, succeeded},
};

/// Maximum number of a guest's bookings to read; more than any guest has.
const OWN: u32 = 200;

/// Reads booking, wanted room and new guest concurrently, and decides.
pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: ManageBookings,
) -> PrerequisitesResult {
    let problems = problems(&input);
    if !problems.is_empty() {
        return refused(ToolError::problems(&problems));
    }
    let number = &input.booking_number;
    let which = WhichBooking::Number(number.clone());
    let (found, room, person) = futures::join!(
        parts.crm.reservation(&which, None),
        room(parts.crm.as_ref(), input.room_number.as_ref()),
        person(parts.crm.as_ref(), input.new_guest_email.as_ref())
    );
    let found = match (found.answered(), &room, &person) {
        (Err(error), Ok(room), Ok(person)) if error.code == FaultCode::IncompleteRecord => {
            let ends = [BookingAction::Cancel, BookingAction::NoShow].contains(&input.action);
            // A booking ends whatever it lacks. Otherwise what staff give fills what is empty, and
            // anything else that is missing is named
            let fill = if ends {
                BookingFill::unknown()
            } else {
                BookingFill {
                    check_in: input.check_in_date,
                    check_out: input.check_out_date,
                    room: room.clone().flatten(),
                    guest_id: person
                        .as_ref()
                        .and_then(|one| Some(one.as_ref()?.id.clone())),
                }
            };
            if ends || (calling_guest(&cx).is_none() && fill != BookingFill::default()) {
                let which = WhichBooking::Incomplete(number.clone(), Box::new(fill));
                parts.crm.reservation(&which, None).await.answered()
            } else {
                Err(error)
            }
        }
        (found, ..) => found,
    };
    let (found, room, person) = match (found, room, person) {
        (Ok(found), Ok(room), Ok(person)) => (found, room, person),
        (Err(error), ..) if !may_see(parts, &cx, number, &error).await => {
            return no_such_booking(number);
        }
        (Err(error), ..) | (_, Err(error), _) | (_, _, Err(error)) => {
            return prerequisites_unavailable(error);
        }
    };
    let there = found.map(|booked| booked.there);
    // For a guest, another guest's booking does not exist.
    let theirs = |there: &Reservation| {
        let contact = Some(there.stay.booking.guest_id.as_str());
        calling_guest(&cx).is_none_or(|guest| guest.owns(there.guest_email.as_deref(), contact))
    };
    let Some(there) = there.filter(theirs) else {
        return no_such_booking(number);
    };
    if matches!(&room, Some(None)) {
        let details = json!({ "room_number": input.room_number });
        return refused(ToolError::with(ErrorCode::RoomNotFound, details));
    }
    if matches!(&person, Some(None)) {
        return refused(ToolError::with(
            ErrorCode::GuestNotFound,
            json!({ "email": input.new_guest_email }),
        ));
    }
    decide(parts, &cx, &input, there, room.flatten(), person.flatten()).await
}

fn no_such_booking(number: &BookingNumber) -> PrerequisitesResult {
    let details = json!({ "booking_number": number });
    refused(ToolError::with(ErrorCode::BookingNotFound, details))
}

/// Whether the caller may see what is wrong with the booking. An incomplete record reveals that it
/// exists, so guests only see it for their own bookings.
async fn may_see(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    number: &BookingNumber,
    error: &UpstreamError,
) -> bool {
    let Some(guest) = calling_guest(cx).filter(|_| error.code == FaultCode::IncompleteRecord)
    else {
        return true;
    };
    let query = BookingQuery {
        guest: Some(guest),
        limit: OWN,
        ..BookingQuery::default()
    };
    // A failed lookup reveals nothing.
    let own = parts
        .crm
        .bookings(&query)
        .await
        .answered()
        .unwrap_or_default();
    own.iter()
        .any(|booking| booking.booking_number.eq_ignore_ascii_case(number))
}

async fn decide(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &ManageBookings,
    there: Reservation,
    room: Option<RoomFacts>,
    person: Option<Guest>,
) -> PrerequisitesResult {
    let today = parts.settings.today(cx.now);
    let ask = BookingChange {
        input,
        staff: calling_guest(cx).is_none(),
        today,
        currency: parts.settings.currency,
        new_room: room.as_ref(),
        new_guest: person.as_ref().map(|guest| guest.id.as_str()),
    };
    let wanted = match target_state(&there, &ask) {
        Ok(wanted) => wanted,
        Err(error) => return refused(error),
    };
    let before = BookingTarget::of(&there);
    let booking = &there.stay.booking;
    let mut labels = vec![("booking_number".to_owned(), booking.number.to_string())];
    labels.extend(
        there
            .guest_email
            .as_ref()
            .map(|email| ("guest_email".to_owned(), email.to_string())),
    );
    if wanted == before {
        let answer = succeeded(booking_result(
            parts.settings.currency,
            &there,
            Vec::new(),
            "No changes needed.",
        ));
        return PrerequisitesResult::Finished { answer, labels };
    }
    if let Some(guest) = calling_guest(cx)
        && wanted.nights.count() > before.nights.count()
    {
        let known = parts.crm.guests(&GuestQuery::Email(guest), 1).await;
        let known = match known.answered() {
            Ok(known) => known,
            Err(error) => return prerequisites_unavailable(error),
        };
        let others = known
            .iter()
            .flat_map(|known| &known.stays)
            .filter(|stay| stay.booking_id != booking.id);
        if let Err(error) = parts.settings.booking_limit.check(others, wanted.nights) {
            return refused(error);
        }
    }
    let new_room = room.filter(|room| moves_in(&there, room));
    let elsewhere =
        new_room.is_some() || before.nights != wanted.nights || before.missing != wanted.missing;
    let availability =
        elsewhere.then(|| availability_query(wanted.nights, today, Some(&booking.id)));
    let target = new_room.as_ref().unwrap_or(&there.room);
    if !target.room.number.is_empty() {
        labels.push(("room_number".to_owned(), target.room.number.to_string()));
    }
    if let Some(availability) = &availability {
        let query = RoomQuery {
            number: Some(target.room.number.clone()),
            free: Some(availability.clone()),
            limit: 1,
            ..RoomQuery::default()
        };
        match parts.crm.rooms(&query).await.answered() {
            Ok(free) if free.is_empty() => {
                let details = json!({ "room_number": target.room.number, "check_in_date": wanted.nights.from,
                    "check_out_date": wanted.nights.to });
                return refused(ToolError::with(ErrorCode::RoomAlreadyBooked, details));
            }
            Ok(_) => {}
            Err(error) => return prerequisites_unavailable(error),
        }
    }
    let in_house = booking.status == BookingStatus::CheckedIn;
    let mut held = vec![format!("booking:{}", booking.id)];
    if availability.is_some() {
        held.extend(night_claims(&target.room.id, wanted.nights));
    }
    if let (true, Some(new)) = (in_house, &new_room) {
        held.extend([&there.stay.room.id, &new.room.id].map(|id| format!("room:{id}")));
        held.dedup();
    }
    let changed = changed(&before, &wanted);
    let facts = Facts {
        there,
        wanted,
        new_room,
        availability,
        in_house,
        changed,
    };
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&facts),
        claims: held,
        labels,
    }
}

fn problems(input: &ManageBookings) -> Vec<Problem> {
    let changes = [
        ("room_number", input.room_number.is_some()),
        ("check_in_date", input.check_in_date.is_some()),
        ("check_out_date", input.check_out_date.is_some()),
        ("number_of_guests", input.number_of_guests.is_some()),
        ("special_requests", input.special_requests.is_some()),
        ("new_guest_email", input.new_guest_email.is_some()),
    ];
    let given: Vec<_> = changes
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
        .collect();
    let problem = |field: &str, message: String| Problem {
        field: field.to_owned(),
        message,
    };
    match (&input.action, given.as_slice()) {
        (BookingAction::Update, []) => {
            vec![problem(
                "action",
                format!(
                    "Nothing is to be changed. Give one of {}, or action cancel.",
                    changes.map(|(name, _)| name).join(", ")
                ),
            )]
        }
        (BookingAction::Update, _) if input.keep_rate.is_some() && input.room_number.is_none() => {
            vec![problem(
                "keep_rate",
                "is for a change of room: give room_number too.".to_owned(),
            )]
        }
        (BookingAction::Update, _) => Vec::new(),
        (action, given) => given
            .iter()
            .map(|f| problem(f, format!("Leave {f} out with action {action}.")))
            .collect(),
    }
}

type LookupResult<T> = Result<Option<Option<T>>, dewy_domain::upstream_request::UpstreamError>;

/// The requested room, if any; `Some(None)` when there is none with that number.
async fn room(crm: &dyn Crm, number: Option<&RoomNumber>) -> LookupResult<RoomFacts> {
    let Some(number) = number else {
        return Ok(None);
    };
    let query = RoomQuery {
        number: Some(number.clone()),
        limit: 1,
        ..RoomQuery::default()
    };
    crm.rooms(&query)
        .await
        .answered()
        .map(|rooms| Some(rooms.into_iter().next()))
}

async fn person(crm: &dyn Crm, email: Option<&EmailAddress>) -> LookupResult<Guest> {
    let Some(email) = email else {
        return Ok(None);
    };
    let query = GuestQuery::Email(GuestIdentity::whoever_has(email.clone()));
    crm.guests(&query, 1)
        .await
        .answered()
        .map(|guests| Some(guests.into_iter().next()))
}
