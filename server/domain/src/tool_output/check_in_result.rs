//! Result of `check_in_guest`.

use crate::{
    booking_number::BookingNumber,
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use jiff::civil::Date;

tool_output! {
    /// Result of a check-in.
    CheckInResult {
        booking_number: BookingNumber,
        room_number: RoomNumber,
        check_in_date: Date,
        check_out_date: Date,
        booking_status: BookingStatus,
        room_status: RoomStatus,
        opportunity_stage: OpportunityStage,
        /// What else the caller should know.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
}
