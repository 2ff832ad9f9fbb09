//! The target state of a booking, from the input and the current state, and whether it is allowed.

use dewy_domain::{
    error_code::ErrorCode,
    inventory::{MissingField, RoomFacts},
    money::{Cents, Currency},
    nights::Nights,
    reservation::{BookingField, BookingTarget, Reservation},
    stay_price::{AgreedPrice, slept},
    tool_answer::ToolError,
    tool_catalog::{ManageBookings, NO_REQUESTS},
    vocabulary::{BookingAction, BookingStatus, LineStatus, OpportunityStage, RoomStatus},
};
use jiff::civil::Date;
use serde_json::json;

use crate::saga_parts::{
    agreed_price::check_agreed_price,
    tool_answer::{need_complete, need_vacant},
};

/// The parsed request.
pub(super) struct BookingChange<'a> {
    pub input: &'a ManageBookings,
    pub staff: bool,
    pub today: Date,
    pub currency: Currency,
    pub new_room: Option<&'a RoomFacts>,
    pub new_guest: Option<&'a str>,
    /// Rate of the nights to come, where a move during the stay changed it.
    pub rate_to_come: Option<Cents>,
}

fn invalid(there: &Reservation, why: &str) -> ToolError {
    let booking = &there.stay.booking;
    let details =
        json!({ "booking_number": booking.number, "booking_status": booking.status, "why": why });
    ToolError::with(ErrorCode::InvalidTransition, details)
}

/// Computes the target state.
///
/// # Errors
/// A transition that is not allowed, invalid dates, or too many guests.
pub(super) fn target_state(
    there: &Reservation,
    change: &BookingChange<'_>,
) -> Result<BookingTarget, ToolError> {
    match change.input.action {
        BookingAction::Cancel => over(there, BookingStatus::Cancelled),
        BookingAction::NoShow if there.missing.contains(&BookingField::CheckInDate) => {
            Err(invalid(
                there,
                "its arrival is not known: give check_in_date first, or cancel it",
            ))
        }
        BookingAction::NoShow if change.today <= there.stay.booking.check_in => Err(invalid(
            there,
            "a booking can be marked as a no-show from the day after arrival",
        )),
        BookingAction::NoShow => over(there, BookingStatus::NoShow),
        BookingAction::Update | BookingAction::Other(_) => update(there, change),
    }
}

/// Whether the booking would move into that room. Somebody may have emptied the field while its guest
/// lives there.
pub(super) fn moves_in(there: &Reservation, room: &RoomFacts) -> bool {
    let booking = &there.stay.booking;
    let lacks = |field| there.missing.contains(&field);
    let lives_there = room.room.status == RoomStatus::Occupied
        && !lacks(BookingField::Guest)
        && room.room.current_guest.as_deref() == Some(booking.guest_id.as_str());
    room.room.id != there.stay.room.id || (lacks(BookingField::Room) && !lives_there)
}

/// A booking that does not take place.
fn over(there: &Reservation, status: BookingStatus) -> Result<BookingTarget, ToolError> {
    if there.stay.booking.status != BookingStatus::Reserved {
        return Err(invalid(there, "only a reservation can be canceled"));
    }
    // A status that only the org knows may say that money has come
    let may_be_paid =
        |status: &LineStatus| matches!(status, LineStatus::Completed | LineStatus::Other(_));
    if there
        .stay
        .lines
        .iter()
        .any(|line| may_be_paid(&line.status))
    {
        return Err(invalid(
            there,
            "there is a payment on its folio; settle it at the front desk first",
        ));
    }
    let mut shape = BookingTarget::of(there);
    shape.status = status;
    if there.stay.shares_folio_with.is_empty() {
        shape.stage = OpportunityStage::ClosedLost;
    } else {
        // The other bookings on the folio continue.
        shape.amount = shape
            .amount
            .zip(there.share())
            .map(|(all, share)| all - share);
    }
    Ok(shape)
}

fn update(there: &Reservation, change: &BookingChange<'_>) -> Result<BookingTarget, ToolError> {
    let in_house = match there.stay.booking.status {
        BookingStatus::Reserved => false,
        BookingStatus::CheckedIn => true,
        BookingStatus::Other(_) => {
            let why = "its status is unknown here; set it in the booking system first";
            return Err(invalid(there, why));
        }
        _ => return Err(invalid(there, "this booking is over")),
    };
    let mut shape = BookingTarget::of(there);
    let filled = filled(there, change)?;
    shape.missing.retain(|field| !filled.contains(field));
    shape.nights = dates(there, change, in_house, &filled)?;
    if let Some(room) = change.new_room {
        if in_house && !change.staff {
            return Err(invalid(
                there,
                "the front desk moves guests who are in the house",
            ));
        }
        if in_house && moves_in(there, room) {
            need_vacant(&room.room, json!({}))?;
        }
        shape.room_id.clone_from(&room.room.id);
    }
    if let Some(guest) = change.new_guest {
        if in_house {
            return Err(invalid(there, "the guest is in the house"));
        }
        guest.clone_into(&mut shape.guest_id);
    }
    if change.input.number_of_guests.is_some() {
        shape.guests = change.input.number_of_guests;
    }
    if let Some(requests) = &change.input.special_requests {
        shape.requests = Some(requests.clone()).filter(|text| text.trim() != NO_REQUESTS);
    }
    let moved = change
        .new_room
        .filter(|room| room.room.id != there.stay.room.id);
    let target = moved.unwrap_or(&there.room);
    let sleeps = target.sleeps;
    let asked = (change.input.number_of_guests.is_some()
        && !shape.missing.contains(&BookingField::Room))
        || moved.is_some()
        || filled.contains(&BookingField::Room);
    if asked {
        need_complete(target, &[MissingField::MaxOccupancy])?;
    }
    if moved.is_some() {
        need_complete(target, &[MissingField::NightlyRate])?;
    }
    // Nobody agreed a price for a booking without its room or its nights
    let never_priced = filled.iter().any(|field| *field != BookingField::Guest);
    if !there.stay.shares_folio_with.is_empty() {
        if never_priced {
            let why = "other bookings share its folio, so what it costs is unknown; complete it in the booking system";
            return Err(invalid(there, why));
        }
        need_complete(&there.room, &[MissingField::NightlyRate])?;
    }
    if let Some(people) = shape.guests.filter(|people| asked && *people > sleeps) {
        let details = json!({ "number_of_guests": people, "max_occupancy": sleeps });
        return Err(ToolError::with(ErrorCode::TooManyGuests, details));
    }
    let priced = moved.filter(|_| change.input.keep_rate != Some(true));
    let over = in_house.then(|| slept(there.nights(), change.today));
    let shared = !there.stay.shares_folio_with.is_empty();
    let share = there.share();
    let agreed = share.filter(|share| *share != Cents(0) || !never_priced);
    let price = match agreed {
        Some(total) => {
            let agreed = AgreedPrice {
                total,
                nights: there.nights(),
                slept: over.unwrap_or_default(),
                rate_to_come: change.rate_to_come.filter(|_| in_house && !shared),
            };
            Some(agreed.changed(shape.nights, priced.map(|room| room.rate)))
        }
        // An empty amount stays so, unless nights or room are priced
        None if !never_priced && moved.is_none() && shape.nights == there.nights() => None,
        None => {
            let room = priced.unwrap_or(&there.room);
            need_complete(room, &[MissingField::NightlyRate])?;
            Some(Cents(room.rate.0 * shape.nights.count()))
        }
    };
    if let Some(price) = price {
        check_agreed_price(change.input.amount, price, share, change.currency)?;
    }
    shape.amount = match (share, price) {
        (Some(share), Some(price)) => shape.amount.map(|all| all - share + price),
        _ => price,
    };
    shape.close_date = if there.stay.shares_folio_with.is_empty() {
        if shape.nights == there.nights() {
            shape.close_date
        } else {
            shape.nights.to
        }
    } else {
        shape.close_date.max(shape.nights.to)
    };
    Ok(shape)
}

/// Empty fields that the change fills. Nights and room are filled, or changed, only together: they
/// decide whether the room is free, and what it costs.
///
/// # Errors
/// A field that is still empty.
fn filled(there: &Reservation, change: &BookingChange<'_>) -> Result<Vec<BookingField>, ToolError> {
    let input = change.input;
    let given = |field: &BookingField| match field {
        BookingField::CheckInDate => input.check_in_date.is_some(),
        BookingField::CheckOutDate => input.check_out_date.is_some(),
        BookingField::Room => change.new_room.is_some(),
        BookingField::Guest => change.new_guest.is_some(),
    };
    let place = [
        (
            BookingField::CheckInDate,
            "Check_In_Date__c",
            "Check In Date",
        ),
        (
            BookingField::CheckOutDate,
            "Check_Out_Date__c",
            "Check Out Date",
        ),
        (BookingField::Room, "Room__c", "Room"),
    ];
    let fills = |field: &BookingField| change.staff && given(field);
    let open = place
        .iter()
        .find(|(field, ..)| there.missing.contains(field) && !fills(field));
    if let Some((_, field, label)) = open.filter(|_| place.iter().any(|(field, ..)| given(field))) {
        let booking = &there.stay.booking;
        let record = format!("Booking {}", booking.number);
        let problem = format!("{record}: {label} is empty.");
        let details = json!({ "record": record, "object": "Booking__c", "id": booking.id, "field": field, "problem": problem });
        return Err(ToolError::with(ErrorCode::RecordIncomplete, details));
    }
    Ok(there.missing.iter().copied().filter(fills).collect())
}

fn dates(
    there: &Reservation,
    change: &BookingChange<'_>,
    in_house: bool,
    filled: &[BookingField],
) -> Result<Nights, ToolError> {
    let before = there.nights();
    let nights = Nights {
        from: change.input.check_in_date.unwrap_or(before.from),
        to: change.input.check_out_date.unwrap_or(before.to),
    };
    if nights == before && filled.is_empty() {
        return Ok(before);
    }
    if in_house && nights.from != before.from {
        return Err(invalid(
            there,
            "the guest has arrived already: check_in_date cannot change",
        ));
    }
    // Nights given up stay on the bill of a guest who leaves early.
    if in_house && !change.staff && nights.to < before.to {
        return Err(invalid(
            there,
            "the front desk shortens the stay of guests who are in the house",
        ));
    }
    // A date that was already in the past is not part of the request.
    let unchanged = |field: &str| match field {
        "check_in_date" => {
            nights.from == before.from && !filled.contains(&BookingField::CheckInDate)
        }
        _ => nights.to == before.to && !filled.contains(&BookingField::CheckOutDate),
    };
    let mut problems: Vec<_> = nights
        .problems(change.today)
        .into_iter()
        .filter(|(field, _)| !unchanged(field) || nights.to <= nights.from)
        .collect();
    if nights.to < change.today {
        problems.push((
            "check_out_date",
            format!("check_out_date is in the past; today is {}.", change.today),
        ));
    }
    if problems.is_empty() {
        return Ok(nights);
    }
    let problems: Vec<_> = problems
        .into_iter()
        .map(|(field, message)| json!({ "field": field, "message": message }))
        .collect();
    Err(ToolError::with(
        ErrorCode::DatesInvalid,
        json!({ "problems": problems }),
    ))
}

/// Changed fields, by the names people use.
pub(super) fn changed(before: &BookingTarget, wanted: &BookingTarget) -> Vec<String> {
    let filled = |field| before.missing.contains(&field) && !wanted.missing.contains(&field);
    let pairs = [
        ("booking_status", before.status != wanted.status),
        (
            "room_number",
            before.room_id != wanted.room_id || filled(BookingField::Room),
        ),
        (
            "check_in_date",
            before.nights.from != wanted.nights.from || filled(BookingField::CheckInDate),
        ),
        (
            "check_out_date",
            before.nights.to != wanted.nights.to || filled(BookingField::CheckOutDate),
        ),
        ("number_of_guests", before.guests != wanted.guests),
        ("special_requests", before.requests != wanted.requests),
        (
            "guest",
            before.guest_id != wanted.guest_id || filled(BookingField::Guest),
        ),
        ("amount", before.amount != wanted.amount),
    ];
    pairs
        .into_iter()
        .filter(|(_, differs)| *differs)
        .map(|(name, _)| name.to_owned())
        .collect()
}
