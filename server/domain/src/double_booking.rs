//! Two bookings for one room that share a night, as other programs or people may make them.

use jiff::civil::Date;

use crate::{nights::Nights, reservation::BookingRow, room_number::RoomNumber};

/// Two bookings for one room and night.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoubleBooking<'a> {
    pub room: &'a RoomNumber,
    /// The nights that both have, from today on.
    pub nights: Nights,
    pub first: &'a BookingRow,
    pub second: &'a BookingRow,
}

/// A booking that holds a room.
struct Held<'a> {
    room: &'a RoomNumber,
    nights: Nights,
    booking: &'a BookingRow,
}

/// All pairs of these bookings that share a room for a night from today on, the earliest night
/// first. A booking in a status that we don't know holds its room like any other.
#[must_use]
pub fn double_bookings(bookings: &[BookingRow], today: Date) -> Vec<DoubleBooking<'_>> {
    let mut held: Vec<_> = bookings
        .iter()
        .filter(|booking| !booking.booking_status.is_over())
        .filter_map(|booking| {
            let (from, to) = booking.check_in_date.zip(booking.check_out_date)?;
            Some(Held {
                room: booking.room_number.as_ref()?,
                nights: Nights { from, to },
                booking,
            })
        })
        .filter(|held| held.nights.to > today)
        .collect();
    held.sort_by_key(|held| (held.room, held.nights.from, &held.booking.booking_number));
    let mut pairs = Vec::new();
    for (at, first) in held.iter().enumerate() {
        let later = held.iter().skip(at + 1);
        let same_room = later
            .take_while(|other| other.room == first.room && other.nights.from < first.nights.to);
        pairs.extend(same_room.map(|second| DoubleBooking {
            room: first.room,
            nights: Nights {
                from: first.nights.from.max(second.nights.from).max(today),
                to: first.nights.to.min(second.nights.to),
            },
            first: first.booking,
            second: second.booking,
        }));
    }
    pairs.retain(|pair| pair.nights.from < pair.nights.to);
    pairs.sort_by_key(|pair| (pair.nights.from, pair.room));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn booking(number: &str, status: &str, room: Option<&str>, days: [&str; 2]) -> BookingRow {
        serde_json::from_value(serde_json::json!({
            "booking_number": number, "booking_status": status, "check_in_date": days[0], "check_out_date": days[1],
            "room_number": room, "room_type": null, "room_status": null, "beds": null, "view": null,
            "number_of_guests": null, "special_requests": null, "guest_name": null, "guest_email": null
        }))
        .unwrap()
    }

    #[test]
    fn one_room_and_night_belong_to_one_booking() {
        let in_302 = |number, status, days| booking(number, status, Some("302"), days);
        let all = [
            in_302("BK-0001", "Checked In", ["2026-11-18", "2026-11-22"]),
            in_302("BK-0002", "Waitlisted", ["2026-11-21", "2026-11-24"]),
            in_302("BK-0003", "Reserved", ["2026-11-24", "2026-11-25"]),
            in_302("BK-0004", "Cancelled", ["2026-11-20", "2026-11-25"]),
            in_302("BK-0005", "Reserved", ["2026-11-17", "2026-11-20"]),
            booking(
                "BK-0006",
                "Reserved",
                Some("303"),
                ["2026-11-18", "2026-11-25"],
            ),
            booking("BK-0007", "Reserved", None, ["2026-11-18", "2026-11-25"]),
        ];
        let today = "2026-11-20".parse().unwrap();
        let found: Vec<_> = double_bookings(&all, today)
            .iter()
            .map(|pair| {
                let numbers = [pair.first, pair.second].map(|one| one.booking_number.to_string());
                (numbers, pair.nights.from.to_string(), pair.nights.count())
            })
            .collect();
        let numbers = ["BK-0001", "BK-0002"].map(str::to_owned);
        assert_eq!(found, [(numbers, "2026-11-21".to_owned(), 1)]);
    }
}
