//! Result of `search_available_rooms`.

use serde::{Deserialize, Serialize};

use super::ListRow;
use crate::{
    inventory::RoomFacts,
    money::{Cents, Currency},
    nights::Nights,
    room_number::RoomNumber,
    vocabulary::RoomStatus,
};

/// A room that is free for all of the nights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailableRoom {
    /// Room number: `302`.
    pub room_number: RoomNumber,
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
    /// Price of all nights.
    pub total: Cents,
    /// Number of nights.
    pub nights: i64,
    /// Currency.
    pub currency: Currency,
    /// Whether a guest can move in now; only for an arrival today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
    /// Housekeeping state, for staff; only for an arrival today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_status: Option<RoomStatus>,
}

impl AvailableRoom {
    /// A room for these nights.
    #[must_use]
    pub fn of(room: RoomFacts, stay: Nights, currency: Currency) -> Self {
        Self {
            room_number: room.room.number,
            room_type: room.kind,
            floor: room.floor,
            beds: room.beds,
            view: room.view,
            max_occupancy: room.sleeps,
            accessible: room.accessible,
            nightly_rate: room.rate,
            total: Cents(room.rate.0 * stay.count()),
            nights: stay.count(),
            currency,
            ready: None,
            room_status: None,
        }
    }
}

impl ListRow for AvailableRoom {
    const LIST: &'static str = "rooms";
}
