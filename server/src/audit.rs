//! The record of calls, written in batches so that no read waits for it.

use std::time::Duration;

use dewy_store::{CallAudit, Store};
use tokio::{sync::mpsc, task::JoinHandle};

/// How many calls may wait to be written.
const WAITING: usize = 10_000;
/// How many are written at once.
const BATCH: usize = 500;
/// How long the first of a batch waits for company.
const GATHER: Duration = Duration::from_millis(250);

/// Takes calls; dropping every clone ends the writing after the last one.
#[derive(Clone, Debug)]
pub struct CallLog(mpsc::Sender<CallAudit>);

impl CallLog {
    /// Starts the writer.
    #[must_use]
    pub fn start(store: Store) -> (Self, JoinHandle<()>) {
        let (sender, mut calls) = mpsc::channel(WAITING);
        let writer = tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            while calls.recv_many(&mut batch, BATCH).await > 0 {
                if batch.len() < BATCH && !calls.is_closed() {
                    tokio::time::sleep(GATHER).await;
                    while batch.len() < BATCH
                        && let Ok(call) = calls.try_recv()
                    {
                        batch.push(call);
                    }
                }
                let number = batch.len();
                if let Err(error) = store.log_calls(std::mem::take(&mut batch)).await {
                    tracing::error!(%error, number, "calls were not recorded");
                }
            }
        });
        (Self(sender), writer)
    }

    /// Records one call. When the store is far behind, reads lose their record before callers lose their answers; writes have
    /// their own in the execution.
    pub fn record(&self, call: CallAudit) {
        if self.0.try_send(call).is_err() {
            tracing::error!("a call was not recorded: too many wait to be written");
        }
    }
}
