//! Guest whose folio a charge will be posted to.

use dewy_domain::{ports::HotelSnapshot, reservation::BookingRow, vocabulary::BookingStatus};

use super::charge_request::ChargeRequest;

/// Stay that a room or booking number currently refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolioGuest {
    /// Name of the guest, or the reason why there is none.
    pub name: String,
    /// Booking, if there is one.
    pub booking: Option<String>,
}

impl FolioGuest {
    /// Guest of that room or booking, as the board knows it.
    pub fn of(wanted: &ChargeRequest, snapshot: &HotelSnapshot) -> Self {
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
            [row] => Self {
                name: row
                    .guest_name
                    .clone()
                    .unwrap_or_else(|| "A guest without a name".to_owned()),
                booking: Some(row.booking_number.to_string()),
            },
            [] if booking.is_empty() => Self {
                name: format!("Nobody is checked in to room {room}"),
                booking: None,
            },
            [] => Self {
                name: "Not among the stays around today".to_owned(),
                booking: None,
            },
            several => {
                let numbers = several.iter().map(|row| row.booking_number.as_str());
                let numbers = Vec::from_iter(numbers).join(" and ");
                Self {
                    name: format!("Room {room} has {numbers}: enter the booking number"),
                    booking: None,
                }
            }
        }
    }
}
