//! An in-memory journal for simulated runs: no threads, no I/O, deterministic. It injects faults,
//! power losses and bugs on demand, so that a test can prove that it would notice.

mod append;
mod injected_faults;
mod simulation_controls;
mod tables;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::ports::Clock;
use dewy_saga::{
    ExecutionId, Journal, Lease, Signal, State, StoreError,
    journal::{
        Append, AppendResult, BeginResult, DueFilter, ExecutionFilter, ExecutionRecord,
        LeaseChange, NewExecution, ProjectionRow,
    },
};
use jiff::Timestamp;

pub use injected_faults::{Bug, Fault, InjectedFaults, Op};

use self::tables::Tables;
use dewy_store::{WorkSignal, journal_rules};

/// The journal. Clones share it, as several processes share a database. Leases use the clock it was
/// created with.
#[derive(Clone, Debug)]
pub struct MemoryJournal {
    clock: Arc<dyn Clock>,
    inner: Arc<Mutex<Inner>>,
    work_signal: Arc<WorkSignal>,
    /// True once the calling process is dead.
    dead: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Inner {
    tables: Tables,
    /// State restored by a power loss; `None` when every commit is synced.
    synced: Option<Tables>,
    hooks: InjectedFaults,
}

impl MemoryJournal {
    /// An empty journal with synced commits.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            inner: Arc::default(),
            work_signal: Arc::default(),
            dead: Arc::default(),
        }
    }

    /// The same store as seen by one process. Once the process is dead, its requests are neither
    /// carried out nor answered.
    #[must_use]
    pub fn of_process(&self, dead: Arc<AtomicBool>) -> Self {
        Self {
            dead,
            ..self.clone()
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> i64 {
        self.clock.now().as_microsecond()
    }

    /// Runs one operation as one transaction, with its planned fault, if any.
    async fn run<T>(
        &self,
        op: Op,
        work: impl FnOnce(&mut Tables, i64) -> Result<T, StoreError> + Send,
    ) -> Result<T, StoreError> {
        let (fault, delay) = self.hooks(|h| (h.due(op), h.delay));
        self.pause(delay).await;
        if self.dead.load(Ordering::SeqCst) {
            return std::future::pending().await;
        }
        let now = self.now();
        match fault {
            Some(Fault::Busy) => Err(StoreError::Busy("simulated".to_owned())),
            Some(Fault::Full) => Err(StoreError::Failed("simulated: the disk is full".to_owned())),
            Some(Fault::LostNotApplied) => Err(StoreError::Lost("simulated".to_owned())),
            // A refusal is no commit, but its answer is lost anyway.
            Some(Fault::LostApplied) => match work(&mut self.inner().tables, now) {
                Ok(_) | Err(_) => Err(StoreError::Lost("simulated".to_owned())),
            },
            None => work(&mut self.inner().tables, now),
        }
    }

    async fn pause(&self, delay: Duration) {
        if delay > Duration::ZERO {
            self.clock.sleep(delay).await;
        }
    }
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn begin(&self, new: NewExecution) -> Result<BeginResult, StoreError> {
        self.run(Op::Begin, move |world, now| Ok(world.begin(new, now)))
            .await
    }

    async fn append(&self, lease: &Lease, append: Append) -> Result<AppendResult, StoreError> {
        journal_rules::check_rows(&append)?;
        let bugs = self.hooks(|h| h.bugs.clone());
        if bugs.contains(&Bug::FenceOutsideTransaction) {
            self.inner().tables.check(lease, &append)?;
            tokio::task::yield_now().await;
        }
        let rings = journal_rules::wakes_workers(&append);
        let (ours, parts) = (lease.clone(), append.clone());
        let planted = bugs.clone();
        let done = self
            .run(Op::Append, move |world, now| {
                world.append(&ours, parts, now, &planted)
            })
            .await;
        if bugs.contains(&Bug::AuditOutsideTransaction) {
            done.as_ref().map_err(Clone::clone)?;
            tokio::task::yield_now().await;
            self.inner().tables.append_audit(lease, &append);
        }
        let hides = append.lease == LeaseChange::Release && self.signaled(lease.id);
        if (rings || hides) && done == Ok(AppendResult::Ok) {
            self.work_signal.notify();
        }
        done
    }

    async fn renew(
        &self,
        lease: &Lease,
        lease_for: Duration,
        _at: Timestamp,
    ) -> Result<(), StoreError> {
        self.run(Op::Renew, |world, now| world.renew(lease, lease_for, now))
            .await
    }

    async fn take(
        &self,
        worker: &str,
        filter: &DueFilter,
        lease_for: Duration,
        _at: Timestamp,
    ) -> Result<Vec<(Lease, ExecutionRecord)>, StoreError> {
        self.run(Op::Take, |world, now| {
            Ok(world.take(worker, filter, lease_for, now))
        })
        .await
    }

    async fn due_elsewhere(&self, filter: &DueFilter) -> Result<Vec<ExecutionId>, StoreError> {
        self.run(Op::Read, |world, now| Ok(world.due_elsewhere(filter, now)))
            .await
    }

    async fn hand_over(&self, lease: &Lease, _at: Timestamp) -> Result<(), StoreError> {
        let done = self
            .run(Op::HandOver, |world, now| world.hand_over(lease, now))
            .await;
        self.work_signal.notify();
        done
    }

    async fn wake(&self, id: ExecutionId, pause: Duration) -> Result<bool, StoreError> {
        let done = self
            .run(Op::Wake, |world, now| Ok(world.wake(id, pause, now)))
            .await;
        self.work_signal.notify();
        done
    }

    async fn signal(
        &self,
        id: ExecutionId,
        signal: &Signal,
        _at: Timestamp,
    ) -> Result<bool, StoreError> {
        let ours = signal.clone();
        let done = self
            .run(
                Op::Signal,
                move |world, now| Ok(world.signal(id, ours, now)),
            )
            .await;
        self.work_signal.notify();
        done
    }

    async fn signals(&self, id: ExecutionId) -> Result<Vec<Signal>, StoreError> {
        self.run(Op::Read, |world, _| {
            Ok(world
                .executions
                .get(&id)
                .map_or_else(Vec::new, |e| e.record.signals.clone()))
        })
        .await
    }

    async fn counts(&self) -> Result<Vec<(State, u64)>, StoreError> {
        self.run(Op::Read, |world, _| Ok(world.counts())).await
    }

    async fn open_counts(&self) -> Result<Vec<(State, u64)>, StoreError> {
        let over = |state: State| state.has_ended() && state != State::NeedsAttention;
        Ok(self
            .counts()
            .await?
            .into_iter()
            .filter(|(state, _)| !over(*state))
            .collect())
    }

    async fn load(&self, id: ExecutionId) -> Result<Option<ExecutionRecord>, StoreError> {
        self.run(Op::Read, |world, _| {
            Ok(world.executions.get(&id).map(|e| e.record.clone()))
        })
        .await
    }

    async fn load_all(&self, ids: &[ExecutionId]) -> Result<Vec<ExecutionRecord>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.run(Op::Read, |world, _| {
            let found = ids.iter().filter_map(|id| world.executions.get(id));
            Ok(found.map(|execution| execution.record.clone()).collect())
        })
        .await
    }

    async fn heads(&self, ids: &[ExecutionId]) -> Result<Vec<ExecutionRecord>, StoreError> {
        let mut records = self.load_all(ids).await?;
        for record in &mut records {
            (record.rows, record.audit) = (Vec::new(), Vec::new());
        }
        Ok(records)
    }

    async fn labelled(
        &self,
        name: &str,
        values: &[String],
    ) -> Result<Vec<(String, ExecutionId)>, StoreError> {
        self.run(Op::Read, |world, _| {
            let labels = world
                .executions
                .iter()
                .flat_map(|(id, e)| e.record.labels.iter().map(move |label| (id, label)));
            let fits = labels.filter(|(_, (n, value))| n == name && values.contains(value));
            Ok(fits.map(|(id, (_, value))| (value.clone(), *id)).collect())
        })
        .await
    }

    async fn find_token(
        &self,
        caller: &str,
        token: &str,
    ) -> Result<Option<ExecutionRecord>, StoreError> {
        self.run(Op::Read, |world, _| {
            Ok(world.by_token(caller, token).map(|e| e.record.clone()))
        })
        .await
    }

    async fn list(&self, filter: &ExecutionFilter) -> Result<Vec<ExecutionRecord>, StoreError> {
        self.run(Op::Read, |world, _| Ok(world.list(filter))).await
    }

    async fn claim_mark(&self) -> Result<i64, StoreError> {
        self.run(Op::Read, |world, _| Ok(world.counter)).await
    }

    async fn claim_holder(&self, resource: &str) -> Result<Option<ExecutionId>, StoreError> {
        self.run(Op::Read, |world, _| {
            Ok(world.claims.get(resource).and_then(|c| c.owner))
        })
        .await
    }

    async fn projection_rows(
        &self,
        kind: &str,
        keys: &[String],
    ) -> Result<BTreeMap<String, Result<ProjectionRow, StoreError>>, StoreError> {
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.run(Op::Read, |world, _| {
            let row = |key: &String| {
                let row = world.projections.get(&(kind.to_owned(), key.clone()))?;
                Some((key.clone(), Ok(row.clone())))
            };
            Ok(keys.iter().filter_map(row).collect())
        })
        .await
    }

    async fn projections(
        &self,
        kind: &str,
        execution: Option<ExecutionId>,
        limit: usize,
    ) -> Result<Vec<ProjectionRow>, StoreError> {
        self.run(Op::Read, |world, _| {
            Ok(world.projections(kind, execution, limit))
        })
        .await
    }

    async fn drop_projection(&self, kind: &str, key: &str) -> Result<(), StoreError> {
        let key = (kind.to_owned(), key.to_owned());
        self.run(Op::Signal, move |world, _| {
            world.projections.remove(&key);
            Ok(())
        })
        .await
    }

    async fn wait_for_work(&self, at_most: Duration) {
        self.work_signal.wait(at_most).await;
    }
}

impl MemoryJournal {
    fn signaled(&self, id: ExecutionId) -> bool {
        self.inner()
            .tables
            .executions
            .get(&id)
            .is_some_and(|e| e.signaled().is_some())
    }
}
