//! The `search_executions` tool. All filters must match; a truncated list says so.

use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::SearchExecutions,
    tool_output::ListResult,
    vocabulary::ExecutionState,
};
use dewy_saga::{State, journal::ExecutionFilter};
use jiff::{Timestamp, ToSpan, civil::Date};

use crate::{
    hotel::hotel_service::Hotel,
    sagas::{check_out::CARD_LABEL, send_text::SEND_TEXT},
    views::execution_view,
};

pub(crate) async fn run(hotel: &Hotel, _: &Caller, input: SearchExecutions) -> ToolAnswer {
    let (from, to) = match period(hotel, input.from, input.to) {
        Ok(days) => days,
        Err(error) => return error.into(),
    };
    let limit = input.limit;
    let payment = |number: &String| {
        if is_last4(number) {
            CARD_LABEL
        } else {
            "payment_intent_id"
        }
    };
    let payment = input.payment_intent_id.as_ref().map_or(CARD_LABEL, payment);
    let labels = [
        ("guest_email", input.guest_email.map(Into::into)),
        ("booking_number", input.booking_number.map(Into::into)),
        ("room_number", input.room_number.map(Into::into)),
        (payment, input.payment_intent_id),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name.to_owned(), value?)))
    .collect();
    let filter = ExecutionFilter {
        states: input
            .state
            .iter()
            .flat_map(|state| ExecutionState::of_filter(state.as_str()))
            .filter_map(|state| State::from_name(state.as_str()))
            .collect(),
        // Texts are listed if asked for: many that failed must not hide one payment.
        not_saga: input.tool.is_none().then(|| SEND_TEXT.to_owned()),
        labels,
        from,
        to,
        // One more than asked for tells whether the list is cut.
        limit: limit + 1,
        saga: input.tool,
    };
    match hotel.engine.journal().list(&filter).await {
        Ok(mut records) => {
            let cut = records.len() > limit;
            records.truncate(limit);
            let items: Vec<_> = records
                .iter()
                .map(|r| execution_view::item(&hotel.engine, r))
                .collect();
            let narrow =
                "There are more. Give state, tool, guest_email, booking_number or a span of days.";
            ToolAnswer::data(ListResult::new(items, cut, narrow))
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

/// The period from the start of `from` to the end of `to`, in the hotel's time zone.
///
/// # Errors
/// Dates beyond the calendar, or in the wrong order.
pub(crate) fn period(
    hotel: &Hotel,
    from: Option<Date>,
    to: Option<Date>,
) -> Result<(Option<Timestamp>, Option<Timestamp>), ToolError> {
    let start = |name: &str, day: Option<Date>, later: i32| {
        let start = |day: Date| {
            let day = day.checked_add(later.days())?;
            day.to_zoned(hotel.settings.time_zone.clone())
        };
        match day.map(start).transpose() {
            Ok(at) => Ok(at.map(|at| at.timestamp())),
            Err(_) => Err(ToolError::problem(
                name,
                format!("{name} is not a day of the calendar; write it as 2026-03-10."),
            )),
        }
    };
    let (from, to) = (start("from", from, 0)?, start("to", to, 1)?);
    match (from, to) {
        (Some(from), Some(to)) if from >= to => Err(ToolError::problem("to", "to is before from.")),
        days => Ok(days),
    }
}
