//! Who changed a record last, and when: for the second of two who wanted the same.

use dewy_domain::ports::SignedIn;
use serde_json::{Value, json};

use crate::{clock::HotelClock, labels, layout::desk, page_context::PageContext, staff::reads};

/// How many of the newest executions are looked through.
const NEWEST: u32 = 10;

/// `housekeeping@… at the desk, 20 Nov 2026, 14:03 UTC`: who brought about that field of the newest
/// finished execution of this tool. The desk alone may look at what others did; everybody else is
/// told only what is there now.
pub async fn who_did(
    ctx: &PageContext,
    clock: &HotelClock,
    who: &SignedIn,
    tool: &'static str,
    (field, value): (&str, &str),
) -> Option<String> {
    if !desk(who) {
        return None;
    }
    let input = json!({ "tool": tool, "state": "completed", "limit": NEWEST });
    let list = reads::ask::<reads::Executions>(ctx, who, "search_executions", input, "/staff")
        .await
        .ok()?
        .ok()?;
    for item in list.executions {
        let Some(view) = ctx.watch.execution(&who.caller, &item.execution_id).await else {
            continue;
        };
        let data = view.answer.as_ref().and_then(|answer| answer.get("data"));
        if data
            .and_then(|data| data.get(field))
            .and_then(Value::as_str)
            == Some(value)
        {
            let by = labels::asked_by(&view.asked_by.unwrap_or_default());
            return Some(format!("{by}, {}", clock.moment(view.updated_at)));
        }
    }
    None
}
