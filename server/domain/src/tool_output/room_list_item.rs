//! Row of `search_rooms_on_behalf_of_staff`.

use crate::{
    money::{Cents, Currency},
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::RoomStatus,
};

tool_output! {
    /// Room as staff see it.
    RoomListItem in "rooms" {
        room_number: RoomNumber,
        room_status: RoomStatus,
        room_type: String,
        floor: Option<i64>,
        beds: Option<String>,
        view: Option<String>,
        max_occupancy: i64,
        accessible: bool,
        nightly_rate: Cents,
        currency: Currency,
        /// Whether a guest is in it.
        occupied: bool,
        /// What has to be completed: `Room 204: status is empty`.
        problems: Vec<String>,
    }
}
