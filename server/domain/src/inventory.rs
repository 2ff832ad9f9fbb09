//! Rooms as searched, booked and cleaned, and their availability.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

pub use crate::missing_room_field::MissingField;
use crate::{
    booking_number::BookingNumber, money::Cents, nights::Nights, room_number::RoomNumber,
    stay::Room, vocabulary::RoomStatus,
};

/// A room with the fields a booking decision needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomFacts {
    /// Number, status, current guest and last modification.
    pub room: Room,
    /// `Room_Type__c`: Standard, Deluxe, Suite, Penthouse.
    pub kind: String,
    /// `Floor__c`.
    pub floor: Option<i64>,
    /// `Nightly_Rate__c`.
    pub rate: Cents,
    /// `Max_Occupancy__c`.
    pub sleeps: i64,
    /// `Bed_Configuration__c`.
    pub beds: Option<String>,
    /// `View_Type__c`.
    pub view: Option<String>,
    /// `Accessible__c`.
    pub accessible: bool,
    /// `Square_Footage__c`. A touch rewrites it.
    #[serde(default)]
    pub square_footage: Option<i64>,
    /// Required fields that are empty in the record; the fields above have no value then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingField>,
}

impl RoomFacts {
    /// How soon a guest can move in: clean and empty rooms first, then those to be cleaned.
    #[must_use]
    pub fn readiness(&self) -> u8 {
        match self.room.status {
            RoomStatus::Vacant if self.room.current_guest.is_none() => 0,
            RoomStatus::Cleaning if self.room.current_guest.is_none() => 1,
            _ => 2,
        }
    }

    /// What has to be completed, for the front desk: `Room 204: status is empty`. A room without a number
    /// is named by its record.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let name = match self.has_number() {
            true => self.room.number.to_string(),
            false => format!("record {}", self.room.id),
        };
        self.missing
            .iter()
            .map(|what| format!("Room {name}: {} is empty", what.label()))
            .collect()
    }

    /// Whether people can name it: a room without a number is neither sold nor shown among others.
    #[must_use]
    pub fn has_number(&self) -> bool {
        !self.missing.contains(&MissingField::RoomNumber)
    }
}

/// Another booking that has, or requests, the same room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictingBooking {
    pub id: String,
    /// Booking number: `BK-…`.
    pub booking_number: BookingNumber,
    /// Creation time: of two rivals, the later one yields.
    pub created_at: Timestamp,
    /// Id of the user who created it.
    pub created_by: String,
}

/// Criteria for an available room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailabilityQuery {
    pub nights: Nights,
    /// Today: a guest who should already have left still occupies the room.
    pub today: Date,
    /// Record id of a booking to ignore: the one being changed.
    pub but: Option<String>,
}

impl AvailabilityQuery {
    /// Statuses in which a room can be had for these nights. What is under repair today may be ready
    /// for a later arrival.
    #[must_use]
    pub fn lettable(&self) -> Vec<RoomStatus> {
        let later = self.nights.from > self.today;
        let repaired = later.then_some(RoomStatus::Maintenance);
        RoomStatus::LETTABLE.into_iter().chain(repaired).collect()
    }
}

/// Filters for reading rooms; all given filters must match.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RoomQuery {
    pub number: Option<RoomNumber>,
    /// Type.
    pub kind: Option<String>,
    pub floor: Option<i64>,
    pub status: Option<RoomStatus>,
    /// Minimum occupancy.
    pub sleeps: Option<i64>,
    /// Available, by these criteria.
    pub free: Option<AvailabilityQuery>,
    /// Maximum number of results, by room number.
    pub limit: u32,
}

/// A change of a room's status only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomStatusOrder {
    /// Room as read; its stamp is the write's precondition.
    pub room: Room,
    /// New status.
    pub status: RoomStatus,
}
