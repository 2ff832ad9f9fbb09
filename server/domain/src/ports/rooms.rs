//! Port for rooms.

use async_trait::async_trait;

use crate::{
    inventory::{RoomFacts, RoomQuery, RoomStatusOrder},
    upstream_request::{Call, Outcome},
};

#[async_trait]
pub trait Rooms: Send + Sync + std::fmt::Debug {
    /// Reads the matching rooms in one query, by number.
    async fn rooms(&self, query: &RoomQuery) -> Outcome<Vec<RoomFacts>>;

    /// One composite: a precondition on the room's status and guest, the status under the room's
    /// stamp, then a read of the room.
    fn set_room_status(&self, order: &RoomStatusOrder) -> Call;

    /// Sends [`Rooms::set_room_status`]. A failed precondition is `Refused` with the code
    /// `guard_failed`.
    async fn send_room_status(&self, call: &Call) -> Outcome<RoomFacts>;

    /// Rewrites the room's own size under its stamp, so that a late effect of ours fails its own
    /// precondition. Sent with `Crm::send_touch`.
    fn touch_room(&self, room: &RoomFacts) -> Call;
}
