//! Rooms, as the orchestrators need them.

use async_trait::async_trait;

use crate::{
    call::{Call, Reply},
    inventory::{RoomFacts, RoomOrder, RoomQuery},
};

/// The hotel's rooms.
#[async_trait]
pub trait Rooms: Send + Sync + std::fmt::Debug {
    /// The rooms that fit, in one query, by number.
    async fn rooms(&self, query: &RoomQuery) -> Reply<Vec<RoomFacts>>;

    /// One composite: a guard on the room's status and guest, the status under the room's stamp,
    /// then the room as it is now.
    fn set_room_status(&self, order: &RoomOrder) -> Call;

    /// Sends [`Rooms::set_room_status`]. A failed guard is `Refused` with the code `guard_failed`.
    async fn send_room_status(&self, call: &Call) -> Reply<RoomFacts>;

    /// Writes the room's own size again under its stamp, so that a straggler of ours fails its own
    /// guard. Sent with `Crm::send_touch`.
    fn touch_room(&self, room: &RoomFacts) -> Call;
}
