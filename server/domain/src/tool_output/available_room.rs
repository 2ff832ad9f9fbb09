//! Result of `search_available_rooms`.

use crate::{
    inventory::RoomFacts,
    money::{Cents, Currency},
    nights::Nights,
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::RoomStatus,
};

tool_output! {
    /// A room that is free for all of the nights.
    AvailableRoom in "rooms" {
        room_number: RoomNumber,
        room_type: String,
        floor: Option<i64>,
        beds: Option<String>,
        view: Option<String>,
        max_occupancy: i64,
        accessible: bool,
        nightly_rate: Cents,
        /// Price of all nights.
        total: Cents,
        nights: i64,
        currency: Currency,
        /// Whether a guest can move in now; only for an arrival today.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ready: Option<bool>,
        /// Housekeeping state, for staff; only for an arrival today.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room_status: Option<RoomStatus>,
    }
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
