//! The `search_executions` tool. All filters must match; a truncated list says so.

use dewy_domain::{
    answer::{Problem, ToolAnswer, ToolError},
    error_code::ErrorCode,
    whole_number::whole_number,
};
use dewy_saga::{State, journal::Filter};
use jiff::{Timestamp, ToSpan, civil::Date};
use serde_json::{Value, json};

use crate::{check_out::CARD, hotel::Hotel, send_text::SEND_TEXT, view};

/// Default maximum number of results.
const LIMIT: usize = 50;

/// Reads the list.
pub(crate) async fn run(hotel: &Hotel, input: &Value) -> ToolAnswer {
    let (from, to) = match days(hotel, input) {
        Ok(days) => days,
        Err(problems) => return ToolError::problems(&problems).into(),
    };
    let limit = limit(input, LIMIT);
    let mut labels = Vec::new();
    for name in [
        "guest_email",
        "booking_number",
        "room_number",
        "payment_intent_id",
    ] {
        if let Some(value) = input[name].as_str() {
            let name = if name == "payment_intent_id" && is_last4(value) {
                CARD
            } else {
                name
            };
            labels.push((name.to_owned(), value.to_owned()));
        }
    }
    let filter = Filter {
        states: input["state"]
            .as_str()
            .and_then(State::from_name)
            .into_iter()
            .collect(),
        saga: input["tool"].as_str().map(str::to_owned),
        labels,
        from,
        to,
        // One more than asked for tells whether the list is cut. Without a tool texts are left out:
        // an execution owes two at most.
        limit: if input["tool"].is_null() {
            3 * limit + 1
        } else {
            limit + 1
        },
    };
    match hotel.engine.journal().list(&filter).await {
        Ok(mut records) => {
            let more = records.len() == filter.limit;
            if filter.saga.is_none() {
                records.retain(|record| record.saga != SEND_TEXT);
            }
            let cut = more || records.len() > limit;
            records.truncate(limit);
            let items: Vec<_> = records
                .iter()
                .map(|r| view::item(&hotel.engine, r))
                .collect();
            ToolAnswer::data(json!({
                "executions": items,
                "cut": cut,
                "how_to_narrow": if cut { "There are more. Give state, tool, guest_email, booking_number or a span of days." } else { "" },
            }))
        }
        Err(error) => {
            tracing::error!(%error, "executions could not be listed");
            ToolError::new(ErrorCode::Internal).into()
        }
    }
}

/// A card's last four digits, as a guest reads them out.
fn is_last4(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit())
}

/// Maximum number of results.
pub(crate) fn limit(input: &Value, default: usize) -> usize {
    whole_number(&input["limit"])
        .and_then(|n| usize::try_from(n).ok())
        .unwrap_or(default)
}

/// The period from the start of `from` to the end of `to`, in the hotel's time zone.
///
/// # Errors
/// Dates that do not exist, or in the wrong order.
pub(crate) fn days(
    hotel: &Hotel,
    input: &Value,
) -> Result<(Option<Timestamp>, Option<Timestamp>), Vec<Problem>> {
    let mut problems = Vec::new();
    let mut day = |name: &str, later: i32| {
        let text = input[name].as_str()?;
        let at = text
            .parse::<Date>()
            .and_then(|d| d.checked_add(later.days()))
            .and_then(|d| d.to_zoned(hotel.settings.time_zone.clone()));
        match at {
            Ok(at) => Some(at.timestamp()),
            Err(_) => {
                let message =
                    format!("{name} is not a day of the calendar; write it as 2026-03-10.");
                problems.push(Problem {
                    field: name.to_owned(),
                    message,
                });
                None
            }
        }
    };
    let (from, to) = (day("from", 0), day("to", 1));
    if let (Some(from), Some(to)) = (from, to)
        && from >= to
    {
        problems.push(Problem {
            field: "to".to_owned(),
            message: "to is before from.".to_owned(),
        });
    }
    if problems.is_empty() {
        Ok((from, to))
    } else {
        Err(problems)
    }
}
