//! Jobs for the writer, and their results.

use std::time::Duration;

use dewy_saga::{
    ExecutionId, Lease, Signal, StoreError,
    journal::{Append, AppendResult, DueFilter, NewExecution},
};
use tokio::sync::oneshot;

/// One thing to write.
#[derive(Debug)]
pub(crate) enum Job {
    Begin(Box<NewExecution>),
    Append(Lease, Box<Append>),
    Renew(Lease, Duration),
    HandOver(Lease),
    Wake(ExecutionId, Duration),
    Signal(ExecutionId, Signal),
    Take {
        worker: String,
        filter: DueFilter,
        lease_for: Duration,
    },
}

/// Result of `begin`, by id; a reader loads the record later.
#[derive(Clone, Debug)]
pub(crate) enum BeginOutcome {
    New { lease: Lease, mark: i64 },
    Existing(String),
    Mismatch(String),
}

/// A taken lease, and the number of workers in a row lost on its execution.
#[derive(Clone, Debug)]
pub(crate) struct TakenLease {
    pub lease: Lease,
    pub lapses: u32,
}

/// Result of a job.
#[derive(Clone, Debug)]
pub(crate) enum Done {
    Begun(BeginOutcome),
    Appended(AppendResult),
    Plain,
    /// Whether there was an execution to wake or to signal.
    Found(bool),
    Taken(Vec<TakenLease>),
}

/// The answer of another kind of job.
pub(super) fn crossed() -> StoreError {
    StoreError::Failed("the writer answered another question".to_owned())
}

/// A job and the channel for its answer.
#[derive(Debug)]
pub(crate) struct Ticket {
    pub(crate) job: Job,
    pub(crate) answer: oneshot::Sender<Result<Done, StoreError>>,
}

impl Ticket {
    pub(crate) fn new(job: Job) -> (Self, oneshot::Receiver<Result<Done, StoreError>>) {
        let (answer, receiver) = oneshot::channel();
        (Self { job, answer }, receiver)
    }
}
