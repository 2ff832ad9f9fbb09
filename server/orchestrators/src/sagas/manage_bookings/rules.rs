//! Prerequisites: finds the booking and checks whether the caller may make the change.

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    guest::{Guest, GuestQuery},
    guest_identity::GuestIdentity,
    inventory::{RoomFacts, RoomQuery},
    money::Cents,
    ports::Crm,
    reservation::{
        BookingField, BookingFill, BookingQuery, BookingTarget, Reservation, WhichBooking,
    },
    shown_values::ShownValues,
    tool_answer::{Problem, ToolError},
    tool_catalog::ManageBookings,
    upstream_request::Fault,
    vocabulary::{BookingAction, BookingStatus, FaultCode},
};
use dewy_saga::{Context, PrerequisitesResult, State, StoreError, journal::ExecutionFilter};
use serde_json::json;

use super::{
    Facts, booking_result,
    target_state::{BookingChange, changed, moves_in, target_state},
};
use crate::saga_parts::{
    engine_conversions::calling_guest,
    hotel_dependencies::HotelDependencies,
    not_ready::{NotReady, finished, label, ready},
    requested_nights::availability_query,
    rival_bookings::{night_claims, unavailable},
    room_lookup::{no_such_room, room_named},
    tool_answer::unchanged,
};

/// Maximum number of a guest's bookings to read; more than any guest has.
const OWN: u32 = 200;

/// Reads booking, wanted room and new guest concurrently, and decides.
pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: ManageBookings,
) -> Result<PrerequisitesResult, NotReady> {
    let problems = problems(&input, calling_guest(&cx).is_some());
    if !problems.is_empty() {
        return Err(ToolError::problems(&problems).into());
    }
    let crm = parts.crm.as_ref();
    let number = &input.booking_number;
    let which = WhichBooking::Number(number.clone());
    let (found, room, person) = futures::join!(
        crm.reservation(&which, None),
        room_named(crm, input.room_number.as_ref()),
        person(crm, input.new_guest_email.as_ref())
    );
    let found = match (found.answered(), &room, &person) {
        (Err(error), Ok(room), Ok(person)) if error.code == FaultCode::IncompleteRecord => {
            // What staff give fills what is empty; what else a change needs is named with its rules
            let unknown = BookingFill::unknown();
            let fill = match calling_guest(&cx) {
                Some(_) => unknown,
                None => BookingFill {
                    check_in: input.check_in_date.or(unknown.check_in),
                    check_out: input.check_out_date.or(unknown.check_out),
                    room: room.clone().or(unknown.room),
                    guest_id: person
                        .as_ref()
                        .map(|person| person.id.clone())
                        .or(unknown.guest_id),
                },
            };
            let which = WhichBooking::Incomplete(number.clone(), Box::new(fill));
            crm.reservation(&which, None).await.answered()
        }
        (found, ..) => found,
    };
    if let Err(error) = &found
        && !may_see(parts, &cx, number, error).await
    {
        return Err(no_such_booking(number));
    }
    let (found, room, person) = (found?, room?, person?);
    let there = found.map(|booked| booked.there);
    // For a guest, another guest's booking does not exist.
    let theirs = |there: &Reservation| {
        let contact = Some(there.stay.booking.guest_id.as_str());
        calling_guest(&cx).is_none_or(|guest| guest.owns(there.guest_email.as_deref(), contact))
    };
    let Some(there) = there.filter(theirs) else {
        return Err(no_such_booking(number));
    };
    if let (Some(number), None) = (&input.room_number, &room) {
        return Err(no_such_room(number).into());
    }
    if let (Some(email), None) = (&input.new_guest_email, &person) {
        let details = json!({ "email": email });
        return Err(ToolError::with(ErrorCode::GuestNotFound, details).into());
    }
    decide(parts, &cx, &input, there, room, person).await
}

fn no_such_booking(number: &BookingNumber) -> NotReady {
    let details = json!({ "booking_number": number });
    ToolError::with(ErrorCode::BookingNotFound, details).into()
}

/// Whether the caller may see what is wrong with the booking. An incomplete record reveals that it
/// exists, so guests only see it for their own bookings.
async fn may_see(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    number: &BookingNumber,
    error: &Fault,
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
) -> Result<PrerequisitesResult, NotReady> {
    let today = parts.settings.today(cx.now);
    let change = BookingChange {
        input,
        staff: calling_guest(cx).is_none(),
        today,
        currency: parts.settings.currency,
        new_room: room.as_ref(),
        new_guest: person.as_ref().map(|guest| guest.id.as_str()),
        rate_to_come: rate_to_come(parts, &there).await?,
    };
    unchanged_since(input.shown.as_ref(), &there)?;
    let wanted = target_state(&there, &change)?;
    let before = BookingTarget::of(&there);
    let booking = &there.stay.booking;
    let mut labels = vec![label("booking_number", &booking.number)];
    labels.extend((there.guest_email.as_ref()).map(|email| label("guest_email", email)));
    if wanted == before {
        let note = "No changes needed.";
        let result = booking_result(parts.settings.currency, &there, Vec::new(), note);
        return finished(result, labels);
    }
    if let Some(guest) = calling_guest(cx)
        && wanted.nights.count() > before.nights.count()
    {
        let known = parts.crm.guests(&GuestQuery::Email(guest), 1).await;
        let known = known.answered()?;
        let others = known
            .iter()
            .flat_map(|known| &known.stays)
            .filter(|stay| stay.booking_id != booking.id);
        (parts.settings.booking_limit).check(others, wanted.nights)?;
    }
    let new_room = room.filter(|room| moves_in(&there, room));
    let elsewhere =
        new_room.is_some() || before.nights != wanted.nights || before.missing != wanted.missing;
    let availability =
        elsewhere.then(|| availability_query(wanted.nights, today, Some(&booking.id)));
    let target = new_room.as_ref().unwrap_or(&there.room);
    if !target.room.number.is_empty() {
        labels.push(label("room_number", &target.room.number));
    }
    if let Some(availability) = &availability {
        let query = RoomQuery {
            number: Some(target.room.number.clone()),
            free: Some(availability.clone()),
            limit: 1,
            ..RoomQuery::default()
        };
        if parts.crm.rooms(&query).await.answered()?.is_empty() {
            let details = json!({ "room_number": target.room.number });
            return Err(unavailable([&target.room], availability, details).into());
        }
    }
    let in_house = booking.status == BookingStatus::CheckedIn;
    let repriced = new_room.as_ref().filter(|new| {
        in_house && input.keep_rate != Some(true) && new.room.id != there.stay.room.id
    });
    labels.extend(repriced.map(|new| label(RATE_TO_COME, new.rate.0)));
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
    ready(&facts, held, labels)
}

/// Rate in cents of the nights after a move during the stay: the booking system only has the price of
/// all nights.
const RATE_TO_COME: &str = "rate_to_come";

/// Changes of a booking to look through for the last rate; more than any stay has.
const MAX_CHANGES: usize = 50;

/// Rate that the last repriced move of a guest in house applied.
async fn rate_to_come(
    parts: &HotelDependencies,
    there: &Reservation,
) -> Result<Option<Cents>, StoreError> {
    let booking = &there.stay.booking;
    if booking.status != BookingStatus::CheckedIn {
        return Ok(None);
    }
    let filter = ExecutionFilter {
        states: vec![State::Completed],
        saga: Some(ManageBookings::NAME.to_owned()),
        labels: vec![label("booking_number", &booking.number)],
        limit: MAX_CHANGES,
        ..ExecutionFilter::default()
    };
    let changes = parts.journal.list(&filter).await?;
    let rate = changes.iter().find_map(|change| change.label(RATE_TO_COME));
    Ok(rate.and_then(|cents| cents.parse().ok()).map(Cents))
}

/// Whether the booking is as the form showed it.
fn unchanged_since(shown: Option<&ShownValues>, there: &Reservation) -> Result<(), ToolError> {
    let booking = &there.stay.booking;
    let known = |field, text: String| match there.missing.contains(&field) {
        true => String::new(),
        false => text,
    };
    let from = known(BookingField::CheckInDate, booking.check_in.to_string());
    let to = known(BookingField::CheckOutDate, booking.check_out.to_string());
    let guests = there.guests.map(|guests| guests.to_string());
    let now = [
        ("room_number", there.stay.room.number.as_str()),
        ("check_in_date", &from),
        ("check_out_date", &to),
        ("number_of_guests", guests.as_deref().unwrap_or_default()),
        (
            "special_requests",
            there.requests.as_deref().unwrap_or_default(),
        ),
    ];
    let details = json!({ "booking_number": booking.number, "booking_status": booking.status });
    unchanged(shown, &now, details)
}

fn problems(input: &ManageBookings, by_guest: bool) -> Vec<Problem> {
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
    let offered = changes.map(|(name, _)| name);
    // The last one is for staff
    let offered = &offered[..offered.len() - usize::from(by_guest)];
    match (&input.action, given.as_slice()) {
        (BookingAction::Update, []) => {
            vec![Problem::new(
                "action",
                format!(
                    "Nothing is to be changed. Give one of {}, or action cancel.",
                    offered.join(", ")
                ),
            )]
        }
        (BookingAction::Update, _) if input.keep_rate.is_some() && input.room_number.is_none() => {
            vec![Problem::new(
                "keep_rate",
                "is for a change of room: give room_number too.".to_owned(),
            )]
        }
        (BookingAction::Update, _) => Vec::new(),
        (action, given) => given
            .iter()
            .map(|f| Problem::new(*f, format!("Leave {f} out with action {action}.")))
            .collect(),
    }
}

async fn person(crm: &dyn Crm, email: Option<&EmailAddress>) -> Result<Option<Guest>, Fault> {
    let Some(email) = email else {
        return Ok(None);
    };
    let query = GuestQuery::Email(GuestIdentity::whoever_has(email.clone()));
    Ok(crm.guests(&query, 1).await.answered()?.into_iter().next())
}
