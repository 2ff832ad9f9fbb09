//! Effect of a move, and the button that submits it.

use dewy_domain::{
    stay_price::{AgreedPrice, slept},
    tool_output::AvailableRoom,
    vocabulary::CaseType,
};

use super::{super::find_booking::FoundBooking, requested_move::RequestedMove};
use crate::pages::{prelude::*, staff::board::room};

/// Prices of a move: as agreed, and at the new room's rate.
pub type MovePrices = (Cents, Cents);

/// Price of the whole stay in a room with that rate, if the price agreed at booking is known:
/// nights already slept keep theirs, which the tool knows where an earlier move changed the rate.
pub fn price_at(
    found: &FoundBooking,
    wanted: &RequestedMove,
    rate: Cents,
    slept_price: Option<Cents>,
) -> Option<Cents> {
    if let Some(slept_price) = slept_price {
        return Some(slept_price + to_come(wanted, rate));
    }
    let booking = &found.booking;
    let (agreed, from, to) = (
        booking.total?,
        booking.check_in_date?,
        booking.check_out_date?,
    );
    let booked = Nights { from, to };
    let over = match booking.booking_status {
        BookingStatus::CheckedIn => slept(booked, found.snapshot.today),
        _ => 0,
    };
    let agreed = AgreedPrice {
        slept: over,
        ..AgreedPrice::upfront(agreed, booked)
    };
    Some(agreed.changed(wanted.stay, Some(rate)))
}

/// Price of the nights from tonight on.
pub fn to_come(wanted: &RequestedMove, rate: Cents) -> Cents {
    Cents(rate.0.saturating_mul(wanted.free.count()))
}

/// Whether a guest in house has complained about the room: the agreed rate then stays, unless the
/// clerk decides otherwise.
fn has_complaint(found: &FoundBooking, own: &str) -> bool {
    found.booking.booking_status == BookingStatus::CheckedIn
        && found.snapshot.cases.iter().any(|case| {
            case.kind == CaseType::Maintenance && case.room_number.as_deref() == Some(own)
        })
}

pub fn preview(
    found: &FoundBooking,
    wanted: &RequestedMove,
    own: &str,
    one: &AvailableRoom,
    prices: Option<MovePrices>,
    token: String,
) -> AnyView {
    let moves = one.room_number != own;
    let in_house = found.booking.booking_status == BookingStatus::CheckedIn;
    let when = date_range(wanted.stay.from, wanted.stay.to);
    let heading = match (moves, wanted.later) {
        (true, 0) => format!("From {own} to {}", one.room_number),
        (true, _) => format!("From {own} to {}, {when}", one.room_number),
        (false, _) => format!("Room {own}, {when}"),
    };
    let yes = if moves {
        format!("Move to {}", one.room_number)
    } else {
        "Move to these days".to_owned()
    };
    let dates = (wanted.later != 0).then(|| {
        let before = found
            .booking
            .check_in_date
            .zip(found.booking.check_out_date);
        let before = before
            .map(|(from, to)| date_range(from, to))
            .unwrap_or_default();
        view! {
            <p>{format!("The stay is {when} then, instead of {before}.")}</p>
            <input type="hidden" name="check_in_date" value=wanted.stay.from.to_string() />
            <input type="hidden" name="check_out_date" value=wanted.stay.to.to_string() />
            <input type="hidden" name="later" value=wanted.later.to_string() />
        }
    });
    let moved = (moves && in_house).then(|| {
        view! {
            <p><strong>"The guest is checked in. "</strong> "Room " {own.to_owned()} " becomes Cleaning at once, and room " {one.room_number.to_string()} " Occupied. Tell the guest, and hand out the new key."</p>
        }
    });
    let unready = room(&found.snapshot, &one.room_number).filter(|_| moves);
    let unready = unready.and_then(|facts| unready_text(&facts.room.status)).map(|state| {
        view! { <p>"Room " {one.room_number.to_string()} {format!(" {state} right now.")} {in_house.then_some(" A checked-in guest can’t move in before it is ready.")}</p> }
    });
    view! {
        <section class="card will" aria-labelledby="will">
            <h2 id="will">{heading}</h2>
            <form method="post" action="/form/move_stay">
                {dates}
                {cost(found, prices, own, one)}
                {prices.map(|(kept, new)| view! {
                    {hidden([("kept_price", kept.0.to_string()), ("new_price", new.0.to_string())])}
                })}
                {moved}
                {unready}
                <input type="hidden" name="booking_number" value=found.booking.booking_number.to_string() />
                <input type="hidden" name="room_number" value=one.room_number.to_string() />
                <input type="hidden" name="seen_room_number" value=own.to_owned() />
                <input type="hidden" name=TOKEN value=token />
                <p class="actions">
                    <button>{yes}</button>
                    <a href=page_url::stay(&found.booking.booking_number)>"Cancel"</a>
                </p>
            </form>
        </section>
    }
    .into_any()
}

/// What keeps a room from being moved into today.
fn unready_text(status: &RoomStatus) -> Option<String> {
    let text = match status {
        RoomStatus::Vacant => return None,
        RoomStatus::Occupied => "is occupied".to_owned(),
        RoomStatus::Cleaning => "needs cleaning".to_owned(),
        RoomStatus::Maintenance => "is under repair".to_owned(),
        RoomStatus::OutOfService => "is out of service".to_owned(),
        RoomStatus::Other(word) if word.is_empty() => "has no status".to_owned(),
        RoomStatus::Other(word) => format!("is {word}"),
    };
    Some(text)
}

/// What the move costs, and the choice between the agreed price and the new room's rate.
fn cost(
    found: &FoundBooking,
    prices: Option<MovePrices>,
    own: &str,
    one: &AvailableRoom,
) -> AnyView {
    let currency = found.snapshot.currency;
    if one.room_number == own {
        return view! { <p>"The price stays what it was."</p> }.into_any();
    }
    let rate = labels::money(one.nightly_rate, currency);
    let from = match found.booking.booking_status {
        BookingStatus::CheckedIn => ", from tonight on",
        _ => "",
    };
    let (keep, pay) = match prices {
        Some((agreed, new)) if agreed == new => {
            let sum = labels::money(new, currency);
            return view! { <p>{format!("The price stays {sum}.")}</p> }.into_any();
        }
        Some((agreed, new)) => {
            let by = labels::money(Cents((new - agreed).0.saturating_abs()), currency);
            let how = if new > agreed { "more" } else { "less" };
            (
                format!("Keep the agreed price, {}", labels::money(agreed, currency)),
                format!(
                    "Room {}’s rate, {rate} a night{from}: {} in all, {by} {how}",
                    one.room_number,
                    labels::money(new, currency)
                ),
            )
        }
        None => (
            "Keep the agreed rate".to_owned(),
            format!("Room {}’s rate, {rate} a night{from}", one.room_number),
        ),
    };
    let complaint = has_complaint(found, own);
    let why = complaint.then(|| {
        view! { <p class="aside">{format!("Room {own} has an open maintenance case, so the agreed price is suggested.")}</p> }
    });
    view! {
        <fieldset>
            <legend>"Which price?"</legend>
            {why}
            <label class="choice">
                <input type="radio" name="keep_rate" id="keep_rate" value="true" checked=complaint />
                <span>{keep} " " <small class="tag">"After a complaint"</small></span>
            </label>
            <label class="choice">
                <input type="radio" name="keep_rate" id="own-rate" value="false" checked=!complaint />
                <span>{pay}</span>
            </label>
        </fieldset>
    }
    .into_any()
}
