//! Fields a room record may lack.

use serde::{Deserialize, Serialize};

/// An empty field of a room that a decision needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingField {
    /// `Room_Number__c`.
    RoomNumber,
    /// `Status__c`.
    Status,
    /// `Nightly_Rate__c`.
    NightlyRate,
    /// `Max_Occupancy__c`.
    MaxOccupancy,
}

impl MissingField {
    /// Display name.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::RoomNumber => "room number",
            Self::Status => "status",
            Self::NightlyRate => "nightly rate",
            Self::MaxOccupancy => "max occupancy",
        }
    }

    /// API name.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::RoomNumber => "Room_Number__c",
            Self::Status => "Status__c",
            Self::NightlyRate => "Nightly_Rate__c",
            Self::MaxOccupancy => "Max_Occupancy__c",
        }
    }
}
