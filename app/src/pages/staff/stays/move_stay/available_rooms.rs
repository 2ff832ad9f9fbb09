//! Rooms available for the nights of a move.

use dewy_domain::{
    money::Cents,
    nights::Nights,
    ports::SignedIn,
    tool_output::{AvailableRoom, ListResult},
    vocabulary::{BookingStatus, RoomStatus},
};
use leptos::prelude::*;
use serde_json::json;

use super::{
    super::find_booking::FoundBooking, preview::difference, requested_move::RequestedMove,
};
use crate::{
    components::{ListTable, StatusBadge},
    form_draft::FormDraft,
    labels,
    pages::staff::{board::room, staff_reads::read_tool},
    render_page::{PageError, PageRequest},
};

/// Other available rooms; when the dates change, the present room as well.
pub async fn free_rooms(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
    wanted: &RequestedMove,
) -> Result<Result<Vec<AvailableRoom>, FormDraft>, PageError> {
    let input = json!({
        "check_in_date": wanted.free.from, "check_out_date": wanted.free.to,
        "number_of_guests": found.booking.number_of_guests.unwrap_or(1).clamp(1, 20), "limit": 200,
    });
    let rooms = match read_tool::<ListResult<AvailableRoom>>(
        &request.ctx,
        user,
        "search_available_rooms",
        input,
        &request.here,
    )
    .await?
    {
        Ok(free) => free.rows,
        Err(draft) => return Ok(Err(draft)),
    };
    let own = found
        .booking
        .room_number
        .as_deref()
        .unwrap_or_default()
        .to_owned();
    let mut rooms: Vec<AvailableRoom> = rooms
        .into_iter()
        .filter(|one| one.room_number != own)
        .collect();
    if wanted.later != 0 {
        rooms.extend(own_room(found, &own, wanted.free));
    }
    rooms.sort_by(|a, b| a.room_number.cmp(&b.room_number));
    Ok(Ok(rooms))
}

/// The stay's present room, if it is otherwise available. The search counts the stay itself as
/// occupying the room, so the board is used; the move checks again.
fn own_room(found: &FoundBooking, own: &str, nights: Nights) -> Option<AvailableRoom> {
    let taken = found.snapshot.bookings.iter().any(|other| {
        let live = matches!(
            other.booking_status,
            BookingStatus::Reserved | BookingStatus::CheckedIn
        );
        let theirs = match (other.check_in_date, other.check_out_date) {
            (Some(from), Some(to)) => Nights { from, to },
            _ => return false,
        };
        live && other.room_number.as_deref() == Some(own)
            && other.booking_number != found.booking.booking_number
            && theirs.overlap(nights)
    });
    let facts = room(&found.snapshot, own).filter(|_| !taken)?;
    Some(AvailableRoom::of(
        facts.clone(),
        nights,
        found.snapshot.currency,
    ))
}

/// All rooms, each with a link to the effect of moving there.
pub fn table(
    found: &FoundBooking,
    wanted: &RequestedMove,
    own: &str,
    free: Vec<AvailableRoom>,
) -> AnyView {
    if free.is_empty() {
        return view! { <p class="empty">"No other room is free for all of these nights."</p> }
            .into_any();
    }
    let currency = found.snapshot.currency;
    let rows = free
        .into_iter()
        .map(|one| {
            let status = room(&found.snapshot, &one.room_number).map(|facts| facts.room.status.clone());
            let state = if status == Some(RoomStatus::Vacant) { "completed" } else { "to_come" };
            let more = if one.room_number == own { Some(Cents(0)) } else { difference(found, own, one.nightly_rate).map(|(_, more)| more) };
            let here = (wanted.room.as_deref() == Some(one.room_number.as_str())).then_some("true");
            let href = wanted.page(&found.booking.booking_number, &one.room_number);
            view! {
                <tr>
                    <th scope="row" data-label="Room"><a href=href aria-current=here>"Room " {one.room_number.to_string()}</a></th>
                    <td data-label="Type">{one.room_type} <small>{one.beds}</small></td>
                    <td data-label="Floor">{one.floor}</td>
                    <td data-label="State"><StatusBadge state=state word=status.map(|status| status.to_string()).unwrap_or_default() /></td>
                    <td data-label="A night" class="num">{labels::money(one.nightly_rate, currency)}</td>
                    <td data-label="Difference" class="num">{more.map(|more| sign(more, currency))}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <ListTable
            label="Available rooms"
            heads=&["Room", "Type", "Floor", "Now", "A night", "Difference, all nights"]
            num=&["A night", "Difference, all nights"]
        >
            {rows}
        </ListTable>
    }
    .into_any()
}

fn sign(cents: Cents, currency: dewy_domain::money::Currency) -> String {
    match cents.0 {
        0 => "the same".to_owned(),
        1.. => format!("+{}", labels::money(cents, currency)),
        _ => format!("−{}", labels::money(Cents(-cents.0), currency)),
    }
}
