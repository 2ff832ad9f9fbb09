//! Result of `search_available_rooms`.

use serde::{Deserialize, Serialize};

use crate::money::{Cents, Currency};

/// A room that is free for all of the nights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailableRoom {
    /// Room number: `302`.
    pub room_number: String,
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
}

/// The rooms of the result.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AvailableRooms {
    /// Rooms, as the tool sorts them.
    pub rooms: Vec<AvailableRoom>,
}
