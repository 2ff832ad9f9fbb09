//! Author and time of a record's last change, for the loser of a conflict.

use dewy_domain::ports::SignedIn;
use serde_json::{Value, json};

use crate::{
    dates::moment, hotel_time::HotelClock, labels, layout::is_front_desk,
    page_context::PageContext, pages::staff::staff_reads,
};

/// Number of recent executions searched.
const MAX_EXECUTIONS: u32 = 10;

/// `housekeeping@… at the desk, Nov 20, 2026, 14:03 UTC`: who brought about that field of the newest
/// execution with that field. Only the front desk may see other people's executions; everybody else
/// sees just the current value.
pub async fn who_did(
    ctx: &PageContext,
    clock: &HotelClock,
    user: &SignedIn,
    tool: &'static str,
    (field, value): (&str, &str),
) -> Option<String> {
    if !is_front_desk(user) {
        return None;
    }
    let input = json!({ "tool": tool, "state": "completed", "limit": MAX_EXECUTIONS });
    let list = staff_reads::read_tool::<staff_reads::Executions>(
        ctx,
        user,
        "search_executions",
        input,
        "/staff",
    )
    .await
    .ok()?
    .ok()?;
    for item in list.rows {
        let Some(view) = ctx
            .execution_feed
            .execution(&user.caller, &item.execution_id)
            .await
        else {
            continue;
        };
        let data = view.answer.as_ref().and_then(|answer| answer.get("data"));
        if data
            .and_then(|data| data.get(field))
            .and_then(Value::as_str)
            == Some(value)
        {
            let by = labels::asked_by(&view.asked_by.unwrap_or_default());
            return Some(format!("{by}, {}", moment(clock, view.updated_at)));
        }
    }
    None
}
