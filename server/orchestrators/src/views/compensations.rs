//! Records of compensations as staff see them.

use std::time::Duration;

use dewy_domain::{
    compensation_totals::CompensationTotals,
    execution_view::CompensationItem,
    payment::{Refund, RefundStatus},
};
use dewy_saga::{StoreError, journal::ProjectionRow};
use futures::future::join_all;
use jiff::Timestamp;

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{
        compensation_record::{COMPENSATION, CompensationRecord},
        engine_conversions,
    },
};

/// Number of newest records to search; older ones are found by their execution.
pub(crate) const MAX_SEARCHED: usize = 2000;

/// Number of pending refunds to ask for at once; more than a few are rare.
const MAX_ASKED: usize = 10;
/// How long a page waits for their answers.
const PATIENCE: Duration = Duration::from_secs(2);

/// The newest records.
pub(crate) async fn newest(hotel: &Hotel) -> Result<Vec<ProjectionRow>, StoreError> {
    let journal = hotel.engine.journal();
    journal.projections(COMPENSATION, None, MAX_SEARCHED).await
}

/// Sums their money.
pub(crate) async fn totals(hotel: &Hotel) -> Result<CompensationTotals, StoreError> {
    let rows = newest(hotel).await?;
    let mut records: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row.execution.made_at()?, item(row)?)))
        .collect();
    ask_for_pending(hotel, &mut records).await;
    let (settings, now) = (&hotel.settings, hotel.clock.now());
    Ok(CompensationTotals::of(
        &records,
        (settings.currency, &settings.time_zone),
        now,
        rows.len() == MAX_SEARCHED,
    ))
}

/// Asks the payment system for refunds that were pending when it answered last: no later answer is
/// in a record. Without an answer in time they still count as pending.
async fn ask_for_pending(hotel: &Hotel, records: &mut [(Timestamp, CompensationItem)]) {
    let pending = records.iter_mut().map(|(_, item)| item);
    let pending = pending.filter(|item| item.is_pending()).take(MAX_ASKED);
    let asked = join_all(pending.map(async |item| {
        let answer = hotel.payments.refunds(&item.payment_intent_id).await;
        let refunds = answer.answered().unwrap_or_default();
        let ours = |refund: &&Refund| Some(&refund.id) == item.refund_id.as_ref();
        if let Some(refund) = refunds.iter().find(ours) {
            item.refund_status = Some(status_word(&refund.status));
        }
    }));
    tokio::select! {
        biased;
        _ = asked => {}
        () = hotel.clock.sleep(PATIENCE) => {}
    }
}

/// Stripe's word for it.
fn status_word(status: &RefundStatus) -> String {
    let word = engine_conversions::value(status);
    word.as_str().unwrap_or("other").to_owned()
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
        refund_status: record.refund_status.as_ref().map(status_word),
        charged_at: record.charged_at,
        failed_at: record.failed_at,
        refunded_at: record.refunded_at,
        booking_id: record.booking_id,
        owner: None,
        triggers: record.triggers,
        cause: record.cause,
        updated_at: row.updated_at,
    })
}
