//! Prerequisites: finds the check-in, and checks that nobody has changed the stay since.

use std::cmp::Reverse;

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    payment_intent_id::PaymentIntentId,
    ports::CheckOutRecords,
    stay::{Line, Stay},
    tool_answer::ToolError,
    tool_catalog::{UNDO_CHECK_IN_WINDOW, UndoCheckIn},
    vocabulary::{BookingStatus, LineStatus},
};
use dewy_saga::{Context, PrerequisitesResult, State, StoreError, journal::ExecutionFilter};
use jiff::Timestamp;
use serde_json::json;

use super::{Facts, undo_result};
use crate::{
    saga_parts::{
        engine_conversions::BOOK,
        hotel_dependencies::HotelDependencies,
        not_ready::{NotReady, finished, label, ready},
    },
    sagas::{
        check_in::{CHECK_IN, HOLD, MOVE},
        create_booking::WALK_IN,
    },
};

/// Maximum number of check-ins to read; more than one booking has in that time.
const MAX_CHECK_INS: usize = 10;

/// A completed check-in, from its journal.
struct CheckIn {
    before: Stay,
    after: CheckOutRecords,
    hold: Option<PaymentIntentId>,
    guest_email: Option<EmailAddress>,
}

pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: UndoCheckIn,
) -> Result<PrerequisitesResult, NotReady> {
    let number = std::slice::from_ref(&input.booking_number);
    let found = parts.crm.stays_by_number(number).await.answered()?;
    let Some(now) = found.into_iter().next() else {
        let details = json!({ "booking_number": input.booking_number });
        return Err(ToolError::with(ErrorCode::BookingNotFound, details).into());
    };
    let mut labels = vec![
        label("booking_number", &now.booking.number),
        label("room_number", &now.room.number),
    ];
    if now.booking.status == BookingStatus::Reserved {
        let note = "This booking is not checked in; nothing was changed.";
        return finished(undo_result(&now, note), labels);
    }
    let check_in = check_in(parts, &now.booking.number, cx.now).await?;
    let check_in = judge(&now, check_in).map_err(|why| {
        let details = json!({ "booking_number": now.booking.number, "why": why });
        ToolError::with(ErrorCode::InvalidTransition, details)
    })?;
    labels.extend((check_in.guest_email.clone()).map(|email| label("guest_email", email)));
    let claims = vec![
        format!("booking:{}", now.booking.id),
        format!("room:{}", now.room.id),
    ];
    let CheckIn { before, hold, .. } = check_in;
    ready(&Facts { before, now, hold }, claims, labels)
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
    let mut found = parts.journal.list(&filter).await?;
    let walked_in = ExecutionFilter {
        saga: Some(WALK_IN.to_owned()),
        ..filter
    };
    found.extend(parts.journal.list(&walked_in).await?);
    found.sort_by_key(|record| Reverse(record.created_at));
    for record in found {
        let Some(record) = parts.journal.load(record.id).await? else {
            continue;
        };
        // A repeated check-in has no facts: it changed nothing
        let Ok(progress) = record.progress() else {
            continue;
        };
        let booked = || Some(progress.output(BOOK)?.there.stay);
        let before = progress.facts::<Stay>().or_else(booked);
        if let (Some(before), Some(after)) = (before, progress.output(MOVE)) {
            return Ok(Some(CheckIn {
                before,
                after,
                hold: progress.output(HOLD).map(|payment| payment.id),
                guest_email: record.label("guest_email").map(Into::into),
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
