//! Result of `check_in_guest`.

use crate::{
    booking_number::BookingNumber,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// Result of a check-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckInResult {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Room number: `302`.
    pub room_number: RoomNumber,
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
