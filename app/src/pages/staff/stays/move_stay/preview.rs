//! Effect of a move, and the button that submits it.

use dewy_domain::{
    money::Cents,
    tool_output::AvailableRoom,
    vocabulary::{BookingStatus, RoomStatus},
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{super::find_booking::FoundBooking, MoveStay, requested_move::RequestedMove};
use crate::{
    dates::date_range,
    labels, page_url,
    pages::staff::board::{nights, room},
    tool_form::TOKEN,
};

/// Price of the whole stay in that room, compared with the present room's rate.
pub fn difference(found: &FoundBooking, own: &str, rate: Cents) -> Option<(Cents, Cents)> {
    let all = nights(&found.booking);
    let present = room(&found.snapshot, own)?.rate;
    let total = Cents(rate.0 * all);
    Some((total, total - Cents(present.0 * all)))
}

/// Preview of the requested move.
pub fn preview(
    found: &FoundBooking,
    wanted: &RequestedMove,
    own: &str,
    one: &AvailableRoom,
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
            <form method="post" action=MoveStay::PATH>
                {dates}
                <p>{cost(found, own, one)}</p>
                {moved}
                {unready}
                <input type="hidden" name="booking_number" value=found.booking.booking_number.to_string() />
                <input type="hidden" name="room_number" value=one.room_number.to_string() />
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

fn cost(found: &FoundBooking, own: &str, one: &AvailableRoom) -> Option<String> {
    let currency = found.snapshot.currency;
    if one.room_number == own {
        return Some("The price stays what it was.".to_owned());
    }
    let (total, more) = difference(found, own, one.nightly_rate)?;
    let total = labels::money(total, currency);
    let (by, how) = (
        labels::money(Cents(more.0.abs()), currency),
        if more.0 > 0 { "more" } else { "less" },
    );
    Some(match more.0 {
        0 => format!("All nights cost {total}, as they do at the present room’s rate."),
        _ => format!(
            "All nights cost {total}: {by} {how} than at the present room’s rate. The rate agreed at booking no longer counts."
        ),
    })
}
