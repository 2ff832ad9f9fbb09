//! Moves a stay to another room, or to other dates: available rooms, price, and effect. The tape
//! chart and the stay page both lead here.

mod available_rooms;
mod preview;
mod requested_move;

use dewy_domain::{tool_catalog::ManageBookings, tool_output::AvailableRoom};

use self::{
    available_rooms::{closed, free_rooms, is_ready, table},
    preview::{MovePrices, preview, price_at, to_come},
    requested_move::MoveObstacle,
};
use super::{FORM, find_booking::FoundBooking, room_availability::obstacle};
use crate::pages::{
    prelude::*,
    staff::board::{ChangedRecord, QuickAction},
};

pub use self::requested_move::RequestedMove;

pub fn title(request: &PageRequest) -> &'static str {
    if request.query_param("later").is_some() {
        "Move to other dates"
    } else {
        "Move to another room"
    }
}

/// Available rooms; with a room in the URL, the effect of moving there.
pub async fn form(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
    token: String,
) -> Result<AnyView, PageError> {
    if !found.is_open() {
        return Ok(found.too_late());
    }
    let wanted = match RequestedMove::of(
        found,
        request.query_param("room"),
        request.query_param("later"),
    ) {
        Ok(wanted) => wanted,
        Err(not) => return Ok(instead(found, not)),
    };
    let free = match free_rooms(request, user, found, &wanted).await? {
        Ok(free) => free,
        Err(draft) => return Ok(view! { <p class="notice">{draft.message}</p> }.into_any()),
    };
    let own = found.room_number().to_owned();
    let target = wanted.room.as_deref();
    let target = target.and_then(|number| free.iter().find(|one| one.room_number == number));
    let slept_price = slept_price(request, user, found, &wanted, &free).await;
    let prices = match target {
        Some(one) => applied_prices(request, user, found, &wanted, one, slept_price).await,
        None => None,
    };
    let preview = wanted.room.as_deref().map(|number| match target {
        Some(one) => preview(found, &wanted, &own, one, prices, token),
        None => {
            let why = obstacle(found, number, wanted.free).or_else(|| closed(found, number));
            let why = why.unwrap_or_else(|| format!("Room {number} is not free for these nights."));
            view! { <p class="notice">{why} " Nothing was changed. Choose one of the free rooms below."</p> }.into_any()
        }
    });
    let when = date_range(wanted.free.from, wanted.free.to);
    let has = if found.booking.booking_status == BookingStatus::CheckedIn {
        format!("{} is in room {own}.", found.name())
    } else {
        format!("{} has room {own} booked.", found.name())
    };
    Ok(view! {
        <p class="lead">{format!("{has} These rooms are free for {when}.")}</p>
        {preview}
        {table(found, &wanted, &own, free, slept_price)}
    }
    .into_any())
}

/// Price of the nights that are over, by what the tool asks for a move to a room that is ready.
async fn slept_price(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
    wanted: &RequestedMove,
    free: &[AvailableRoom],
) -> Option<Cents> {
    let inside = found.booking.booking_status == BookingStatus::CheckedIn;
    let ready = |one: &&AvailableRoom| {
        one.room_number != found.room_number() && is_ready(found, &one.room_number)
    };
    let one = free.iter().filter(|_| inside).find(ready)?;
    let (_, price) = applied_prices(request, user, found, wanted, one, None).await?;
    Some(price - to_come(wanted, one.nightly_rate))
}

/// Prices that the move would have: as agreed, and at the new room's rate. The tool knows them best:
/// on a shared bill, the stay has a part of the amount.
async fn applied_prices(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
    wanted: &RequestedMove,
    one: &AvailableRoom,
    slept_price: Option<Cents>,
) -> Option<MovePrices> {
    let own = one.room_number == found.room_number();
    let computed = found.booking.total.and_then(|agreed| match own {
        true => Some((agreed, agreed)),
        false => Some((
            agreed,
            price_at(found, wanted, one.nightly_rate, slept_price)?,
        )),
    });
    let mut input = json!({
        "booking_number": found.booking.booking_number, "room_number": one.room_number,
        "amount": computed.map_or(0, |(_, new)| new.0),
    });
    if wanted.later != 0 {
        input["check_in_date"] = json!(wanted.stay.from);
        input["check_out_date"] = json!(wanted.stay.to);
    }
    let call = ManageBookings::preview(input);
    let prompts = &request.ctx.confirmations;
    let Err(error) = prompts.confirmation_for(&user.caller, &call).await else {
        return computed;
    };
    let details = ErrorDetails::of(&error.details);
    details.price_before.zip(details.price).or(computed)
}

fn instead(found: &FoundBooking, not: MoveObstacle) -> AnyView {
    let number = &found.booking.booking_number;
    let change = format!("{}/change", page_url::stay(number));
    let rooms = format!("{}/move", page_url::stay(number));
    match not {
        MoveObstacle::NoNightLeft => view! {
            <p class="notice">"This stay has no remaining nights to move. "<a href=change>"Change the departure first"</a>"."</p>
        }
        .into_any(),
        MoveObstacle::Arrived => view! {
            <p class="notice">"The guest has arrived, so the day of arrival cannot change. "<a href=rooms>"Choose another room"</a>" or "<a href=change>"change the departure"</a>"."</p>
        }
        .into_any(),
        MoveObstacle::Past => view! {
            <p class="notice">"That day has passed. "<a href=change>"Choose other dates"</a>" or "<a href=rooms>"another room"</a>"."</p>
        }
        .into_any(),
    }
}

pub async fn move_stay(form: FormSubmission) -> FormResult {
    let booking_number = form.raw("booking_number").to_owned();
    let stay = page_url::stay(&booking_number);
    // After a failure the page shows the move again, so that it can be retried
    let asked = [
        ("room", form.raw("room_number")),
        ("later", form.raw("later")),
    ];
    let back = page_url::with_query(&format!("{stay}/move"), asked);
    let user = form.sender(Persona::Staff, &back).await?;
    let keep_rate = form.raw("keep_rate");
    let agreed = match keep_rate {
        "true" => form.raw("kept_price"),
        _ => form.raw("new_price"),
    };
    let other_dates = !form.raw("check_in_date").is_empty();
    let mut input = form_input([
        ("booking_number", &*booking_number),
        ("room_number", form.raw("room_number")),
        ("check_in_date", form.raw("check_in_date")),
        ("check_out_date", form.raw("check_out_date")),
        ("keep_rate", keep_rate),
        ("amount", agreed),
    ]);
    let seen = form.raw("seen_room_number");
    if !seen.is_empty() {
        input["shown"] = json!({ "room_number": seen });
    }
    QuickAction::<ManageBookings>::new(FORM, back, format!("{booking_number} was not moved"))
        .input(input)
        .then(stay.clone())
        .meanwhile(stay)
        .record(ChangedRecord::Booking(booking_number.clone()))
        .send(&form, &user, move |booking| {
            let Some((room, from, to)) = booking.place() else {
                return format!("{booking_number} is changed.");
            };
            let when = match other_dates {
                true => format!(", {}", date_range(from, to)),
                false => String::new(),
            };
            match booking.booking_status {
                BookingStatus::CheckedIn => {
                    format!("{booking_number} is in room {room} now{when}.")
                }
                _ => format!("{booking_number} has room {room} booked now{when}."),
            }
        })
        .await
}
