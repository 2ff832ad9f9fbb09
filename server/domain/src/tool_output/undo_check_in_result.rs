//! Result of `undo_check_in`.

use crate::{
    booking_number::BookingNumber,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use serde::{Deserialize, Serialize};

/// Result of an undone check-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoCheckInResult {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Room number: `302`.
    pub room_number: RoomNumber,
    /// Status of the booking now.
    pub booking_status: BookingStatus,
    /// Status of the room now.
    pub room_status: RoomStatus,
    /// Stage of the opportunity now.
    pub opportunity_stage: OpportunityStage,
    /// What else the caller should know.
    #[serde(default)]
    pub note: String,
}
