//! What is in the way of a stay in a room, and which rooms are free, as far as the board knows. The
//! tool decides.

use dewy_domain::inventory::RoomFacts;

use super::find_booking::FoundBooking;
use crate::pages::{prelude::*, staff::board::room};

/// Maximum number of rooms named.
const MAX_ROOMS: usize = 6;

/// Reason why the stay can't be in this room on these nights.
pub fn obstacle(found: &FoundBooking, number: &str, nights: Nights) -> Option<String> {
    let Some(facts) = room(&found.snapshot, number) else {
        return Some(format!("There is no room {number}."));
    };
    if let Some(why) = unfit(found, facts, nights) {
        return Some(format!("Room {number} {why}."));
    }
    let other = taken_by(found, number, nights)?;
    let locale = locale();
    let day = |day: Option<Date>| day.map(|day| locale.short_day(day)).unwrap_or_default();
    let user = other.guest_name.as_deref().unwrap_or(&other.booking_number);
    let (from, to) = (day(other.check_in_date), day(other.check_out_date));
    Some(format!(
        "Room {number} is taken by {user} from {from} to {to}."
    ))
}

/// Rooms without any obstacle, other than the stay's own: `Rooms 204, 305 are free for all of these
/// nights.`
pub fn free(found: &FoundBooking, nights: Nights) -> String {
    let own = found.booking.room_number.as_deref();
    let free: Vec<_> = found
        .snapshot
        .numbered_rooms()
        .map(|facts| facts.room.number.as_str())
        .filter(|number| Some(*number) != own && obstacle(found, number, nights).is_none())
        .collect();
    let more = free.len().saturating_sub(MAX_ROOMS);
    let named = free
        .iter()
        .take(MAX_ROOMS)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    match (free.len(), more) {
        (0, _) => "No other room is free for all of these nights.".to_owned(),
        (1, _) => format!("Room {named} is free for all of these nights."),
        (_, 0) => format!("Rooms {named} are free for all of these nights."),
        (_, more) => format!("Rooms {named} and {more} more are free for all of these nights."),
    }
}

/// Last day on which the stay must leave its room, if another stay has it afterward.
pub fn latest_departure(found: &FoundBooking, nights: Nights) -> Option<Date> {
    let number = found.booking.room_number.as_deref()?;
    let next = taken_by(found, number, nights)?.check_in_date?;
    (next > nights.from).then_some(next)
}

fn unfit(found: &FoundBooking, facts: &RoomFacts, nights: Nights) -> Option<String> {
    let people = found.booking.number_of_guests.unwrap_or(1);
    match &facts.room.status {
        // By another day it may be ready
        RoomStatus::Maintenance if nights.from <= found.snapshot.today => {
            Some("is under repair".to_owned())
        }
        RoomStatus::OutOfService => Some("is out of service".to_owned()),
        RoomStatus::Other(word) if word.is_empty() => Some("has no status".to_owned()),
        RoomStatus::Other(word) => Some(format!("is {word}")),
        _ if facts.sleeps < people => Some(format!("is for {} people at most", facts.sleeps)),
        _ => None,
    }
}

/// First other stay in the room on one of these nights.
fn taken_by<'a>(found: &'a FoundBooking, number: &str, nights: Nights) -> Option<&'a BookingRow> {
    let others = found.snapshot.bookings.iter().filter(|other| {
        let live = !other.booking_status.is_over();
        let theirs = other.check_in_date.zip(other.check_out_date);
        live && other.room_number.as_deref() == Some(number)
            && other.booking_number != found.booking.booking_number
            && theirs.is_some_and(|(from, to)| Nights { from, to }.overlap(nights))
    });
    others.min_by_key(|other| other.check_in_date)
}
