//! The Postgres store: several instances, one database. Each write of the engine is one
//! auto-committing statement (`begin`, `direct_writes`, or the function `append_v1` in
//! `migrations/postgres`),
//! lease times use the database's clock, and `listen`/`notify` only shortens the wait.

mod append;
mod begin;
mod connection_pool;
mod listener;
mod single_statement_append;

use std::{str::FromStr, sync::Arc, time::Duration};

use dewy_saga::{ExecutionId, Lease, Signal, StoreError, journal::DueFilter};
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};
use tokio::time::Instant;

pub(crate) use self::connection_pool::{Purpose, exchange, transaction};
use self::{connection_pool::ConnectionPool, listener::Listener};
use crate::migrations;
use crate::{
    error::OpenError,
    row_conversion::{id, to_micros},
    sqlite::TakenLease,
    work_signal::WorkSignal,
};

// The limit counts only rows nobody else is taking now; concurrent takers never wait for each
// other.
const TAKE: &str = "with due as (
        select id, state = 'compensating' as back, case when worker is null then least(wake_at, signaled_at) else lease_until end as since
        from execution
        where ((worker is null and wake_at <= (select now_us())) or (worker is null and signaled_at > 0)
                or (worker is not null and lease_until <= (select now_us())))
            and state = any ($4) and ($5::text[] is null or saga || '/' || version = any ($5)) and id <> all ($6)
            and case when lapsed_seq = seq then lapses else 0 end + case when worker is null then 0 else 1 end between $7 and $8
        order by 2 desc, 3, id limit $2 for update skip locked),
    taken as (
        update execution e set worker = $1, fence = e.fence + 1, lease_until = now_us() + $3,
            lapses = case when e.worker is null then e.lapses when e.lapsed_seq = e.seq then e.lapses + 1 else 1 end,
            lapsed_seq = case when e.worker is null then e.lapsed_seq else e.seq end
        from due where e.id = due.id
        returning e.id, e.fence, due.back, due.since, case when e.lapsed_seq = e.seq then e.lapses else 0 end as lapses)
    select id, fence, lapses from taken order by back desc, since, id";

const SKIPPED_EXECUTIONS: &str = "select id from execution
    where ((worker is null and wake_at <= (select now_us())) or (worker is null and signaled_at > 0)
            or (worker is not null and lease_until <= (select now_us())))
        and not (state = any ($1) and ($2::text[] is null or saga || '/' || version = any ($2)) and id <> all ($3))
    order by id limit $4";

const RENEW: &str = "update execution set lease_until = greatest(lease_until, now_us() + $4) where id = $1 and worker = $2 and fence = $3";

const HAND_OVER: &str = "with given as (
        update execution set worker = null, lease_until = 0, wake_at = least(wake_at, now_us()) where id = $1 and worker = $2 and fence = $3 returning id)
    select pg_notify('dewy_due', '')::text from given";

const WAKE: &str = "with woken as (
        update execution e set wake_at = new.due
        from (select id, greatest(now_us(), least(updated_at, now_us()) + $2) as due from execution where id = $1 and worker is null) new
        where e.id = new.id and e.worker is null and (e.wake_at is null or e.wake_at > new.due) returning e.id)
    select pg_notify('dewy_due', '')::text from woken";

const SIGNAL: &str = "with said as (
        insert into signal (execution, key, action, sender, reason, at)
        select e.id, $2, $3, $4, $5, now_us() from execution e where e.id = $1
        on conflict (execution, key) do nothing returning execution, at),
    marked as (
        update execution e set signaled_at = coalesce(e.signaled_at, said.at) from said where e.id = said.execution returning e.id)
    select exists (select from execution where id = $1), (select pg_notify('dewy_due', '')::text from marked)";

/// Advisory lock for migrations.
const MIGRATING: i64 = 0x64_65_77_79;

/// Connections of one process: for writing, for reading, and one for listening.
const MAX_CONNECTIONS: usize = 14;
const READING: usize = 5;

#[derive(Clone, Debug)]
pub(crate) struct Postgres {
    connection_pool: Arc<ConnectionPool>,
    work_signal: Arc<WorkSignal>,
    listening: Arc<Listener>,
}

/// The first connection. Waits for a server that is starting, full or briefly unreachable, but not
/// after a wrong password.
async fn first(pool: &ConnectionPool, patience: Duration) -> Result<PgConnection, sqlx::Error> {
    let until = Instant::now() + patience;
    loop {
        match pool.connect().await {
            Err(error) if Instant::now() < until && passes(&error) => {
                tracing::warn!(%error, "the database can't be reached yet; retrying");
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            other => return other,
        }
    }
}

/// Whether a connection error may be transient.
fn passes(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // Starting up, shutting down, out of connections.
        sqlx::Error::Database(database) => database
            .code()
            .is_some_and(|code| code.starts_with("57P") || code == "53300"),
        _ => false,
    }
}

fn names(ids: &[ExecutionId]) -> Vec<String> {
    ids.iter().map(ExecutionId::to_string).collect()
}

impl Postgres {
    pub(crate) async fn open(url: &str, patience: Duration) -> Result<Self, OpenError> {
        let options = PgConnectOptions::from_str(url)?
            .application_name("dewy")
            // Nothing a session pooler would refuse; settings are made by statements.
            .extra_float_digits(None)
            .statement_cache_capacity(256);
        let pool = ConnectionPool::new(options.clone(), READING, MAX_CONNECTIONS);
        // Reports a wrong address or password immediately.
        first(&pool, patience).await?.close().await?;
        let work_signal = Arc::new(WorkSignal::default());
        let listening = Arc::new(Listener::start(options, Arc::clone(&work_signal)));
        Ok(Self {
            connection_pool: pool,
            work_signal,
            listening,
        })
    }

    pub(crate) fn connection_pool(&self) -> &Arc<ConnectionPool> {
        &self.connection_pool
    }

    pub(crate) fn work_signal(&self) -> &WorkSignal {
        &self.work_signal
    }

    pub(crate) async fn migrate(&self) -> Result<(), OpenError> {
        let mut connection = self.connection_pool.connect().await?;
        // However long it takes: only the migrating process waits for it.
        sqlx::raw_sql("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0")
            .execute(&mut connection)
            .await?;
        // One process at a time; the others retry, and find nothing left to do.
        while !sqlx::query_scalar::<_, bool>("select pg_try_advisory_lock($1)")
            .bind(MIGRATING)
            .fetch_one(&mut connection)
            .await?
        {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let migrated = migrations::POSTGRES
            .run_direct(None, &mut connection, false)
            .await;
        sqlx::query("select pg_advisory_unlock($1)")
            .bind(MIGRATING)
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        Ok(migrated?)
    }

    pub(crate) async fn close(&self) {
        self.listening.end();
        self.connection_pool.close().await;
    }

    pub(crate) async fn renew(&self, lease: &Lease, lease_for: Duration) -> Result<(), StoreError> {
        let query = sqlx::query(RENEW)
            .bind(lease.id.to_string())
            .bind(&lease.worker)
            .bind(lease.fence)
            .bind(to_micros(lease_for));
        let done = exchange!(self, Purpose::Write, |connection| query.execute(connection))?;
        if done.rows_affected() == 1 {
            Ok(())
        } else {
            Err(StoreError::Fenced)
        }
    }

    pub(crate) async fn hand_over(&self, lease: &Lease) -> Result<(), StoreError> {
        let query = sqlx::query(HAND_OVER)
            .bind(lease.id.to_string())
            .bind(&lease.worker)
            .bind(lease.fence);
        let given = exchange!(self, Purpose::Write, |connection| query
            .fetch_all(connection))?;
        if given.len() == 1 {
            Ok(())
        } else {
            Err(StoreError::Fenced)
        }
    }

    pub(crate) async fn wake(&self, id: ExecutionId, pause: Duration) -> Result<bool, StoreError> {
        let query = sqlx::query(WAKE)
            .bind(id.to_string())
            .bind(to_micros(pause));
        let woken = exchange!(self, Purpose::Write, |connection| query
            .fetch_all(connection))?;
        Ok(woken.len() == 1)
    }

    pub(crate) async fn signal(
        &self,
        id: ExecutionId,
        signal: &Signal,
    ) -> Result<bool, StoreError> {
        let query = sqlx::query_as(SIGNAL)
            .bind(id.to_string())
            .bind(&signal.key)
            .bind(signal.action.name())
            .bind(&signal.by)
            .bind(&signal.why);
        let (known, _): (bool, Option<String>) =
            exchange!(self, Purpose::Write, |connection| query
                .fetch_one(connection))?;
        Ok(known)
    }

    pub(crate) async fn due_elsewhere(
        &self,
        filter: &DueFilter,
    ) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query_scalar(SKIPPED_EXECUTIONS)
            .bind(filter.states())
            .bind(filter.definitions.as_deref())
            .bind(names(&filter.newer))
            .bind(i64::try_from(filter.limit).unwrap_or(i64::MAX));
        exchange!(self, Purpose::Read, |connection| query
            .fetch_all(connection))
    }

    pub(crate) async fn take(
        &self,
        worker: &str,
        filter: &DueFilter,
        lease_for: Duration,
    ) -> Result<Vec<TakenLease>, StoreError> {
        let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
        let query = sqlx::query_as(TAKE)
            .bind(worker)
            .bind(limit)
            .bind(to_micros(lease_for))
            .bind(filter.states())
            .bind(filter.definitions.as_deref())
            .bind(names(&filter.newer))
            .bind(i64::from(*filter.lapses.start()))
            .bind(i64::from(*filter.lapses.end()));
        let taken: Vec<(String, i64, i64)> = exchange!(self, Purpose::Write, |connection| query
            .fetch_all(connection))?;
        let taken = taken.into_iter().filter_map(|(name, fence, lapses)| {
            let lease = Lease {
                id: id(&name).ok()?,
                worker: worker.to_owned(),
                fence,
            };
            Some(TakenLease {
                lease,
                lapses: u32::try_from(lapses).unwrap_or(u32::MAX),
            })
        });
        Ok(taken.collect())
    }
}
