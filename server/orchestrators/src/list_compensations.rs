//! What was undone? One record per payment.

use dewy_domain::{
    answer::{ToolAnswer, ToolError},
    error_code::ErrorCode,
    view::CompensationItem,
};
use dewy_saga::journal::BesideRow;
use serde_json::{Value, json};

use crate::{
    bridge,
    hotel::Hotel,
    search_executions::{days, limit},
};

/// How many are listed unless told.
const LIMIT: u64 = 50;

/// How many of the newest records are looked through; older ones are found by their execution.
const NEWEST: usize = 2000;

/// Reads the list.
pub(crate) async fn run(hotel: &Hotel, input: &Value) -> ToolAnswer {
    let (from, to) = match days(hotel, input) {
        Ok(days) => days,
        Err(problems) => return ToolError::problems(&problems).into(),
    };
    let journal = hotel.engine.journal();
    let rows = match journal.beside("compensation", None, NEWEST).await {
        Ok(rows) => rows,
        Err(error) => {
            tracing::error!(%error, "compensations could not be listed");
            return ToolError::new(ErrorCode::Internal).into();
        }
    };
    let limit = limit(input, LIMIT);
    let (status, email) = (input["status"].as_str(), input["guest_email"].as_str());
    let mut items = Vec::new();
    let mut cut = rows.len() == NEWEST;
    for row in rows {
        if from.is_some_and(|from| row.updated_at < from) || to.is_some_and(|to| row.updated_at >= to) {
            continue;
        }
        if status.is_some_and(|status| row.body["status"] != status) {
            continue;
        }
        let Some(mut item) = item(&row) else { continue };
        if let Ok(Some(record)) = journal.load(row.execution).await {
            item.guest_email = record.labels.into_iter().find(|(n, _)| n == "guest_email").map(|(_, v)| v);
        }
        if email.is_some_and(|email| item.guest_email.as_deref() != Some(email)) {
            continue;
        }
        if items.len() == limit {
            cut = true;
            break;
        }
        items.push(item);
    }
    ToolAnswer::data(json!({
        "compensations": items,
        "cut": cut,
        "how_to_narrow": if cut { "There are more. Give status, guest_email or a span of days." } else { "" },
    }))
}

fn item(row: &BesideRow) -> Option<CompensationItem> {
    let text = |name: &str| row.body[name].as_str().map(str::to_owned);
    Some(CompensationItem {
        payment_intent_id: row.key.clone(),
        execution_id: row.execution.to_string(),
        status: text("status")?,
        reason: text("reason"),
        guest_email: None,
        booking_number: text("booking_number"),
        room_number: text("room_number"),
        captured: bridge::read(&row.body["captured"])?,
        refunded: bridge::read(&row.body["refunded"])?,
        currency: bridge::read(&row.body["currency"])?,
        refund_id: text("refund_id"),
        triggers: bridge::read(&row.body["triggers"]).unwrap_or_default(),
        cause: text("cause").unwrap_or_default(),
        updated_at: row.updated_at,
    })
}
