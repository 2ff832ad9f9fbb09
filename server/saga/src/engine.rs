//! The engine: accepts executions, runs each in its own task, and takes over abandoned ones with
//! the same runner.

mod attention;
mod attention_reasons;
mod concurrency_slots;
mod crash_suspects;
mod engine_settings;
mod quarantine;
mod running_executions;
mod start_request;
mod stuck_executions;
mod take_due;

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

use tokio::sync::{Notify, watch};

use crate::{
    environment::Environment,
    event::Event,
    execution_id::ExecutionId,
    journal::{BeginResult, DueFilter, ExecutionRecord, Journal, Lease, NewExecution, StoreError},
    progress::Progress,
    runner::{RunError, runner},
    saga::Saga,
};

pub use attention_reasons::{ATTENTION_REASONS, RECORD_UNREADABLE, STUCK};
use concurrency_slots::Slots;
pub use engine_settings::EngineSettings;
use running_executions::{Running, RunningExecution};
pub use start_request::{StartRequest, StartResult};

/// The engine. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    journal: Arc<dyn Journal>,
    environment: Arc<dyn Environment>,
    sagas: BTreeMap<(&'static str, u32), Arc<Saga>>,
    settings: EngineSettings,
    slots: Slots,
    /// Definitions this process can run, by [`DueFilter::key`].
    known: Arc<[String]>,
    /// Executions written to by a newer release; this process leaves them alone for its lifetime.
    newer: Mutex<BTreeSet<ExecutionId>>,
    stopping: AtomicBool,
    /// Running executions, started by callers and from the queue.
    running: AtomicUsize,
    /// Running executions; removed when the run ends.
    live: Mutex<Running>,
    /// Notified when a run appends a row that others were waiting for.
    proven: Notify,
}

impl Engine {
    /// Creates an engine from a store, an environment and the sagas it runs (in several versions,
    /// if needed).
    pub fn new(
        journal: Arc<dyn Journal>,
        environment: Arc<dyn Environment>,
        sagas: Vec<Saga>,
        settings: EngineSettings,
    ) -> Self {
        let known = sagas
            .iter()
            .map(|s| DueFilter::key(s.definition()))
            .collect();
        let sagas = sagas
            .into_iter()
            .map(|s| ((s.definition().name, s.definition().version), Arc::new(s)))
            .collect();
        let slots = Slots::new(settings.workers);
        Self(Arc::new(Inner {
            journal,
            environment,
            sagas,
            settings,
            slots,
            known,
            newer: Mutex::default(),
            stopping: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            live: Mutex::default(),
            proven: Notify::new(),
        }))
    }

    #[must_use]
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.0.journal
    }

    /// Name of this process among those that share the store.
    #[must_use]
    pub fn worker(&self) -> &str {
        &self.0.settings.worker
    }

    /// The sagas it runs, in all their versions.
    pub fn sagas(&self) -> impl Iterator<Item = &Arc<Saga>> {
        self.0.sagas.values()
    }

    /// The version of a saga that new executions start with: the newest that accepts them.
    #[must_use]
    pub fn saga(&self, name: &str) -> Option<&Arc<Saga>> {
        self.0
            .sagas
            .iter()
            .rev()
            .find(|((n, _), saga)| *n == name && !saga.finishes_only)
            .map(|(_, s)| s)
    }

    /// A saga in exactly that version.
    #[must_use]
    pub fn saga_version(&self, name: &str, version: u32) -> Option<&Arc<Saga>> {
        self.0
            .sagas
            .iter()
            .find(|((n, v), _)| *n == name && *v == version)
            .map(|(_, s)| s)
    }

    /// The saga in the version that this execution runs.
    #[must_use]
    pub fn saga_of(&self, record: &ExecutionRecord) -> Option<&Arc<Saga>> {
        self.saga_version(&record.saga, record.running_version())
    }

    /// Number of executions running in this process.
    #[must_use]
    pub fn running(&self) -> usize {
        self.0.running.load(Ordering::SeqCst)
    }

    /// True once this process accepts no new work and hands over what it runs.
    #[must_use]
    pub fn stopping(&self) -> bool {
        self.0.stopping.load(Ordering::SeqCst)
    }

    /// Subscribes to an execution running in this process: the sequence number of its last
    /// committed row, closed when its run ends. Only a hint: another process may take over, so
    /// check the store as well.
    #[must_use]
    pub fn subscribe(&self, id: ExecutionId) -> Option<watch::Receiver<i64>> {
        self.0
            .live
            .lock()
            .ok()
            .and_then(|live| live.get(&id).map(|run| run.rows.subscribe()))
    }

    /// Persists a request and runs it in its own task, so that a disconnecting caller loses
    /// nothing.
    pub async fn start(&self, order: StartRequest) -> StartResult {
        let Some(saga) = self.saga(order.saga).cloned() else {
            return StartResult::Failed(StoreError::Failed(format!("no saga {}", order.saga)));
        };
        // Known work is answered even when all workers are busy; new work is refused before
        // anything is accepted.
        let slot = if self.stopping() {
            None
        } else {
            self.0.slots.for_new()
        };
        let Some(slot) = slot else {
            if let Some(token) = &order.token
                && let Ok(Some(record)) = self.0.journal.find_token(&order.caller, token).await
            {
                return StartResult::Known(Box::new(record));
            }
            return StartResult::Overloaded;
        };
        let id = self.0.environment.new_id();
        let at = self.0.environment.now();
        let definition = saga.definition();
        let queued = Event::Queued {
            saga: definition.name.to_owned(),
            version: definition.version,
        };
        let mut progress = Progress::new(id);
        let (first, audit) = match progress.push(queued, at, &order.caller, 1) {
            Ok((row, Some(audit))) => (row, audit),
            Ok((_, None)) => {
                return StartResult::Failed(StoreError::Failed(
                    "the first row changes the state".to_owned(),
                ));
            }
            Err(e) => return StartResult::Failed(StoreError::Failed(e.to_string())),
        };
        let new = NewExecution {
            id,
            saga: definition.name.to_owned(),
            version: definition.version,
            caller: order.caller,
            interface: order.interface,
            token: order.token,
            input_digest: order.input_digest,
            input: order.input,
            labels: order.labels,
            first,
            audit,
            worker: self.0.settings.worker.clone(),
            lease: self.0.settings.lease,
            at,
        };
        let mut tries = 0;
        // After a lost answer, no later error proves that nothing was stored.
        let mut lost = None;
        let begun = loop {
            let error = match self.0.journal.begin(new.clone()).await {
                Ok(begun) => break Ok(begun),
                Err(error) => error,
            };
            // Lost and busy are resolved by retrying: the id stays the same.
            let again = matches!(error, StoreError::Lost(_) | StoreError::Busy(_));
            if lost.is_none() && matches!(error, StoreError::Lost(_)) {
                lost = Some(error.clone());
            }
            if !again || tries == 5 {
                break Err(lost.unwrap_or(error));
            }
            tries += 1;
            self.0
                .environment
                .sleep(Duration::from_millis(20 << tries))
                .await;
        };
        match begun {
            Ok(BeginResult::New { lease, mark }) => {
                let record = ExecutionRecord {
                    fence: lease.fence,
                    worker: Some(lease.worker.clone()),
                    ..ExecutionRecord::from(new)
                };
                self.spawn(saga, lease, record, Some(mark), slot);
                StartResult::Started(id)
            }
            Ok(BeginResult::Existing(record)) => StartResult::Known(record),
            Ok(BeginResult::Mismatch(id)) => StartResult::Mismatch(id),
            Err(e) => StartResult::Failed(e),
        }
    }

    /// Polls for due work until `stop` resolves; returns when this process's executions have ended
    /// or been handed over.
    pub async fn work(&self, stop: impl Future<Output = ()> + Send) {
        let mut stop = std::pin::pin!(stop);
        loop {
            self.take_due().await;
            let work = self.0.journal.wait_for_work(self.0.settings.poll);
            tokio::select! {
                biased;
                () = &mut stop => break,
                _ = work => {}
                () = self.0.proven.notified() => {}
            }
        }
        self.stop().await;
    }

    /// Stops accepting work, and waits until all executions here have ended or been handed over.
    pub async fn stop(&self) {
        self.0.stopping.store(true, Ordering::SeqCst);
        while self.running() > 0 {
            self.0.environment.sleep(Duration::from_millis(20)).await;
        }
    }

    fn spawn(
        &self,
        saga: Arc<Saga>,
        lease: Lease,
        record: ExecutionRecord,
        mark: Option<i64>,
        slot: tokio::sync::OwnedSemaphorePermit,
    ) {
        let engine = self.clone();
        let id = record.id;
        let seq = record.rows.last().map_or(0, |row| row.seq);
        self.0.running.fetch_add(1, Ordering::SeqCst);
        let (live, _) = watch::channel(seq);
        if record.lapses > 0 {
            self.await_proof(live.subscribe());
        }
        let run = RunningExecution {
            rows: live.clone(),
            began: seq,
            lapses: record.lapses,
        };
        if let Ok(mut map) = self.0.live.lock() {
            map.insert(id, run);
        }
        // Counts down even if the task is dropped or panics.
        let count = Count(Arc::clone(&self.0), id);
        tokio::spawn(async move {
            let _slot = slot;
            let _count = count;
            if record.progress().is_err() {
                engine.quarantine(&lease, &record).await;
                return;
            }
            let inner = Arc::clone(&engine.0);
            let stopping: Arc<dyn Fn() -> bool + Send + Sync> =
                Arc::new(move || inner.stopping.load(Ordering::SeqCst));
            let settings = &engine.0.settings;
            let versions = engine.sagas();
            let versions = versions.filter(|one| one.definition().name == record.saga);
            let versions = versions.cloned().collect();
            let built = runner(
                Arc::clone(&engine.0.journal),
                Arc::clone(&engine.0.environment),
                Arc::clone(&settings.crash_points),
                settings.budget,
                settings.lease,
                saga,
                versions,
                lease.clone(),
                &record,
                mark,
                stopping,
                live,
            );
            let running = async {
                match built {
                    Ok(runner) => runner.run().await,
                    Err(stopped) => Err(stopped),
                }
            };
            let outcome = match caught(running).await {
                Ok(outcome) => outcome,
                Err(why) => return engine.panicked(&lease, &why).await,
            };
            match outcome {
                Ok(progress) => {
                    tracing::debug!(execution = %id, state = ?progress.state, "released")
                }
                Err(RunError::Ended) => {}
                Err(RunError::Fenced) => {
                    tracing::info!(execution = %id, "another worker has taken over")
                }
                Err(stopped) => {
                    tracing::error!(execution = %id, error = %stopped, "stopped; another run will pick it up")
                }
            }
        });
    }
}

/// Awaits `work`; a panic becomes its message.
async fn caught<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let mut work = pin!(work);
    std::future::poll_fn(
        |cx| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx))) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => {
                let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
                Poll::Ready(Err(words.unwrap_or_else(|| "no words".to_owned())))
            }
        },
    )
    .await
}

struct Count(Arc<Inner>, ExecutionId);

impl Drop for Count {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
        if let Ok(mut live) = self.0.live.lock() {
            live.remove(&self.1);
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("running", &self.running())
            .finish_non_exhaustive()
    }
}
