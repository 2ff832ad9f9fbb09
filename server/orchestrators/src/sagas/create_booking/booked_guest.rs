//! Who a booking is for.

use dewy_domain::{
    booking_number::BookingNumber,
    error_code::ErrorCode,
    error_details::{GuestChoice, Similar},
    guest::{FULL_PHONE, Guest, GuestQuery},
    nights::Nights,
    one_line::OneLine,
    person_name::is_same_name,
    tool_answer::{Problem, ToolError},
    tool_catalog::CreateBooking,
    vocabulary::BookingStatus,
};
use dewy_saga::Context;
use serde_json::json;

use crate::saga_parts::engine_conversions::calling_guest;

/// Latest booking of the guest for the same nights: another room for them is asked about.
pub(super) fn repeated(guest: &Guest, nights: Nights) -> Option<Similar> {
    let same = guest.stays.iter().filter(|stay| {
        let live = [BookingStatus::Reserved, BookingStatus::CheckedIn];
        live.contains(&stay.booking_status)
            && (stay.check_in_date, stay.check_out_date) == (nights.from, nights.to)
    });
    let stay = same.max_by_key(|stay| stay.booking_number.to_string())?;
    Some(Similar {
        number: stay.booking_number.to_string(),
        room_number: Some(stay.room_number.clone()),
        minutes_ago: None,
    })
}

/// Of the contacts who share the email, the one with the given name.
pub(super) fn guest_named(mut sharing: Vec<Guest>, input: &CreateBooking) -> Option<Guest> {
    let at = sharing.iter().position(|guest| has_name(guest, input));
    let at = at.filter(|_| sharing.len() > 1).unwrap_or_default();
    (at < sharing.len()).then(|| sharing.swap_remove(at))
}

/// Whether the booking is for this contact, as far as the given name tells.
fn has_name(guest: &Guest, input: &CreateBooking) -> bool {
    let typed = [&input.guest_first_name, &input.guest_last_name].map(given);
    let on_file = format!("{} {}", guest.first_name, guest.last_name);
    is_same_name(&typed.join(" "), &on_file)
}

/// Staff book for the person they name: an email that is somebody else's, shared or mistyped, must
/// not make it that person's booking. Guests have proved who they are.
pub(super) fn other_name(
    cx: &Context<'_>,
    input: &CreateBooking,
    known: &Guest,
) -> Option<ToolError> {
    (calling_guest(cx).is_none() && !has_name(known, input)).then(|| {
        let name = format!("{} {}", known.first_name, known.last_name);
        let details = json!({
            "guest_email": input.guest_email, "guest_name": name.trim(),
            "guest_first_name": known.first_name, "guest_last_name": known.last_name,
        });
        ToolError::with(ErrorCode::EmailOfAnotherGuest, details)
    })
}

/// Start and lengths of a contact's record id in Salesforce.
const CONTACT: (&str, [usize; 2]) = ("003", [15, 18]);

/// The guest that staff name by another booking, or by the contact that an answer named.
pub(super) fn same_guest(named: &BookingNumber) -> GuestQuery {
    let (start, lengths) = CONTACT;
    let plain = named.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match plain && named.starts_with(start) && lengths.contains(&named.len()) {
        true => GuestQuery::Id(named.to_string()),
        false => GuestQuery::Booking(vec![named.clone()]),
    }
}

/// Digits by which contacts with the phone number are found.
fn digits(phone: &str) -> String {
    let number = phone.split(' ').next().unwrap_or_default();
    number.chars().filter(char::is_ascii_digit).collect()
}

/// Query for contacts with the phone number of a guest who is not on file, unless staff have said
/// that it is somebody new. Guests type their own number, and must not learn whose it is as well.
pub(super) fn phone_query(cx: &Context<'_>, input: &CreateBooking) -> Option<GuestQuery> {
    let phone = input.guest_phone.as_deref()?;
    let new = input.repeat_of.as_deref().map(digits) == Some(digits(phone));
    let asked = calling_guest(cx).is_none() && !new;
    asked.then(|| GuestQuery::Phone(digits(phone)))
}

/// The question whether the guest is one of those with the same phone number.
pub(super) fn other_phone(input: &CreateBooking, found: Vec<Guest>) -> Option<ToolError> {
    let phone = input.guest_phone.as_deref()?;
    let whole = digits(phone);
    // A short number may be part of a longer one
    let same = |guest: &Guest| {
        let other = digits(guest.phone.as_deref().unwrap_or_default());
        whole.len() >= FULL_PHONE || other.ends_with(&whole)
    };
    let choice = |guest: Guest| GuestChoice {
        same_guest_as: guest.id,
        name: format!("{} {}", guest.first_name, guest.last_name)
            .trim()
            .to_owned(),
        email: guest.email,
    };
    let guests: Vec<_> = found.into_iter().filter(same).map(choice).collect();
    let similar = json!({ "number": phone });
    (!guests.is_empty()).then(|| {
        let details = json!({ "guests": guests, "similar": similar });
        ToolError::with(ErrorCode::PhoneOfAnotherGuest, details)
    })
}

pub(super) fn given(name: &Option<OneLine>) -> &str {
    name.as_deref().unwrap_or_default()
}

/// What a new contact needs; the phone, where it is all that reaches the guest.
pub(super) fn unnamed(input: &CreateBooking) -> Vec<Problem> {
    let missing = [
        (
            "guest_first_name",
            given(&input.guest_first_name).is_empty(),
        ),
        ("guest_last_name", given(&input.guest_last_name).is_empty()),
        (
            "guest_phone",
            input.guest_email.is_none() && input.guest_phone.is_none(),
        ),
    ];
    missing
        .into_iter()
        .filter(|(_, missing)| *missing)
        .map(|(name, _)| {
            Problem::new(
                name,
                format!("The hotel does not know this guest yet: give {name}."),
            )
        })
        .collect()
}
