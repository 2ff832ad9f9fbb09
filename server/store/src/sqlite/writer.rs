//! The only task that writes the journal: takes all waiting jobs, commits them together, answers
//! each.

use std::sync::Arc;

use dewy_domain::ports::Clock;
use dewy_saga::StoreError;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::mpsc;

use super::{
    batch_state::{BatchError, BatchState},
    connection_pool::ConnectionPool,
    write_batch,
    writer_job::{Done, Job, Ticket},
    writing_connection::Writing,
};
use crate::{
    error::{Stage, store_error},
    row_conversion::{micros, to_micros},
    work_signal::WorkSignal,
};

/// Maximum number of jobs per commit, because the first one has to wait for the last.
const BATCH: usize = 256;

type Answers = Vec<Result<Done, StoreError>>;

pub(super) async fn run(
    pool: Arc<ConnectionPool>,
    mut waiting: mpsc::Receiver<Ticket>,
    clock: Arc<dyn Clock>,
    work_signal: Arc<WorkSignal>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        // A caller just answered may have its next job ready, which can share this commit.
        tokio::task::yield_now().await;
        if waiting.recv_many(&mut batch, BATCH).await == 0 {
            return;
        }
        let now = micros(clock.now());
        match together(&pool, &batch, now).await {
            Ok((answers, rings)) => {
                if rings {
                    work_signal.notify();
                }
                for (ticket, answer) in batch.drain(..).zip(answers) {
                    // The caller may be gone; what was committed stays committed.
                    drop(ticket.answer.send(answer));
                }
            }
            Err(BatchFailure::All(error)) => batch
                .drain(..)
                .for_each(|t| drop(t.answer.send(Err(error.clone())))),
            Err(BatchFailure::One(_)) => {
                // One job caused the failure; each gets its own transaction, so that only that one
                // fails.
                for ticket in batch.drain(..) {
                    let answer = match together(&pool, std::slice::from_ref(&ticket), now).await {
                        Ok((mut answers, rings)) => {
                            if rings {
                                work_signal.notify();
                            }
                            answers
                                .pop()
                                .unwrap_or_else(|| Err(StoreError::Failed("no answer".to_owned())))
                        }
                        Err(BatchFailure::All(error) | BatchFailure::One(error)) => Err(error),
                    };
                    drop(ticket.answer.send(answer));
                }
            }
        }
    }
}

/// What a failure means for the other jobs of the batch.
enum BatchFailure {
    /// They would fail too: the database is busy, full or gone.
    All(StoreError),
    /// A row was refused.
    One(StoreError),
}

fn batch_failure(error: &sqlx::Error, stage: Stage) -> BatchFailure {
    let said = store_error(error, stage);
    match error {
        // SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_ERROR.
        sqlx::Error::Database(d)
            if d.code()
                .and_then(|c| c.parse::<i64>().ok())
                .is_some_and(|c| matches!(c & 0xff, 1 | 18 | 19 | 20)) =>
        {
            BatchFailure::One(said)
        }
        // A damaged row affects only the jobs that use it.
        sqlx::Error::ColumnDecode { .. } => BatchFailure::One(said),
        _ => BatchFailure::All(said),
    }
}

async fn together(
    pool: &Arc<ConnectionPool>,
    batch: &[Ticket],
    now: i64,
) -> Result<(Answers, bool), BatchFailure> {
    let mut writing = Writing::begin(pool).await.map_err(BatchFailure::All)?;
    let done = in_transaction(writing.connection(), batch, now).await;
    if done.is_err() {
        writing.abandon();
    }
    done
}

async fn in_transaction(
    connection: &mut SqliteConnection,
    batch: &[Ticket],
    now: i64,
) -> Result<(Answers, bool), BatchFailure> {
    let before = |e: sqlx::Error| batch_failure(&e, Stage::Before);
    let mut transaction = connection
        .begin_with("begin immediate")
        .await
        .map_err(before)?;
    let answers = work(&mut transaction, batch, now)
        .await
        .map_err(|broken| match broken {
            BatchError::Database(error) => before(error),
            BatchError::Words(error) => BatchFailure::One(error),
        })?;
    transaction
        .commit()
        .await
        .map_err(|e| batch_failure(&e, Stage::Commit))?;
    Ok(answers)
}

async fn work(
    connection: &mut SqliteConnection,
    batch: &[Ticket],
    now: i64,
) -> Result<(Answers, bool), BatchError> {
    let mut plan = BatchState::read(connection, batch, now).await?;
    let mut answers: Answers = Vec::with_capacity(batch.len());
    for ticket in batch {
        answers.push(match &ticket.job {
            Job::Begin(new) => plan.begin(new).map(Done::Begun),
            Job::Append(lease, append) => plan.append(lease, append).map(Done::Appended),
            Job::Renew(lease, lease_for) => plan.renew(lease, *lease_for).map(|()| Done::Plain),
            Job::HandOver(lease) => plan.hand_over(lease).map(|()| Done::Plain),
            Job::Wake(id, pause) => Ok(Done::Found(plan.wake(*id, *pause))),
            Job::Signal(id, signal) => Ok(Done::Found(plan.signal(*id, signal))),
            Job::Take { .. } => Ok(Done::Plain),
        });
    }
    plan.apply(connection).await?;
    for (ticket, answer) in batch.iter().zip(&mut answers) {
        if let Job::Take {
            worker,
            filter,
            lease_for,
        } = &ticket.job
        {
            *answer = Ok(Done::Taken(
                write_batch::take(connection, worker, filter, now, now + to_micros(*lease_for))
                    .await?,
            ));
        }
    }
    Ok((answers, plan.wakes_workers))
}
