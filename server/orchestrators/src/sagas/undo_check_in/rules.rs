//! Prerequisites: finds the check-in, and checks that nobody has changed the stay since.

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    ports::CheckOutRecords,
    stay::{Line, Stay},
    tool_answer::ToolError,
    tool_catalog::{UNDO_CHECK_IN_WINDOW, UndoCheckIn},
    vocabulary::{BookingStatus, FaultCode, LineStatus},
};
use dewy_saga::{Context, Fault, PrerequisitesResult, State, StoreError, journal::ExecutionFilter};
use jiff::Timestamp;
use serde_json::json;

use super::{Facts, undo_result};
use crate::{
    saga_parts::{
        engine_conversions,
        hotel_dependencies::HotelDependencies,
        tool_answer::{prerequisites_unavailable, refused, succeeded},
    },
    sagas::check_in::{CHECK_IN, MOVE},
};

/// Maximum number of check-ins to read; more than one booking has in that time.
const MAX_CHECK_INS: usize = 10;

/// A completed check-in, from its journal.
struct CheckIn {
    before: Stay,
    after: CheckOutRecords,
    guest_email: Option<EmailAddress>,
}

pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: UndoCheckIn,
) -> PrerequisitesResult {
    let number = input.booking_number;
    let found = parts
        .crm
        .stays_by_number(std::slice::from_ref(&number))
        .await;
    let now = match found.answered() {
        Ok(found) => found.into_iter().next(),
        Err(error) => return prerequisites_unavailable(error),
    };
    let Some(now) = now else {
        let details = json!({ "booking_number": number });
        return refused(ToolError::with(ErrorCode::BookingNotFound, details));
    };
    let mut labels = vec![
        ("booking_number".to_owned(), now.booking.number.to_string()),
        ("room_number".to_owned(), now.room.number.to_string()),
    ];
    if now.booking.status == BookingStatus::Reserved {
        return PrerequisitesResult::Finished {
            answer: succeeded(undo_result(
                &now,
                "This booking is not checked in; nothing was changed.",
            )),
            labels,
        };
    }
    let check_in = match check_in(parts, &now.booking.number, cx.now).await {
        Ok(check_in) => check_in,
        Err(error) => {
            return PrerequisitesResult::TryLater {
                fault: Fault::new(FaultCode::StoreFailed, error.to_string()),
            };
        }
    };
    let check_in = match judge(&now, check_in) {
        Ok(check_in) => check_in,
        Err(why) => {
            let details = json!({ "booking_number": now.booking.number, "why": why });
            return refused(ToolError::with(ErrorCode::InvalidTransition, details));
        }
    };
    labels.extend(
        check_in
            .guest_email
            .map(|email| ("guest_email".to_owned(), email.into())),
    );
    let claims = vec![
        format!("booking:{}", now.booking.id),
        format!("room:{}", now.room.id),
    ];
    let before = check_in.before;
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&Facts { before, now }),
        claims,
        labels,
    }
}

/// The booking's latest check-in, if it can still be undone.
async fn check_in(
    parts: &HotelDependencies,
    number: &BookingNumber,
    now: Timestamp,
) -> Result<Option<CheckIn>, StoreError> {
    let filter = ExecutionFilter {
        states: vec![State::Completed],
        saga: Some(CHECK_IN.to_owned()),
        labels: vec![("booking_number".to_owned(), number.to_string())],
        from: Some(now - UNDO_CHECK_IN_WINDOW),
        limit: MAX_CHECK_INS,
        ..ExecutionFilter::default()
    };
    for record in parts.journal.list(&filter).await? {
        let Some(record) = parts.journal.load(record.id).await? else {
            continue;
        };
        // A repeated check-in has no facts: it changed nothing
        let Ok(progress) = record.progress() else {
            continue;
        };
        if let (Some(before), Some(after)) = (progress.facts::<Stay>(), progress.output(MOVE)) {
            let guest_email = record
                .labels
                .into_iter()
                .find(|(name, _)| name == "guest_email")
                .map(|(_, email)| email.into());
            return Ok(Some(CheckIn {
                before,
                after,
                guest_email,
            }));
        }
    }
    Ok(None)
}

/// Whether the stay is exactly as the check-in left it.
///
/// # Errors
/// The reason, as a sentence for the front desk.
fn judge(now: &Stay, check_in: Option<CheckIn>) -> Result<CheckIn, String> {
    if now.booking.status != BookingStatus::CheckedIn {
        return Err(format!("The booking is {} now.", now.booking.status));
    }
    let Some(check_in) = check_in else {
        return Err("Only a check-in of the last two hours can be undone.".to_owned());
    };
    let after = &check_in.after;
    let why = if standing(&after.lines) != standing(&now.lines) {
        "Its folio has changed since the check-in."
    } else if now.room.id != after.room.id {
        "The guest has another room since."
    } else if now.booking != after.booking {
        "Somebody has changed the booking since the check-in."
    } else if now.room != after.room {
        "Somebody has changed the room since the check-in."
    } else if (&now.opportunity.stage, &now.opportunity.stamp.by)
        != (&after.opportunity.stage, &after.opportunity.stamp.by)
    {
        "Somebody has changed the sale since the check-in."
    } else {
        return Ok(check_in);
    };
    Err(why.to_owned())
}

/// The lines that count, in one order.
fn standing(lines: &[Line]) -> Vec<(&str, &LineStatus)> {
    let mut lines: Vec<_> = lines
        .iter()
        .map(|line| (line.id.as_str(), &line.status))
        .collect();
    lines.sort_by_key(|(id, _)| *id);
    lines
}
