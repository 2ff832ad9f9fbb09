//! The runner drives one execution under one lease: plan, commit the intent, send, commit the
//! outcome, plan again.
//!
//! ```text
//!   next_move ─► prepare ─► append [outcome n, intent n+1] ─► send ─┐
//!       ▲                                                           │
//!       └──────────────────────── outcome n+1 ◄─────────────────────┘
//! ```

mod begin;
mod commit;
mod end_execution;
mod handle_signal;
mod renew_lease;
mod steps;
mod suspend;

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::watch;

use crate::{
    activity::{JournaledActivity, OutcomeCheck, Plan},
    context::Context,
    crash_points::{CrashPoint, CrashPoints},
    definition::UnknownOutcomePolicy,
    environment::Environment,
    event::{Direction, End, Event, Fault, NOT_APPLIED, Outcome, REFUSED_ON_REPEAT, Request},
    journal::{
        Append, AppendResult, ClaimChange, ExecutionRecord, Journal, Lease, LeaseChange, StoreError,
    },
    next_move::{Budget, Move, next_move},
    prerequisites::PrerequisitesResult,
    progress::{Phase, Progress},
    rechecks::RecheckResult,
    saga::Saga,
    signal::Signal,
    state_machine::IllegalTransition,
};

/// For longer pauses a worker releases the execution instead of holding it while it sleeps.
const MAX_SLEEP: Duration = Duration::from_secs(6);

/// Number of attempts on a busy store before the worker stops; the next worker continues.
const STORE_TRIES: u32 = 6;

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Another worker has the execution now.
    #[error("the lease was taken over")]
    Fenced,
    /// The store failed; whoever takes over continues from the journal.
    #[error(transparent)]
    Store(StoreError),
    /// A crash point ended this worker (only in tests).
    #[error("ended by a probe")]
    Ended,
    /// The journal holds an illegal event, or its definition is unknown.
    #[error("the execution can't be run: {0}")]
    Broken(String),
}

impl From<IllegalTransition> for RunError {
    fn from(illegal: IllegalTransition) -> Self {
        Self::Broken(illegal.to_string())
    }
}

pub(crate) struct Runner {
    pub journal: Arc<dyn Journal>,
    pub environment: Arc<dyn Environment>,
    pub crash_points: Arc<dyn CrashPoints>,
    pub budget: Budget,
    pub lease_duration: Duration,
    pub saga: Arc<Saga>,
    /// The saga in all its versions; the prerequisites may choose another.
    pub versions: Vec<Arc<Saga>>,
    /// Version that it was accepted with.
    pub accepted_version: u32,
    pub lease: Lease,
    pub input: Value,
    pub progress: Progress,
    pub mark: i64,
    pub due: bool,
    /// True while an orderly shutdown hands over executions between steps.
    pub stopping: Arc<dyn Fn() -> bool + Send + Sync>,
    pub uncommitted: Vec<Event>,
    /// Unanswered signals.
    pub signals: Vec<Signal>,
    /// True once a projection turned out to belong to another execution.
    pub taken: bool,
    /// Receives the sequence number of each committed row.
    pub last_row: watch::Sender<i64>,
}

/// What is committed with an append besides its events.
#[derive(Default)]
struct CommitOptions {
    lease: Option<LeaseChange>,
    wake_at: Option<Timestamp>,
    claims: Option<ClaimChange>,
    answer: Option<Value>,
    free_token: bool,
    labels: Vec<(String, String)>,
    handled_signals: Vec<String>,
}

impl Runner {
    /// Runs until the execution ends, has to wait for long, or is taken away.
    pub async fn run(mut self) -> Result<Progress, RunError> {
        loop {
            let now = self.environment.now();
            // Uncommitted events count already: they determine what is committed with them.
            let ahead = self.ahead(now)?;
            let due = std::mem::take(&mut self.due);
            let step = next_move(
                self.saga.definition(),
                &ahead,
                &self.signals,
                &self.budget,
                now,
                due,
            );
            if (self.stopping)() && !matches!(step, Move::End(..) | Move::Hear(..) | Move::Rest) {
                return self.hand_over().await;
            }
            match step {
                Move::Read => {
                    if self.read().await? {
                        return Ok(self.progress);
                    }
                }
                Move::Act(step, direction) => self.run_step(step, direction).await?,
                Move::SendAgain(step, direction) => self.send_again(step, direction).await?,
                Move::Resolve(step, direction) => self.resolve(step, direction).await?,
                Move::Decide(decision) => {
                    self.uncommitted.push(Event::Decided { decision });
                    self.commit(CommitOptions::default()).await?;
                }
                Move::Sleep(until) => {
                    if self.pause(until).await? {
                        return Ok(self.progress);
                    }
                }
                Move::End(end, reason) => {
                    self.end(end, reason).await?;
                    return Ok(self.progress);
                }
                Move::Hear(key, then) => {
                    if self.handle_signal(&key, then).await? {
                        return Ok(self.progress);
                    }
                }
                Move::Recheck(look) => {
                    if self.recheck(look).await? {
                        return Ok(self.progress);
                    }
                }
                Move::Rest => {
                    self.release_lease().await?;
                    return Ok(self.progress);
                }
            }
        }
    }

    fn ahead(&self, now: Timestamp) -> Result<Progress, RunError> {
        let mut ahead = self.progress.clone();
        for event in &self.uncommitted {
            ahead.apply_uncommitted(event, now)?;
        }
        Ok(ahead)
    }

    fn at(&self, point: CrashPoint, step: &str, direction: Direction) -> bool {
        self.crash_points.ends(point, step, direction)
    }

    fn context<'a>(&'a self, progress: &'a Progress) -> Context<'a> {
        Context {
            id: progress.id,
            input: &self.input,
            progress,
            now: self.environment.now(),
            definition: self.saga.definition(),
            step: None,
        }
    }
}

fn intended(
    step: &str,
    direction: Direction,
    progress: &Progress,
    guard: bool,
    request: &Request,
) -> Event {
    let attempt = progress
        .direction_progress(step, direction)
        .map_or(0, |s| s.intents)
        + u32::from(!guard);
    Event::Intended {
        step: step.to_owned(),
        direction,
        attempt,
        guard,
        request: request.clone(),
    }
}

/// Creates a runner for what `take` or `begin` granted.
#[expect(clippy::too_many_arguments, reason = "one place puts a run together")]
pub(crate) fn runner(
    journal: Arc<dyn Journal>,
    environment: Arc<dyn Environment>,
    probe: Arc<dyn CrashPoints>,
    budget: Budget,
    lease: Duration,
    saga: Arc<Saga>,
    versions: Vec<Arc<Saga>>,
    hold: Lease,
    record: &ExecutionRecord,
    mark: Option<i64>,
    stopping: Arc<dyn Fn() -> bool + Send + Sync>,
    live: watch::Sender<i64>,
) -> Result<Runner, RunError> {
    let mut progress = Progress::replay(record.id, &record.rows, &record.audit)?;
    progress.fence = hold.fence;
    let due = mark.is_none();
    Ok(Runner {
        journal,
        environment,
        crash_points: probe,
        budget,
        lease_duration: lease,
        saga,
        versions,
        accepted_version: record.version,
        lease: hold,
        input: record.input.clone(),
        progress,
        mark: mark.unwrap_or(-1),
        due,
        stopping,
        uncommitted: Vec::new(),
        signals: record.signals.clone(),
        taken: false,
        last_row: live,
    })
}
