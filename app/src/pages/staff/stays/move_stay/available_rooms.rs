//! Rooms available for the nights of a move.

use std::collections::BTreeMap;

use dewy_domain::{tool_catalog::SearchAvailableRooms, tool_output::AvailableRoom};

use super::{super::find_booking::FoundBooking, preview::price_at, requested_move::RequestedMove};
use crate::pages::{
    prelude::*,
    staff::{
        board::room,
        rooms::{Condition, RoomState},
        staff_reads::read_tool,
    },
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
    let rooms =
        match read_tool::<SearchAvailableRooms>(&request.ctx, user, input, &request.here).await? {
            Ok(free) => free.rows,
            Err(draft) => return Ok(Err(draft)),
        };
    let own = found.room_number().to_owned();
    let mut rooms: Vec<AvailableRoom> = rooms
        .into_iter()
        .filter(|one| one.room_number != own && is_usable(found, &one.room_number))
        .collect();
    if wanted.later != 0 {
        rooms.extend(own_room(found, &own, wanted.free));
    }
    let mut rooms = sorted(rooms);
    // Who is in house, or arrives today, needs a room that is ready now
    if wanted.free.from <= found.snapshot.today {
        rooms.sort_by_key(|one| !is_ready(found, &one.room_number));
    }
    Ok(Ok(rooms))
}

/// Why a room that is free for the nights isn't offered.
pub fn closed(found: &FoundBooking, number: &str) -> Option<String> {
    let facts = room(&found.snapshot, number).filter(|_| !is_usable(found, number))?;
    let state = RoomState::of(facts, &found.snapshot).label().to_lowercase();
    Some(format!("Room {number} is {state}."))
}

/// Whether the room is neither under repair nor out of service.
fn is_usable(found: &FoundBooking, number: &str) -> bool {
    room(&found.snapshot, number)
        .is_none_or(|facts| RoomState::of(facts, &found.snapshot).condition != Condition::Out)
}

/// Whether somebody can move in now.
pub fn is_ready(found: &FoundBooking, number: &str) -> bool {
    room(&found.snapshot, number)
        .is_some_and(|facts| RoomState::of(facts, &found.snapshot).condition == Condition::Clean)
}

/// Rooms by type, the cheapest type and the cheapest rooms of each first.
fn sorted(mut rooms: Vec<AvailableRoom>) -> Vec<AvailableRoom> {
    let mut cheapest: BTreeMap<String, Cents> = BTreeMap::new();
    for room in &rooms {
        let rate = cheapest
            .entry(room.room_type.clone())
            .or_insert(room.nightly_rate);
        *rate = room.nightly_rate.min(*rate);
    }
    rooms.sort_by_cached_key(|room| {
        (
            cheapest.get(&room.room_type).copied(),
            room.room_type.clone(),
            room.nightly_rate,
            room.room_number.clone(),
        )
    });
    rooms
}

/// The stay's present room, if it is otherwise available. The search counts the stay itself as
/// occupying the room, so the board is used; the move checks again.
fn own_room(found: &FoundBooking, own: &str, nights: Nights) -> Option<AvailableRoom> {
    let taken = found.snapshot.bookings.iter().any(|other| {
        let live = !other.booking_status.is_over();
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

/// Whether it is ready today. A room under repair is free for later nights: it may be ready by then.
fn state_badge(room: &RoomState<'_>) -> AnyView {
    let state = match room.condition {
        Condition::Clean => "completed",
        Condition::InUse => "in_house",
        condition => condition.name(),
    };
    view! { <StatusBadge state=state word=room.label() /> }.into_any()
}

/// All rooms, each with a link to the effect of moving there.
pub fn table(
    found: &FoundBooking,
    wanted: &RequestedMove,
    own: &str,
    free: Vec<AvailableRoom>,
    slept_price: Option<Cents>,
) -> AnyView {
    if free.is_empty() {
        return view! { <p class="empty">"No other room is free for all of these nights."</p> }
            .into_any();
    }
    let currency = found.snapshot.currency;
    let rows = free
        .into_iter()
        .map(|one| {
            let badge = room(&found.snapshot, &one.room_number)
                .map(|facts| state_badge(&RoomState::of(facts, &found.snapshot)));
            let more = if one.room_number == own {
                Some(Cents(0))
            } else {
                let new = price_at(found, wanted, one.nightly_rate, slept_price);
                new.zip(found.booking.total).map(|(new, agreed)| new - agreed)
            };
            let in_house = found.booking.booking_status == BookingStatus::CheckedIn;
            let number = one.room_number.to_string();
            let here = (wanted.room.as_deref() == Some(one.room_number.as_str())).then_some("true");
            let href = wanted.page(&found.booking.booking_number, &one.room_number);
            // A guest in house can't move into a room that isn't ready
            let link = if in_house && !is_ready(found, &one.room_number) {
                view! { "Room " {number} }.into_any()
            } else {
                view! { <a href=href aria-current=here>"Room " {number}</a> }.into_any()
            };
            view! {
                <tr>
                    <th scope="row" data-label="Room">{link}</th>
                    <td data-label="Type">{one.room_type} <small>{one.beds}</small></td>
                    <td data-label="Floor">{one.floor}</td>
                    <td data-label="State">{badge}</td>
                    <td data-label="A night" class="num">{labels::money(one.nightly_rate, currency)}</td>
                    <td data-label="Difference" class="num">{more.map(|more| sign(more, currency))}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <ListTable
            label="Available rooms"
            heads=&["Room", "Type", "Floor", "Now", "A night", "Difference"]
            num=&["A night", "Difference"]
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
        _ => labels::money(cents, currency),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_listed_by_type_and_price() {
        let room = |number: &str, kind: &str, rate: i64| -> AvailableRoom {
            serde_json::from_value(json!({
                "room_number": number, "room_type": kind, "max_occupancy": 2, "accessible": false,
                "nightly_rate": rate, "total": rate, "nights": 1, "currency": "usd"
            }))
            .unwrap()
        };
        let rooms = sorted(vec![
            room("109", "Suite", 29_999),
            room("108", "Deluxe", 19_999),
            room("204", "Standard", 30_000),
            room("306", "Deluxe", 17_500),
            room("203", "Standard", 13_950),
        ]);
        let numbers: Vec<_> = rooms.iter().map(|room| room.room_number.as_str()).collect();
        assert_eq!(numbers, ["203", "204", "306", "108", "109"]);
    }
}
