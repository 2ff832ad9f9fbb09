//! Batched reads of the journal. If a batch fails, each payment is read alone, so that an
//! unreadable row affects only its own payment.

use std::collections::BTreeMap;

use dewy_domain::payment_intent_id::PaymentIntentId;
use dewy_saga::{
    ExecutionId, StoreError,
    journal::{ExecutionRecord, ProjectionRow},
};

use super::Run;
use crate::saga_parts::compensation_record::COMPENSATION;

/// Executions without their journals, by ID; `None` when they could not be read together.
pub(super) type ExecutionsById = Option<BTreeMap<ExecutionId, ExecutionRecord>>;

/// Compensation records by payment; `None` when they could not be read together.
pub(super) type Compensations = Option<BTreeMap<String, Result<ProjectionRow, StoreError>>>;

impl Run<'_> {
    pub(super) async fn heads(&self, ids: impl Iterator<Item = ExecutionId>) -> ExecutionsById {
        let ids: Vec<ExecutionId> = ids.collect();
        let heads = self.hotel.engine.journal().heads(&ids).await.ok()?;
        Some(heads.into_iter().map(|head| (head.id, head)).collect())
    }

    /// Looks up one of them, and reads it alone if the batch failed.
    pub(super) async fn head(
        &self,
        heads: &ExecutionsById,
        id: ExecutionId,
    ) -> Result<Option<ExecutionRecord>, String> {
        if let Some(heads) = heads {
            return Ok(heads.get(&id).cloned());
        }
        let alone = self.hotel.engine.journal().heads(&[id]).await;
        Ok(alone.map_err(|e| e.to_string())?.pop())
    }

    /// The compensation records of these payments, in one read.
    pub(super) async fn compensations(&self, payments: &[PaymentIntentId]) -> Compensations {
        let payments: Vec<String> = payments.iter().map(PaymentIntentId::to_string).collect();
        let journal = self.hotel.engine.journal();
        journal.projection_rows(COMPENSATION, &payments).await.ok()
    }

    pub(super) async fn compensation(
        &self,
        rows: &Compensations,
        payment: &PaymentIntentId,
    ) -> Result<Option<ProjectionRow>, StoreError> {
        match rows {
            Some(rows) => rows.get(payment.as_str()).cloned().transpose(),
            None => {
                let journal = self.hotel.engine.journal();
                journal.projection_row(COMPENSATION, payment.as_str()).await
            }
        }
    }
}
