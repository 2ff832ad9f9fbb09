//! Row of `search_rooms_on_behalf_of_staff`.

use serde::{Deserialize, Serialize};

use super::ListRow;
use crate::{
    money::{Cents, Currency},
    room_number::RoomNumber,
    vocabulary::RoomStatus,
};

/// Room as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomListItem {
    /// Room number: `302`.
    pub room_number: RoomNumber,
    /// Status.
    pub room_status: RoomStatus,
    /// Room type.
    pub room_type: String,
    /// Floor.
    pub floor: Option<i64>,
    /// Bed configuration.
    pub beds: Option<String>,
    /// View.
    pub view: Option<String>,
    /// Maximum number of guests.
    pub max_occupancy: i64,
    /// Whether it is accessible.
    pub accessible: bool,
    /// Price of a night.
    pub nightly_rate: Cents,
    /// Currency.
    pub currency: Currency,
    /// Whether a guest is in it.
    pub occupied: bool,
    /// What has to be completed: `Room 204: status is empty`.
    pub problems: Vec<String>,
}

impl ListRow for RoomListItem {
    const LIST: &'static str = "rooms";
}
