//! Result of `check_in_guest`.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::vocabulary::{BookingStatus, OpportunityStage, RoomStatus};

/// Result of a check-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckInResult {
    /// Booking number: `BK-0042`.
    pub booking_number: String,
    /// Room number: `302`.
    pub room_number: String,
    /// Arrival date.
    pub check_in_date: Date,
    /// Departure date.
    pub check_out_date: Date,
    /// Status of the booking now.
    pub booking_status: BookingStatus,
    /// Status of the room now.
    pub room_status: RoomStatus,
    /// Stage of the opportunity now.
    pub opportunity_stage: OpportunityStage,
    /// What else the caller should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
