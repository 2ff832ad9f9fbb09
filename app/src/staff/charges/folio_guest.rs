//! On whose folio a charge will be.

use dewy_domain::{ports::HotelSnapshot, reservation::BookingRow};

use super::charge::Wanted;
use crate::form_draft::FormDraft;

/// The stay that a room or a booking number means right now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolioGuest {
    /// The guest's name, or why there is none.
    pub name: String,
    /// The booking, where one is meant.
    pub booking: Option<String>,
}

impl FolioGuest {
    /// Who is in that room, or whose that booking is, as the board knows it.
    pub fn of(wanted: &Wanted, snapshot: &HotelSnapshot) -> Self {
        let (room, booking) = wanted.place();
        let meant = |row: &&BookingRow| match booking {
            "" => row.booking_status == "Checked In" && row.room_number.as_deref() == Some(room),
            number => row.booking_number == number,
        };
        match snapshot.bookings.iter().find(meant) {
            Some(row) => Self {
                name: row
                    .guest_name
                    .clone()
                    .unwrap_or_else(|| "A guest without a name".to_owned()),
                booking: Some(row.booking_number.clone()),
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

    /// The form for this stay and no other: whoever moves into the room meanwhile is not charged.
    pub fn pinned(&self, draft: FormDraft) -> FormDraft {
        match &self.booking {
            Some(number) => draft.field("booking", number.clone()),
            None => draft,
        }
    }
}
