//! Guest whose folio a charge will be posted to.

use dewy_domain::tool_catalog::SearchBookings;

use super::charge_request::ChargeRequest;
use crate::pages::{prelude::*, staff::staff_reads::read_tool};

/// Stay that a room or booking number currently refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolioGuest {
    /// Name of the guest, or the reason why there is none.
    pub name: String,
    pub booking: Option<String>,
    /// Room and booking as the hotel writes them, or as they were entered.
    pub place: String,
}

impl FolioGuest {
    /// Guest of that room or booking: as the board knows it, else as a search finds what people write
    /// in many ways, such as `BK0042` and `#302`.
    pub async fn find(
        request: &PageRequest,
        user: &SignedIn,
        wanted: &ChargeRequest,
        snapshot: &HotelSnapshot,
    ) -> Result<Self, PageError> {
        let known = Self::of(wanted, snapshot);
        if known.booking.is_some() {
            return Ok(known);
        }
        let (room, booking) = wanted.place();
        let input = form_input([
            ("booking_number", booking),
            ("room_number", if booking.is_empty() { room } else { "" }),
            ("status", BookingStatus::CheckedIn.as_str()),
        ]);
        let found = read_tool::<SearchBookings>(&request.ctx, user, input, &request.here).await;
        let rows = found?.unwrap_or_default().rows;
        Ok(
            match rows
                .into_iter()
                .map(|row| row.booking)
                .collect::<Vec<_>>()
                .as_slice()
            {
                [row] => Self::guest(row),
                _ => known,
            },
        )
    }

    fn guest(row: &BookingRow) -> Self {
        let name = row.guest_name.clone();
        let number = row.booking_number.to_string();
        Self {
            name: name.unwrap_or_else(|| "A guest without a name".to_owned()),
            place: match &row.room_number {
                Some(room) => format!("Room {room}, {number}"),
                None => number.clone(),
            },
            booking: Some(number),
        }
    }

    /// Guest of that room or booking, as the board knows it.
    fn of(wanted: &ChargeRequest, snapshot: &HotelSnapshot) -> Self {
        let (room, booking) = wanted.place();
        let meant = |row: &&BookingRow| match booking {
            "" => {
                row.booking_status == BookingStatus::CheckedIn
                    && row.room_number.as_deref() == Some(room)
            }
            number => row.booking_number == number,
        };
        let found: Vec<&BookingRow> = snapshot.bookings.iter().filter(meant).collect();
        match found.as_slice() {
            [row] => Self::guest(row),
            [] if booking.is_empty() => Self {
                name: format!("Nobody is checked in to room {room}"),
                booking: None,
                place: wanted.target_label(),
            },
            [] => Self {
                name: "Not among the stays around today".to_owned(),
                booking: None,
                place: wanted.target_label(),
            },
            several => {
                let numbers = several.iter().map(|row| row.booking_number.as_str());
                let numbers = Vec::from_iter(numbers).join(" and ");
                Self {
                    name: format!("Room {room} has {numbers}: enter the booking number"),
                    booking: None,
                    place: wanted.target_label(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::money::Currency;
    use serde_json::json;

    use super::*;
    use crate::form_draft::FormDraft;

    #[test]
    fn a_room_of_two_bookings_names_both_and_pins_none() {
        let booking = |number: &str| -> BookingRow {
            serde_json::from_value(json!({ "booking_number": number, "booking_status": "Checked In",
                "check_in_date": "2026-11-18", "check_out_date": "2026-11-22", "room_number": "302", "room_type": null,
                "room_status": null, "beds": null, "view": null, "number_of_guests": null, "special_requests": null,
                "guest_name": "Beth Gibbs", "guest_email": null }))
            .unwrap()
        };
        let mut snapshot = HotelSnapshot {
            seq: 1,
            as_of: jiff::Timestamp::UNIX_EPOCH,
            today: jiff::civil::date(2026, 11, 20),
            date: jiff::civil::date(2026, 11, 20),
            currency: Currency::USD,
            rooms: Vec::new(),
            bookings: vec![booking("BK-0001")],
            balances: Default::default(),
            cases: Vec::new(),
            cut: Vec::new(),
        };
        let draft = FormDraft::default()
            .field("room", "302")
            .field("charge_number", "PT-00001");
        let wanted = ChargeRequest::of(&draft).unwrap();
        let one = FolioGuest::of(&wanted, &snapshot);
        assert_eq!(one.booking.as_deref(), Some("BK-0001"));
        snapshot.bookings.push(booking("BK-0002"));
        let two = FolioGuest::of(&wanted, &snapshot);
        assert!(two.booking.is_none() && two.name.contains("BK-0001 and BK-0002"));
    }
}
