//! Audit log of calls: written in batches so that no read waits for a commit, each batch chained to
//! the one before, and readable by managers.
//!
//! ```text
//! AuditedDispatcher ─► CallLog: a slot in the queue ─► one batch per second ─► store: calls, batch, head of the chain
//! ```

mod audit_reader;
mod csv;
mod pseudonyms;
mod writer_health;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona},
    ports::{Clock, Entropy},
    storable_text,
};
use dewy_orchestrators::{AuditLog, CallEntry, CallRecord};
use dewy_store::{CallAudit, CallBatch, CallWriter, Store};
use tokio::{
    sync::mpsc::{self, OwnedPermit, Receiver, Sender},
    task::JoinHandle,
};

pub use self::{
    audit_reader::AuditReaderService, csv::csv, pseudonyms::Pseudonyms, writer_health::WriterHealth,
};

/// Maximum number of calls in progress or waiting to be written; further calls wait for a slot.
const MAX_PENDING: usize = 10_000;
const BATCH: usize = 1000;
/// Time to collect a batch after its first call.
const BATCH_DELAY: Duration = Duration::from_secs(1);
/// Retry delay after a store failure: starts at the first value and doubles up to the second.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Accepts calls. Dropping every clone ends the writer after the last call.
#[derive(Clone, Debug)]
pub struct CallLog {
    sender: Sender<CallRecord>,
    health: Arc<WriterHealth>,
}

impl CallLog {
    /// Starts the writer with a new chain.
    #[must_use]
    pub fn start(
        store: Store,
        people: Pseudonyms,
        clock: Arc<dyn Clock>,
        entropy: &dyn Entropy,
    ) -> (Self, JoinHandle<()>) {
        let (sender, calls) = mpsc::channel(MAX_PENDING);
        let calls_of = CallWriter::new(
            store,
            format!("w_{}", entropy.uuid_v7(clock.now()).simple()),
        );
        let health = Arc::new(WriterHealth::default());
        let writer = Writer {
            calls: calls_of,
            people,
            clock,
            health: Arc::clone(&health),
        };
        (Self { sender, health }, tokio::spawn(writer.write(calls)))
    }

    #[must_use]
    pub const fn health(&self) -> &Arc<WriterHealth> {
        &self.health
    }
}

#[async_trait]
impl AuditLog for CallLog {
    async fn open(&self) -> Box<dyn CallEntry> {
        match self.sender.clone().reserve_owned().await {
            Ok(place) => Box::new(QueueSlot(place)),
            Err(_) => Box::new(WriterEnded),
        }
    }
}

struct QueueSlot(OwnedPermit<CallRecord>);

impl CallEntry for QueueSlot {
    fn fill(self: Box<Self>, record: CallRecord) {
        self.0.send(record);
    }
}

/// Error for when the writer has ended, which only happens at process shutdown.
struct WriterEnded;

impl CallEntry for WriterEnded {
    fn fill(self: Box<Self>, record: CallRecord) {
        tracing::error!(
            tool = record.tool,
            outcome = record.outcome,
            "a call was not recorded: the audit log is closed"
        );
    }
}

struct Writer {
    calls: CallWriter,
    people: Pseudonyms,
    clock: Arc<dyn Clock>,
    health: Arc<WriterHealth>,
}

impl Writer {
    async fn write(mut self, mut calls: Receiver<CallRecord>) {
        let mut gathered = Vec::with_capacity(BATCH);
        while calls.recv_many(&mut gathered, BATCH).await > 0 {
            let clock = Arc::clone(&self.clock);
            let end = clock.sleep(BATCH_DELAY);
            tokio::pin!(end);
            while gathered.len() < BATCH {
                let room = BATCH - gathered.len();
                let more = tokio::select! {
                    biased;
                    more = calls.recv_many(&mut gathered, room) => more,
                    () = &mut end => 0,
                };
                if more == 0 {
                    break;
                }
            }
            let batch = self.batch(std::mem::take(&mut gathered));
            self.calls.push(self.clock.now(), batch);
            self.write_batches().await;
        }
    }

    /// Writes the collected batch, however long that takes: meanwhile the queue fills up, and calls
    /// wait rather than go unrecorded.
    async fn write_batches(&mut self) {
        let mut pause = RETRY.0;
        while let Err(error) = self.calls.write().await {
            tracing::error!(%error, "calls could not be recorded yet");
            self.health.failed(&error);
            self.clock.sleep(pause).await;
            pause = (pause * 2).min(RETRY.1);
        }
        self.health.progressed(self.calls.set_aside_count());
    }

    fn batch(&self, records: Vec<CallRecord>) -> CallBatch {
        let mut batch = CallBatch::default();
        for record in records {
            let caller = match record.by.persona {
                Persona::Guest if record.proven => {
                    format!("guest:{}", self.name(&mut batch, &record.by.email))
                }
                Persona::Guest => format!("guest:{}", self.people.id(&record.by.email)),
                Persona::Staff => Caller::key(&record.by),
            };
            let on_behalf_of = record
                .on_behalf_of
                .map(|email| self.name(&mut batch, &email));
            batch.calls.push(CallAudit {
                at: record.at,
                caller,
                interface: record.by.interface.name().to_owned(),
                credential: record.by.origin.credential,
                request: record.by.origin.request,
                // The name of an unknown tool is arbitrary caller input.
                tool: storable_text::storable(&record.tool),
                status: record.status,
                outcome: record.outcome.to_owned(),
                execution: record.execution.and_then(|id| id.parse().ok()),
                on_behalf_of,
            });
        }
        batch
    }

    /// Replaces an email with the person's id and stores the mapping beside the calls.
    fn name(&self, batch: &mut CallBatch, email: &str) -> String {
        let id = self.people.id(email);
        if !batch.people.iter().any(|(known, _)| *known == id) {
            batch
                .people
                .push((id.clone(), storable_text::storable(email)));
        }
        id
    }
}
