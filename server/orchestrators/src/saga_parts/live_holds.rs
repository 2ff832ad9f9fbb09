//! The holds of a stay: marked by metadata when they are placed, found by it later.

use std::collections::BTreeMap;

use dewy_domain::{
    payment::{Customer, Payment, PaymentStatus},
    ports::Payments,
    stay::Stay,
    upstream_request::Fault,
    vocabulary::FaultCode,
};
use dewy_saga::ExecutionId;
use jiff::{SignedDuration, Timestamp};

use crate::saga_parts::settings::Settings;

/// Metadata key: record id of the booking.
pub(crate) const BOOKING: &str = "booking_id";
/// Metadata key: what a payment is for, where it is no ordinary one.
pub(crate) const PURPOSE: &str = "purpose";
/// Purpose of a hold.
pub(crate) const HOLD: &str = "hold";

/// Name of the saga that renews a hold.
pub const RENEW_HOLD: &str = "renew_hold";

/// How long after its creation a payment may still be held; no card network allows more.
pub(crate) const LONGEST_HOLD: SignedDuration = SignedDuration::from_hours(31 * 24);

/// Metadata of a hold for this stay.
pub(crate) fn hold_metadata(
    settings: &Settings,
    execution: ExecutionId,
    stay: &Stay,
) -> BTreeMap<String, String> {
    let mut metadata = settings.stripe_metadata(&execution.to_string());
    let marks = [
        (PURPOSE, HOLD.to_owned()),
        (BOOKING, stay.booking.id.clone()),
        ("booking_number", stay.booking.number.to_string()),
        ("room_number", stay.room.number.to_string()),
    ];
    metadata.extend(marks.map(|(name, value)| (name.to_owned(), value)));
    metadata
}

/// Whether a payment was made as a hold, whatever became of it.
pub(crate) fn is_hold(metadata: &BTreeMap<String, String>) -> bool {
    metadata.get(PURPOSE).is_some_and(|purpose| purpose == HOLD)
}

/// Holds of this booking that can still be captured, newest first: what they hold is in
/// [`Payment::hold`]. One request for each of the guest's customers.
///
/// # Errors
/// The payments of one could not be read.
pub(crate) async fn live_holds(
    payments: &dyn Payments,
    customers: &[Customer],
    booking_id: &str,
    now: Timestamp,
) -> Result<Vec<Payment>, Fault> {
    let mut live = Vec::new();
    for customer in customers {
        live.extend(of_customer(payments, &customer.id, booking_id, now).await?);
    }
    Ok(live)
}

/// Whether another hold stands in the place of this one, which has ended.
///
/// # Errors
/// The payments could not be read.
pub(crate) async fn is_replaced(
    payments: &dyn Payments,
    ended: &Payment,
    now: Timestamp,
) -> Result<bool, Fault> {
    let (Some(customer), Some(booking)) = (&ended.customer, ended.metadata.get(BOOKING)) else {
        return Ok(false);
    };
    let live = of_customer(payments, customer, booking, now).await?;
    Ok(!live.is_empty())
}

async fn of_customer(
    payments: &dyn Payments,
    customer: &str,
    booking_id: &str,
    now: Timestamp,
) -> Result<Vec<Payment>, Fault> {
    let of_stay = |metadata: &BTreeMap<String, String>| {
        is_hold(metadata) && metadata.get(BOOKING).is_some_and(|id| id == booking_id)
    };
    let since = now - LONGEST_HOLD;
    let all = payments.payments_since(Some(customer), since).await;
    let mut all = all.answered()?;
    if let Some(spoiled) = all.unreadable.iter().find(|one| of_stay(&one.metadata)) {
        let why = format!("{}: {}", spoiled.id, spoiled.why);
        return Err(Fault::new(FaultCode::UnreadableResponse, why));
    }
    all.items.retain(|payment| {
        payment.status == PaymentStatus::RequiresCapture && of_stay(&payment.metadata)
    });
    Ok(all.items)
}
