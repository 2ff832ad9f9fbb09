//! Guest whose folio a charge will be posted to.

use dewy_domain::{ports::HotelSnapshot, reservation::BookingRow, vocabulary::BookingStatus};

use super::charge_request::ChargeRequest;
use crate::form_draft::FormDraft;

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
        match snapshot.bookings.iter().find(meant) {
            Some(row) => Self {
                name: row
                    .guest_name
                    .clone()
                    .unwrap_or_else(|| "A guest without a name".to_owned()),
                booking: Some(row.booking_number.to_string()),
            },
            None if booking.is_empty() => Self {
                name: format!("Nobody is checked in to room {room}"),
                booking: None,
            },
            None => Self {
                name: "Not among the stays around today".to_owned(),
                booking: None,
            },
        }
    }

    /// Form for exactly this stay: a guest who moves into the room in the meantime is not charged.
    pub fn pinned(&self, draft: FormDraft) -> FormDraft {
        match &self.booking {
            Some(number) => draft.field("booking", number.clone()),
            None => draft,
        }
    }
}
