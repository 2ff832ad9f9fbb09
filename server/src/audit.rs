//! The record of calls: written in batches so that no read waits for a commit, each batch chained
//! to the one before, and read by managers.
//!
//! ```text
//! AuditedDispatcher ─► CallLog: a place among those that wait ─► every second, one batch ─► store: calls, batch, head of the chain
//! ```

mod audit_reader;
mod csv;
mod health;
mod people;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona},
    ports::{Clock, Entropy},
    text,
};
use dewy_orchestrators::{AuditLog, CallEntry, CallRecord};
use dewy_store::{CallAudit, CallBatch, CallWriter, Store};
use tokio::{
    sync::mpsc::{self, OwnedPermit, Receiver, Sender},
    task::JoinHandle,
};

pub use self::{audit_reader::AuditReaderService, csv::csv, health::WriterHealth, people::People};

/// How many calls may be under way or wait to be written; the next ones wait for a place.
const WAITING: usize = 10_000;
/// How many are written at once.
const BATCH: usize = 1000;
/// How long the first of a batch waits for company.
const GATHER: Duration = Duration::from_secs(1);
/// After a failure of the store: first so long, then twice as long each time, up to the second one.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Takes calls; dropping every clone ends the writing after the last one.
#[derive(Clone, Debug)]
pub struct CallLog {
    sender: Sender<CallRecord>,
    health: Arc<WriterHealth>,
}

impl CallLog {
    /// Starts the writer, with a chain of its own.
    #[must_use]
    pub fn start(
        store: Store,
        people: People,
        clock: Arc<dyn Clock>,
        entropy: &dyn Entropy,
    ) -> (Self, JoinHandle<()>) {
        let (sender, calls) = mpsc::channel(WAITING);
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

    /// How the writing goes.
    #[must_use]
    pub const fn health(&self) -> &Arc<WriterHealth> {
        &self.health
    }
}

#[async_trait]
impl AuditLog for CallLog {
    async fn open(&self) -> Box<dyn CallEntry> {
        match self.sender.clone().reserve_owned().await {
            Ok(place) => Box::new(Place(place)),
            Err(_) => Box::new(Nowhere),
        }
    }
}

struct Place(OwnedPermit<CallRecord>);

impl CallEntry for Place {
    fn fill(self: Box<Self>, record: CallRecord) {
        self.0.send(record);
    }
}

/// The writer has ended, which it only does at the very end of a process.
struct Nowhere;

impl CallEntry for Nowhere {
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
    people: People,
    clock: Arc<dyn Clock>,
    health: Arc<WriterHealth>,
}

impl Writer {
    async fn write(mut self, mut calls: Receiver<CallRecord>) {
        let mut gathered = Vec::with_capacity(BATCH);
        while calls.recv_many(&mut gathered, BATCH).await > 0 {
            let clock = Arc::clone(&self.clock);
            let end = clock.sleep(GATHER);
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
            self.keep().await;
        }
    }

    /// Writes what was gathered, however long that takes: meanwhile the places fill up, and calls
    /// wait instead of going unrecorded.
    async fn keep(&mut self) {
        let mut pause = RETRY.0;
        while let Err(error) = self.calls.write().await {
            tracing::error!(%error, "calls could not be recorded yet");
            self.health.failed(&error);
            self.clock.sleep(pause).await;
            pause = (pause * 2).min(RETRY.1);
        }
        self.health.advanced(self.calls.aside());
    }

    fn batch(&self, records: Vec<CallRecord>) -> CallBatch {
        let mut batch = CallBatch::default();
        for record in records {
            let caller = match record.by.persona {
                Persona::Guest => format!("guest:{}", self.name(&mut batch, &record.by.email)),
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
                // Of a tool that does not exist the name is whatever somebody sent.
                tool: text::storable(&record.tool),
                status: record.status,
                outcome: record.outcome.to_owned(),
                execution: record.execution.and_then(|id| id.parse().ok()),
                on_behalf_of,
            });
        }
        batch
    }

    /// The person's id; who that is, is noted beside the calls.
    fn name(&self, batch: &mut CallBatch, email: &str) -> String {
        let id = self.people.id(email);
        if !batch.people.iter().any(|(known, _)| *known == id) {
            batch.people.push((id.clone(), text::storable(email)));
        }
        id
    }
}
