//! Result of `undo_check_in`.

use crate::{
    booking_number::BookingNumber,
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};

tool_output! {
    /// Result of an undone check-in.
    UndoCheckInResult {
        booking_number: BookingNumber,
        room_number: RoomNumber,
        booking_status: BookingStatus,
        room_status: RoomStatus,
        opportunity_stage: OpportunityStage,
        /// What else the caller should know.
        #[serde(default)]
        note: String,
    }
}
