//! The staff's room search: "Which rooms on floor 2 are dirty?"

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{limit, one_of, optional, room_type, whole},
};
use crate::{
    tool::Tool,
    tool_input::{ToolInput, tool_input},
    tool_output::{ListResult, RoomListItem},
    vocabulary::RoomStatus,
};

tool_input! {
    SearchRoomsOnBehalfOfStaff = "search_rooms_on_behalf_of_staff" => ListResult<RoomListItem> {
        status_filter: Option<RoomStatus> = optional(
            one_of(RoomStatus::WORDS, "Only in this status; dirty is Cleaning."),
        );
        floor_filter: Option<i64> = optional(whole(0, 99, "Only on this floor."));
        room_type: Option<String> = room_type();
        limit: u32 = limit(50);
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Search rooms",
        description: "Lists rooms by number; all given filters must match. Use it for \"Which rooms on floor 2 are dirty?\" \
            (status_filter Cleaning, floor_filter 2).",
        roles: ALL_ROLES,
        ..SearchRoomsOnBehalfOfStaff::read_entry(
            json!({ "status_filter": RoomStatus::Cleaning, "floor_filter": 2 }),
        )
    }
}
