//! Writes a decided batch: one statement per table, however many rows.

use serde::Serialize;
use sqlx::SqliteConnection;

use dewy_saga::{Lease, journal::DueFilter};

use super::{
    batch_state::{BatchError, BatchState},
    writer_job::TakenLease,
};
use crate::{
    lossy_text::LossyText,
    row_conversion::{id, to_json},
};

const NEW: &str = "insert into execution (id, saga, version, caller, interface, token, input_digest, state, wake_at, created_at, updated_at,
        fence, worker, lease_until, seq, audit_seq)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, null, value ->> 8,
        value ->> 8, 1, value ->> 9, value ->> 10, 1, 1 from json_each($1)";

const INPUTS: &str = "insert into execution_input (execution, input) select value ->> 0, value ->> 1 from json_each($1)";

const CHANGED: &str = "update execution set state = j.value ->> 1, wake_at = j.value ->> 2, updated_at = j.value ->> 3, worker = j.value ->> 4,
        lease_until = j.value ->> 5, seq = j.value ->> 6, audit_seq = j.value ->> 7, token = j.value ->> 8, signaled_at = j.value ->> 9
    from json_each($1) j where execution.id = j.value ->> 0";

const JOURNAL: &str = "insert into journal (execution, seq, at, written_by, fence, event, digest)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 from json_each($1)";

const AUDIT: &str = "insert into audit (execution, seq, at, actor, from_state, to_state, journal, hash)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7 from json_each($1)";

const ANSWERS: &str = "update execution_input set answer = j.value ->> 1 from json_each($1) j where execution_input.execution = j.value ->> 0";

// `where true` tells the parser that what follows belongs to the insert and not to a join.
const LABELS: &str = "insert into label (execution, name, value) select value ->> 0, value ->> 1, value ->> 2 from json_each($1) where true
    on conflict (execution, name) do update set value = excluded.value";

const UPSERT_PROJECTION: &str = "insert into projection (kind, key, execution, body, updated_at)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each($1) where true
    on conflict (kind, key) do update set body = excluded.body, updated_at = excluded.updated_at";

const CLAIMS: &str = "insert into claim (resource, execution, changed, changed_at)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each($1) where true
    on conflict (resource) do update set execution = excluded.execution, changed = excluded.changed, changed_at = excluded.changed_at";

const COUNTER: &str = "update counter set value = $1 where name = 'claim_change'";

const SIGNALS: &str = "insert into signal (execution, key, action, sender, reason, at)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each($1)";

const MARK_HANDLED: &str = "update signal set received_at = $2 from json_each($1) j
    where signal.execution = j.value ->> 0 and signal.key = j.value ->> 1";

// Three selects instead of one with `or`: each is a range of its own index, however many executions
// have ended.
macro_rules! due {
    () => {
        "(select id, fence, state, saga || '/' || version as definition, wake_at as since,
            case when lapsed_seq = seq then lapses else 0 end as lapses
        from execution where worker is null and wake_at <= $1 and signaled_at is null
        union all
        select id, fence, state, saga || '/' || version, min(coalesce(wake_at, signaled_at), signaled_at),
            case when lapsed_seq = seq then lapses else 0 end
        from execution where worker is null and signaled_at > 0
        union all
        select id, fence, state, saga || '/' || version, lease_until, case when lapsed_seq = seq then lapses + 1 else 1 end
        from execution where worker is not null and lease_until <= $1)"
    };
}

macro_rules! known {
    () => {
        "(state in (select value from json_each($2)) and ($3 is null or definition in (select value from json_each($3)))
            and id not in (select value from json_each($4)))"
    };
}

// `+ 0`: see `list_executions.rs`
const DUE: &str = concat!(
    "select id, fence, lapses from ",
    due!(),
    " where ",
    known!(),
    " and lapses between $6 and $7 order by (state = 'compensating') desc, since, id limit $5 + 0"
);

pub(super) const SKIPPED_EXECUTIONS: &str = concat!(
    "select id from ",
    due!(),
    " where not ",
    known!(),
    " order by id limit $5 + 0"
);

const TAKE: &str = "update execution set worker = $1, fence = fence + 1, lease_until = $2,
        lapses = case when worker is null then lapses when lapsed_seq = seq then lapses + 1 else 1 end,
        lapsed_seq = case when worker is null then lapsed_seq else seq end
    where id in (select value from json_each($3))";

/// Number of rows with a damaged id that can be skipped, so that they do not block others.
const MAX_DAMAGED_IDS: i64 = 64;

async fn write<T: Serialize>(
    connection: &mut SqliteConnection,
    sql: &'static str,
    rows: &[T],
) -> Result<(), BatchError> {
    if !rows.is_empty() {
        sqlx::query(sql)
            .bind(to_json(rows)?)
            .execute(connection)
            .await?;
    }
    Ok(())
}

impl BatchState {
    /// Writes the decided changes; the caller commits.
    pub(super) async fn apply(&self, connection: &mut SqliteConnection) -> Result<(), BatchError> {
        let writes = &self.writes;
        write(connection, NEW, &writes.new).await?;
        write(connection, INPUTS, &writes.inputs).await?;
        let changed: Vec<_> = writes
            .changed
            .iter()
            .filter_map(|id| self.heads.get(id))
            .collect();
        let changed: Vec<_> = changed
            .into_iter()
            .map(|h| {
                (
                    &h.id,
                    &h.state,
                    h.wake_at,
                    h.updated_at,
                    &h.worker,
                    h.lease_until,
                    h.seq,
                    h.audit_seq,
                    &h.token,
                    h.signaled_at,
                )
            })
            .collect();
        write(connection, CHANGED, &changed).await?;
        write(connection, JOURNAL, &writes.journal).await?;
        write(connection, AUDIT, &writes.audit).await?;
        write(
            connection,
            ANSWERS,
            &writes.answers.iter().collect::<Vec<_>>(),
        )
        .await?;
        let labels: Vec<_> = writes
            .labels
            .iter()
            .map(|((id, name), value)| (id, name, value))
            .collect();
        write(connection, LABELS, &labels).await?;
        let projections: Vec<_> = writes
            .projections
            .iter()
            .map(|((kind, key), (id, body, at))| (kind, key, id, body, at))
            .collect();
        write(connection, UPSERT_PROJECTION, &projections).await?;
        write(connection, SIGNALS, &writes.signals).await?;
        if !writes.handled_signals.is_empty() {
            sqlx::query(MARK_HANDLED)
                .bind(to_json(&writes.handled_signals)?)
                .bind(self.now)
                .execute(&mut *connection)
                .await?;
        }
        if !writes.claims.is_empty() {
            let claims = writes.claims.iter().filter_map(|r| {
                self.claims
                    .get(r)
                    .map(|c| (r, &c.execution, c.changed, self.now))
            });
            write(connection, CLAIMS, &claims.collect::<Vec<_>>()).await?;
            sqlx::query(COUNTER)
                .bind(self.counter)
                .execute(connection)
                .await?;
        }
        Ok(())
    }
}

/// Takes due executions, after the rest of the batch, so that it includes what the batch made due.
pub(super) async fn take(
    connection: &mut SqliteConnection,
    worker: &str,
    filter: &DueFilter,
    now: i64,
    lease_until: i64,
) -> Result<Vec<TakenLease>, BatchError> {
    // With a reserve: a row with a damaged id stays due forever and must not block others.
    let asked = i64::try_from(filter.limit)
        .unwrap_or(i64::MAX)
        .saturating_add(MAX_DAMAGED_IDS);
    let definitions = filter.definitions.as_deref().map(to_json).transpose()?;
    let due: Vec<(LossyText, i64, i64)> = sqlx::query_as(DUE)
        .bind(now)
        .bind(to_json(&filter.states())?)
        .bind(definitions)
        .bind(to_json(&filter.newer)?)
        .bind(asked)
        .bind(i64::from(*filter.lapses.start()))
        .bind(i64::from(*filter.lapses.end()))
        .fetch_all(&mut *connection)
        .await?;
    let named = due.into_iter().filter_map(|(name, fence, lapses)| {
        let lease = Lease {
            id: id(&name).ok()?,
            worker: worker.to_owned(),
            fence: fence + 1,
        };
        Some(TakenLease {
            lease,
            lapses: u32::try_from(lapses).unwrap_or(u32::MAX),
        })
    });
    let taken: Vec<TakenLease> = named.take(filter.limit).collect();
    if !taken.is_empty() {
        let ids = to_json(
            &taken
                .iter()
                .map(|taken| taken.lease.id.to_string())
                .collect::<Vec<_>>(),
        )?;
        sqlx::query(TAKE)
            .bind(worker)
            .bind(lease_until)
            .bind(ids)
            .execute(connection)
            .await?;
    }
    Ok(taken)
}
