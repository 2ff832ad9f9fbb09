//! Result of `set_room_status`.

use crate::{room_number::RoomNumber, vocabulary::RoomStatus};
use serde::{Deserialize, Serialize};

/// Room as set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomResult {
    /// Room number: `302`.
    pub room_number: RoomNumber,
    /// Status now.
    pub room_status: RoomStatus,
    /// Status before.
    pub previous_status: RoomStatus,
    /// What else the caller should know.
    #[serde(default)]
    pub note: String,
    /// Reason for the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
