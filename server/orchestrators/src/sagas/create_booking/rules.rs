//! Prerequisites: whether the room can be booked, at what price, and for whom.

use dewy_domain::{
    email_address::EmailAddress,
    error_code::ErrorCode,
    guest::{Guest, GuestQuery},
    guest_identity::GuestIdentity,
    inventory::{AvailabilityQuery, MissingField, RoomFacts, RoomQuery},
    money::Cents,
    nights::Nights,
    reservation::{BookingGuest, NewGuest},
    tool_answer::{Problem, ToolError},
    tool_catalog::CreateBooking,
    upstream_request::Outcome,
};
use dewy_saga::{Context, ExecutionId, PrerequisitesResult};
use serde_json::json;

use super::{
    Facts,
    booked_guest::{
        given, guest_named, other_name, other_phone, phone_query, repeated, same_guest, unnamed,
    },
    walk_in::check_arrival,
};
use crate::saga_parts::{
    agreed_price::check_agreed_price,
    engine_conversions::{self, calling_guest},
    hotel_dependencies::HotelDependencies,
    requested_nights::{availability_query, validated},
    rival_bookings::{night_claims, unavailable},
    tool_answer::{need_complete, prerequisites_unavailable, refused},
};

/// End of the stand-in for the email of a new guest without one: nobody's, by RFC 2606.
const NO_EMAIL: &str = "@no-email.invalid";

/// Maximum number of rooms of a type to consider.
const ROOMS: u32 = 200;

/// Maximum number of contacts with one email to consider.
const SHARING: u32 = 20;

/// Maximum number of contacts with one phone number to choose from.
const SAME_PHONE: u32 = 5;

/// Reads rooms and contact concurrently, and decides.
pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: CreateBooking,
) -> PrerequisitesResult {
    let problems = problems(&input);
    if !problems.is_empty() {
        return refused(ToolError::problems(&problems));
    }
    let today = parts.settings.today(cx.now);
    let wanted = Nights {
        from: input.check_in_date,
        to: input.check_out_date,
    };
    let nights = match validated(wanted, today) {
        Ok(nights) => nights,
        Err(error) => return refused(error),
    };
    let people = input.number_of_guests;
    let availability = availability_query(nights, today, None);
    let query = RoomQuery {
        number: input.room_number.clone(),
        kind: input.room_type.clone(),
        limit: ROOMS,
        ..RoomQuery::default()
    };
    let free = RoomQuery {
        free: Some(availability.clone()),
        ..query.clone()
    };
    let named = || input.guest_email.clone().map(GuestIdentity::whoever_has);
    let booker = match (calling_guest(&cx).or_else(named), &input.same_guest_as) {
        (Some(guest), _) => Some(GuestQuery::Email(guest)),
        (None, Some(number)) => Some(same_guest(number)),
        (None, None) => None,
    };
    let known = async {
        match &booker {
            Some(booker) => parts.crm.guests(booker, SHARING).await,
            None => Outcome::Done(Vec::new()),
        }
    };
    let (rooms, guests) = futures::join!(parts.crm.rooms(&free), known);
    let (rooms, guests) = match (rooms.answered(), guests.answered()) {
        (Ok(rooms), Ok(guests)) => (rooms, guests),
        (Err(error), _) | (_, Err(error)) => return prerequisites_unavailable(error),
    };
    let open = guests.iter().flat_map(|known| &known.stays);
    if calling_guest(&cx).is_some()
        && let Err(error) = parts.settings.booking_limit.check(open, nights)
    {
        return refused(error);
    }
    // A room is sold by number, rate and occupancy: without them it is not for sale.
    let needed = [
        MissingField::RoomNumber,
        MissingField::NightlyRate,
        MissingField::MaxOccupancy,
    ];
    if let (true, [room]) = (query.number.is_some(), rooms.as_slice())
        && let Err(error) = need_complete(room, &needed)
    {
        return refused(error);
    }
    let complete = |room: &RoomFacts| need_complete(room, &needed);
    let (rooms, lacking): (Vec<_>, Vec<_>) =
        rooms.into_iter().partition(|room| complete(room).is_ok());
    if let (true, Some(Err(error))) = (rooms.is_empty(), lacking.first().map(complete)) {
        return refused(error);
    }
    let room = match choose(rooms, people, nights.from <= today, cx.id) {
        Ok(room) => room,
        Err(Some(error)) => return refused(error),
        // No available room matches: the error depends on whether such a room exists at all.
        Err(None) => {
            return match parts.crm.rooms(&query).await.answered() {
                Ok(all) => refused(none_free(all, &input, &availability)),
                Err(error) => prerequisites_unavailable(error),
            };
        }
    };
    if input.check_in == Some(true)
        && let Err(error) = check_arrival(&room.room, nights, parts.settings.calendar().day(cx.now))
    {
        return refused(error);
    }
    let known = guest_named(guests, &input);
    let unnamed = match (&known, &input.same_guest_as) {
        (Some(_), _) => Vec::new(),
        (None, Some(number)) => {
            let details = json!({ "booking_number": number });
            return refused(ToolError::with(ErrorCode::BookingNotFound, details));
        }
        (None, None) => unnamed(&input),
    };
    if !unnamed.is_empty() {
        return refused(ToolError::problems(&unnamed));
    }
    if known.is_none()
        && let Some(query) = phone_query(&cx, &input)
    {
        match parts.crm.guests(&query, SAME_PHONE).await.answered() {
            Ok(found) => {
                if let Some(error) = other_phone(&input, found) {
                    return refused(error);
                }
            }
            Err(error) => return prerequisites_unavailable(error),
        }
    }
    if let Some(error) = known
        .as_ref()
        .filter(|_| input.same_guest_as.is_none())
        .and_then(|known| other_name(&cx, &input, known))
    {
        return refused(error);
    }
    let again = known.as_ref().and_then(|known| repeated(known, nights));
    if let Some(again) = again.filter(|again| !again.is(input.repeat_of.as_deref())) {
        let details = json!({ "similar": again });
        return refused(ToolError::with(ErrorCode::PossibleDuplicate, details));
    }
    let amount = Cents(room.rate.0.saturating_mul(availability.nights.count()));
    if let Err(error) = check_agreed_price(input.amount, amount, None, parts.settings.currency) {
        return refused(error);
    }
    ready(cx.id, input, availability, room, known, amount)
}

fn ready(
    id: ExecutionId,
    input: CreateBooking,
    availability: AvailabilityQuery,
    room: RoomFacts,
    known: Option<Guest>,
    amount: Cents,
) -> PrerequisitesResult {
    let mut labels = vec![("room_number".to_owned(), room.room.number.to_string())];
    let mut held: Vec<String> = night_claims(&room.room.id, availability.nights).collect();
    if input.check_in == Some(true) {
        held.push(format!("room:{}", room.room.id));
    }
    let (booker, name) = match known {
        Some(guest) => {
            let name = format!("{} {}", guest.first_name, guest.last_name);
            let email = guest.email.as_ref().map(ToString::to_string);
            held.push(format!("guest:{}", email.as_ref().unwrap_or(&guest.id)));
            if input.guest_email.is_none() {
                labels.extend(email.map(|email| ("guest_email".to_owned(), email)));
            }
            // Guest data a booking does not need must not enter its journal.
            (
                BookingGuest::Known {
                    guest: Guest {
                        stays: Vec::new(),
                        ..guest
                    },
                },
                name,
            )
        }
        None => {
            let without_email = input.guest_email.is_none();
            let stand_in = || EmailAddress::from(format!("{id}{NO_EMAIL}").as_str());
            let email = input.guest_email.unwrap_or_else(stand_in);
            held.push(format!("guest:{email}"));
            let guest = NewGuest {
                email,
                without_email,
                first_name: given(&input.guest_first_name).to_owned(),
                last_name: given(&input.guest_last_name).to_owned(),
                phone: input.guest_phone,
                kind: "Guest".to_owned(),
            };
            let name = format!("{} {}", guest.first_name, guest.last_name);
            (BookingGuest::New { guest }, name)
        }
    };
    let facts = Facts {
        amount,
        name: opportunity_name(&name, &room.room.number),
        booker,
        room,
        availability,
        guests: input.number_of_guests,
    };
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&facts),
        claims: held,
        labels,
    }
}

fn problems(input: &CreateBooking) -> Vec<Problem> {
    if input.guest_email.is_some() && input.same_guest_as.is_some() {
        return vec![Problem::new(
            "same_guest_as",
            "Give guest_email or same_guest_as, not both.",
        )];
    }
    let given = [input.room_number.is_some(), input.room_type.is_some()];
    let message = match given {
        [true, true] => "Give room_number or room_type, not both.",
        [false, false] => "Give room_number, or room_type and we choose a room.",
        _ => return Vec::new(),
    };
    vec![Problem::new("room_number", message)]
}

/// Picks one of the available rooms; for tonight, one that is ready. Concurrent callers with several
/// matches pick different ones.
fn choose(
    free: Vec<RoomFacts>,
    people: i64,
    tonight: bool,
    id: ExecutionId,
) -> Result<RoomFacts, Option<ToolError>> {
    let largest = free.iter().map(|room| room.sleeps).max();
    let mut fitting: Vec<_> = free
        .into_iter()
        .filter(|room| room.sleeps >= people)
        .collect();
    let Some(largest) = largest else {
        return Err(None);
    };
    if fitting.is_empty() {
        return Err(Some(too_many(people, largest)));
    }
    if tonight {
        let soonest = fitting.iter().map(RoomFacts::readiness).min();
        fitting.retain(|room| Some(room.readiness()) == soonest);
    }
    let cheapest = fitting.iter().map(|room| room.rate).min();
    fitting.retain(|room| Some(room.rate) == cheapest);
    let at = usize::try_from(id.0.as_u128() % (fitting.len() as u128)).unwrap_or_default();
    Ok(fitting.swap_remove(at))
}

fn none_free(
    all: Vec<RoomFacts>,
    input: &CreateBooking,
    availability: &AvailabilityQuery,
) -> ToolError {
    let people = input.number_of_guests;
    let Some(largest) = all.iter().map(|room| room.sleeps).max() else {
        return ToolError::with(
            ErrorCode::RoomNotFound,
            json!({ "room_number": input.room_number }),
        );
    };
    if people > largest {
        return too_many(people, largest);
    }
    let details = json!({ "room_number": input.room_number, "room_type": input.room_type });
    unavailable(all.iter().map(|room| &room.room), availability, details)
}

fn too_many(people: i64, largest: i64) -> ToolError {
    ToolError::with(
        ErrorCode::TooManyGuests,
        json!({ "number_of_guests": people, "max_occupancy": largest }),
    )
}

/// Maximum length of an opportunity's name in Salesforce, in units of UTF-16.
const MAX_NAME_LENGTH: usize = 120;

/// `Beth Gibbs – Room 302`; long names are truncated to the field's limit.
fn opportunity_name(guest: &str, room: &str) -> String {
    let room = format!(" – Room {room}");
    let mut left = MAX_NAME_LENGTH.saturating_sub(room.encode_utf16().count());
    let fits = |letter: &char| {
        let rest = left.checked_sub(letter.len_utf16());
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    let guest: String = guest.trim().chars().take_while(fits).collect();
    format!("{}{room}", guest.trim_end())
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        stay::{Room, Stamp},
        vocabulary::RoomStatus,
    };

    use super::*;

    fn room(number: &str, status: RoomStatus, rate: i64) -> RoomFacts {
        let stamp = Stamp {
            at: jiff::Timestamp::UNIX_EPOCH,
            by: "005".into(),
        };
        RoomFacts {
            room: Room {
                id: format!("a02{number}"),
                number: number.into(),
                status,
                current_guest: None,
                stamp,
            },
            kind: "Standard".into(),
            floor: None,
            rate: Cents(rate),
            sleeps: 2,
            beds: None,
            view: None,
            accessible: false,
            square_footage: None,
            missing: Vec::new(),
        }
    }

    #[test]
    fn a_guest_who_arrives_tonight_gets_a_room_that_is_ready() {
        let rooms = || {
            vec![
                room("101", RoomStatus::Cleaning, 10_000),
                room("102", RoomStatus::Vacant, 12_000),
                room("103", RoomStatus::Occupied, 9_000),
            ]
        };
        let id = "exe_00000000000000000000000000000000".parse().unwrap();
        let number = |tonight| choose(rooms(), 2, tonight, id).unwrap().room.number;
        assert_eq!(number(true), "102");
        assert_eq!(number(false), "103");
    }

    #[test]
    fn the_longest_name_fits_an_opportunity() {
        assert_eq!(
            opportunity_name("Beth Gibbs", "302"),
            "Beth Gibbs – Room 302"
        );
        let name = format!("{} {}", "ö".repeat(40), "x".repeat(80));
        let cut = opportunity_name(&name, "302");
        assert_eq!(cut.chars().count(), MAX_NAME_LENGTH);
        assert!(cut.ends_with("x – Room 302"));
        let name = format!("{} {}", "😀".repeat(20), "😀".repeat(40));
        let cut = opportunity_name(&name, "302");
        assert!(cut.encode_utf16().count() <= MAX_NAME_LENGTH, "{cut}");
        assert!(cut.ends_with("😀 – Room 302"));
    }
}
