//! Payment reconciliation: compares payments in Stripe, Salesforce and our journal.
//!
//! ```text
//! Stripe's payments of the days ┐               ┌─► folios that name them, or of the days ─┐
//!                               ├─► their ids ──┤   payments only those name ◄─────────────┤─► one row per payment ─► drift
//! our check-outs of the days ───┘               └─► every execution that names them ◄──────┘
//! ```
//! The three systems are read one after the other, so a change in between could look like a fault.
//! Executions that wrote anything since the read began therefore count as in progress.

mod discrepancy;
mod join_rows;
mod read_systems;

use async_trait::async_trait;
use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    ports::{PaymentReconciliation, ReconciliationRow, ReconciliationView},
};
use jiff::{Timestamp, ToSpan, civil::Date};

use crate::{hotel::hotel_service::Hotel, saga_parts::tool_answer};
use read_systems::ReadError;

/// Maximum number of rows shown, besides those that differ.
const MAX_ROWS: usize = 200;

#[async_trait]
impl PaymentReconciliation for Hotel {
    async fn payments(
        &self,
        caller: &Caller,
        from: Date,
        to: Date,
    ) -> Result<ReconciliationView, ErrorCode> {
        if !caller.is_front_desk() {
            return Err(ErrorCode::UnknownTool);
        }
        let as_of = self.clock.now();
        let currency = self.settings.currency;
        let none = ReconciliationView {
            rows: Vec::new(),
            foreign: 0,
            unreadable: 0,
            currency,
            as_of,
            cut: false,
        };
        let (Some(first), Some(last)) = (self.midnight(from, 0), self.midnight(to, 1)) else {
            return Ok(none);
        };
        if first >= last {
            return Ok(none);
        }
        let found = read_systems::read_systems(self, first, last)
            .await
            .map_err(|failed| match failed {
                ReadError::Upstream(error) => {
                    tracing::warn!(error = %error, "payments could not be compared");
                    tool_answer::upstream_failure(&error).code
                }
                ReadError::Store(error) => {
                    tracing::error!(%error, "payments could not be compared");
                    ErrorCode::Internal
                }
            })?;
        let (cut, foreign) = (found.cut, found.foreign);
        let unreadable = u32::try_from(found.unreadable.len()).unwrap_or(u32::MAX);
        let (rows, more) = shown(join_rows::rows(&found, as_of));
        Ok(ReconciliationView {
            rows,
            foreign,
            unreadable,
            currency,
            as_of,
            cut: cut || more,
        })
    }
}

impl Hotel {
    fn midnight(&self, day: Date, later: i32) -> Option<Timestamp> {
        let day = day.checked_add(later.days()).ok()?;
        day.to_zoned(self.settings.time_zone.clone())
            .ok()
            .map(|at| at.timestamp())
    }
}

/// Newest rows first. Rows that differ or need a decision are never truncated; the flag is true if
/// other rows were.
fn shown(mut rows: Vec<ReconciliationRow>) -> (Vec<ReconciliationRow>, bool) {
    rows.sort_by(|a, b| {
        b.at.cmp(&a.at)
            .then_with(|| a.payment_intent_id.cmp(&b.payment_intent_id))
    });
    let all = rows.len();
    let needed = |row: &ReconciliationRow| row.discrepancy.differs() || row.waiting.is_some();
    let mut room = MAX_ROWS.saturating_sub(rows.iter().filter(|row| needed(row)).count());
    rows.retain(|row| {
        let stays = needed(row) || room > 0;
        if stays && !needed(row) {
            room -= 1;
        }
        stays
    });
    let more = rows.len() < all;
    (rows, more)
}

#[cfg(test)]
mod tests {
    use dewy_domain::ports::Discrepancy;

    use super::*;

    #[test]
    fn discrepancies_are_never_truncated() {
        let row = |n: i64, discrepancy: Discrepancy| ReconciliationRow {
            payment_intent_id: format!("pi_{:04}", n.unsigned_abs()).parse().unwrap(),
            at: Timestamp::from_second(n).ok(),
            processor: None,
            crm: None,
            journal: None,
            booking_number: None,
            guest_email: None,
            discrepancy,
            waiting: None,
        };
        let mut rows: Vec<_> = (0..300).map(|n| row(n, Discrepancy::None)).collect();
        rows.extend((0..5).map(|n| row(-n, Discrepancy::Amounts)));
        let (kept, more) = shown(rows.clone());
        assert!(more);
        assert_eq!(kept.len(), MAX_ROWS);
        assert_eq!(
            kept.iter()
                .filter(|row| row.discrepancy == Discrepancy::Amounts)
                .count(),
            5
        );
        assert_eq!(kept[0].payment_intent_id, "pi_0299", "newest first");
        let (kept, more) = shown(rows.split_off(300));
        assert_eq!((kept.len(), more), (5, false));
    }
}
