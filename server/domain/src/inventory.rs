//! Rooms as they are searched, booked and cleaned, and who has one for which nights.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

pub use crate::missing::Missing;
use crate::{money::Cents, nights::Nights, stay::Room};

/// A room with what a booking decides on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomFacts {
    /// Number, status, who is in it, and its stamp.
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
    /// `Square_Footage__c`. A touch writes it again.
    #[serde(default)]
    pub square_footage: Option<i64>,
    /// What is decided on and empty in the record; the fields above hold nothing then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

impl RoomFacts {
    /// What somebody has to fill in, for the desk: `Room 204: status is empty`.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        self.missing
            .iter()
            .map(|what| format!("Room {}: {} is empty", self.room.number, what.words()))
            .collect()
    }
}

/// A booking that has, or wants, a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rival {
    /// Record id.
    pub id: String,
    /// `BK-…`.
    pub booking_number: String,
    /// When it was made: of two, the later one yields.
    pub created_at: Timestamp,
    /// By which user.
    pub created_by: String,
}

/// Free for whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailabilityQuery {
    /// For these nights.
    pub nights: Nights,
    /// What today is: somebody who should have left already still has the room.
    pub today: Date,
    /// A booking that does not count, by record id: the one that is to be changed.
    pub but: Option<String>,
}

/// Which rooms to read; all that is given must fit.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RoomQuery {
    /// This one.
    pub number: Option<String>,
    /// Of this type.
    pub kind: Option<String>,
    /// On this floor.
    pub floor: Option<i64>,
    /// In this status.
    pub status: Option<String>,
    /// Where so many can sleep.
    pub sleeps: Option<i64>,
    /// Not taken by any booking.
    pub free: Option<AvailabilityQuery>,
    /// At most so many, by number.
    pub limit: u32,
}

/// A change of a room's status, and of nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomOrder {
    /// The room as it was read; its stamp is the guard.
    pub room: Room,
    /// The new status.
    pub status: String,
}
