//! The staff's room search: "Which rooms on floor 2 are dirty?"

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{limit, list_output, one_of, optional, room_type, whole},
};
use crate::{
    caller::Persona,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::RoomListItem,
    vocabulary::RoomStatus,
};

tool_input! {
    /// Input of `search_rooms_on_behalf_of_staff`.
    SearchRoomsOnBehalfOfStaff {
        status_filter: Option<RoomStatus> = optional(
            one_of(RoomStatus::WORDS, "Only in this status; dirty is Cleaning."),
        );
        floor_filter: Option<i64> = optional(whole(0, 99, "Only on this floor."));
        room_type: Option<String> = room_type();
        limit: u32 = limit(50);
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "search_rooms_on_behalf_of_staff",
        title: "Search rooms",
        description: "Lists rooms by number; all given filters must match. Use it for \"Which rooms on floor 2 are dirty?\" \
            (status_filter Cleaning, floor_filter 2).",
        personas: &[Persona::Staff],
        roles: ALL_ROLES,
        input: SearchRoomsOnBehalfOfStaff::fields(),
        check: SearchRoomsOnBehalfOfStaff::check,
        rules: vec![],
        example: json!({ "status_filter": RoomStatus::Cleaning, "floor_filter": 2 }),
        output: list_output::<RoomListItem>(),
        errors: &[],
        reversibility: Reversibility::Read,
        moves_money: false,
        writes: false,
    }
}
