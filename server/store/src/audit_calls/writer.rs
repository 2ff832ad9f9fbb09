//! Writes the audit log of calls, batch by batch. A call that cannot be stored must not block the
//! calls after it.
//!
//! ```text
//! batch ─► append ─┬─ written ────────────────► the next one
//!                  ├─ the store failed ───────► the same batch again, later
//!                  └─ refused ─┬─ many ───────► its halves, one after the other
//!                              └─ one ────────► set aside, with the reason
//! ```

use std::collections::VecDeque;

use dewy_saga::StoreError;
use jiff::Timestamp;

use super::{CallAudit, CallBatch, CallChain};
use crate::{
    row_conversion::{micros, to_json},
    small_writes::write_rows,
    store::Store,
};

#[derive(Debug)]
pub struct CallWriter {
    store: Store,
    writer: String,
    chain: CallChain,
    /// Each batch keeps its time: a repeated write must be identical.
    pending: VecDeque<(Timestamp, CallBatch)>,
    spilled: u64,
}

impl CallWriter {
    /// A writer with a new chain; `writer` must never have been used before.
    #[must_use]
    pub fn new(store: Store, writer: String) -> Self {
        let chain = CallChain::new(writer.clone());
        Self {
            store,
            writer,
            chain,
            pending: VecDeque::new(),
            spilled: 0,
        }
    }

    pub fn push(&mut self, at: Timestamp, batch: CallBatch) {
        self.pending.push_back((at, batch));
    }

    /// Number of calls set aside so far.
    #[must_use]
    pub const fn set_aside_count(&self) -> u64 {
        self.spilled
    }

    /// Writes all pending batches.
    ///
    /// # Errors
    /// When the store fails; the next call writes what is still pending.
    pub async fn write(&mut self) -> Result<(), StoreError> {
        while let Some((at, batch)) = self.pending.front() {
            match self.store.append_calls(&self.chain, *at, batch).await {
                Ok(chain) => {
                    self.chain = chain;
                    self.pending.pop_front();
                }
                Err(StoreError::Refused(why)) => self.divide_or_set_aside(&why).await?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The first batch was refused: replaces it with its halves, or sets its only call aside.
    async fn divide_or_set_aside(&mut self, why: &str) -> Result<(), StoreError> {
        let Some((at, batch)) = self.pending.front() else {
            return Ok(());
        };
        let at = *at;
        if let [call] = batch.calls.as_slice() {
            tracing::error!(
                tool = call.tool,
                why,
                "a call can't be recorded as it is; it was set aside"
            );
            self.store.store_unrecorded(&self.writer, call, why).await?;
            self.spilled += 1;
            self.pending.pop_front();
            return Ok(());
        }
        let (first, second) = split_batch(batch);
        self.pending.pop_front();
        self.pending.push_front((at, second));
        self.pending.push_front((at, first));
        Ok(())
    }
}

/// Each half, with the people in it.
fn split_batch(batch: &CallBatch) -> (CallBatch, CallBatch) {
    let (first, second) = batch.calls.split_at(batch.calls.len() / 2);
    let half = |calls: &[CallAudit]| {
        let named = |id: &str| {
            calls.iter().any(|call| {
                call.caller.strip_prefix("guest:") == Some(id)
                    || call.on_behalf_of.as_deref() == Some(id)
            })
        };
        let people = batch
            .people
            .iter()
            .filter(|(id, _)| named(id))
            .cloned()
            .collect();
        CallBatch {
            calls: calls.to_vec(),
            people,
        }
    };
    (half(first), half(second))
}

impl Store {
    /// Sets aside a call that cannot be stored, as JSON, which escapes every character.
    async fn store_unrecorded(
        &self,
        writer: &str,
        call: &CallAudit,
        why: &str,
    ) -> Result<(), StoreError> {
        let body = to_json(&serde_json::json!({
            "at": call.at, "caller": call.caller, "interface": call.interface, "credential": call.credential,
            "request": call.request, "tool": call.tool, "status": call.status, "outcome": call.outcome,
            "execution": call.execution, "on_behalf_of": call.on_behalf_of,
        }))?;
        let sql = "insert into unrecorded_call (writer, at, body, reason) values ($1, $2, $3, $4)";
        write_rows!(
            self,
            sql,
            writer,
            micros(call.at),
            body,
            why.replace('\0', "\u{fffd}")
        )
        .map(drop)
    }
}
