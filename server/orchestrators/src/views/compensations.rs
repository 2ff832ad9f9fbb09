//! Records of compensations as staff see them.

use dewy_domain::{compensation_totals::CompensationTotals, execution_view::CompensationItem};
use dewy_saga::{StoreError, journal::ProjectionRow};

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::compensation_record::{COMPENSATION, CompensationRecord},
};

/// Number of newest records to search; older ones are found by their execution.
pub(crate) const MAX_SEARCHED: usize = 2000;

/// The newest records.
pub(crate) async fn newest(hotel: &Hotel) -> Result<Vec<ProjectionRow>, StoreError> {
    let journal = hotel.engine.journal();
    journal.projections(COMPENSATION, None, MAX_SEARCHED).await
}

/// Sums their money.
pub(crate) async fn totals(hotel: &Hotel) -> Result<CompensationTotals, StoreError> {
    let rows = newest(hotel).await?;
    let records: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row.execution.made_at()?, item(row)?)))
        .collect();
    let (settings, now) = (&hotel.settings, hotel.clock.now());
    Ok(CompensationTotals::of(
        &records,
        (settings.currency, &settings.time_zone),
        now,
        rows.len() == MAX_SEARCHED,
    ))
}

/// One of them, as lists show it; the guest is a label of its execution.
pub(crate) fn item(row: &ProjectionRow) -> Option<CompensationItem> {
    let record = CompensationRecord::of(row)?;
    Some(CompensationItem {
        payment_intent_id: record.payment_intent_id,
        execution_id: row.execution.to_string(),
        status: record.status,
        reason: record.reason.map(Into::into),
        guest_email: None,
        booking_number: record.booking_number,
        room_number: record.room_number,
        captured: record.captured,
        refunded: record.refunded,
        currency: record.currency,
        refund_id: record.refund_id,
        triggers: record.triggers,
        cause: record.cause,
        updated_at: row.updated_at,
    })
}
