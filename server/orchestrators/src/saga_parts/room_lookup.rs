//! A room by its number, for every saga and read that names one.

use dewy_domain::{
    error_code::ErrorCode,
    inventory::{RoomFacts, RoomQuery},
    ports::Crm,
    room_number::RoomNumber,
    tool_answer::ToolError,
    upstream_request::Fault,
};
use serde_json::json;

pub(crate) async fn room(crm: &dyn Crm, number: &RoomNumber) -> Result<Option<RoomFacts>, Fault> {
    let query = RoomQuery {
        number: Some(number.clone()),
        limit: 1,
        ..RoomQuery::default()
    };
    Ok(crm.rooms(&query).await.answered()?.into_iter().next())
}

pub(crate) async fn room_named(
    crm: &dyn Crm,
    number: Option<&RoomNumber>,
) -> Result<Option<RoomFacts>, Fault> {
    match number {
        Some(number) => room(crm, number).await,
        None => Ok(None),
    }
}

pub(crate) fn no_such_room(number: &RoomNumber) -> ToolError {
    ToolError::with(ErrorCode::RoomNotFound, json!({ "room_number": number }))
}
