//! What a room is now, and what it would become.

use dewy_domain::{
    caller::Caller,
    tool_answer::ToolAnswer,
    tool_catalog::{SearchRoomsOnBehalfOfStaff, SetRoomStatus},
};
use serde_json::json;

use super::Terms;
use crate::concierge_service::Inner;

impl Inner {
    /// Terms of a new status.
    pub(super) async fn becoming(
        &self,
        caller: &Caller,
        wanted: &SetRoomStatus,
    ) -> Result<Terms, ToolAnswer> {
        let all = json!({ "limit": 200 });
        let found = self.read::<SearchRoomsOnBehalfOfStaff>(caller, all).await?;
        let mut rooms = found.rows.into_iter();
        let Some(room) = rooms.find(|room| room.room_number == wanted.room_number) else {
            return Ok(Terms::default());
        };
        let (number, now) = (&room.room_number, room.room_status.as_str());
        Ok(Terms {
            facts: vec![format!("Room {number} is {now} now.").into()],
            ..Terms::default()
        })
    }
}
