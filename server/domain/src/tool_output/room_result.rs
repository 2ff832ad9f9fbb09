//! Result of `set_room_status`.

use crate::{
    output_schema::tool_output,
    {room_number::RoomNumber, vocabulary::RoomStatus},
};

tool_output! {
    /// Room as set.
    RoomResult {
        room_number: RoomNumber,
        room_status: RoomStatus,
        /// Status before.
        previous_status: RoomStatus,
        /// What else the caller should know.
        #[serde(default)]
        note: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    }
}
