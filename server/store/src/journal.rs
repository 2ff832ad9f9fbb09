//! The engine's journal, on either database.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use dewy_saga::{
    ExecutionId, Journal, Lease, Signal, State, StoreError,
    journal::{
        Append, AppendResult, BeginResult, DueFilter, ExecutionFilter, ExecutionRecord,
        NewExecution, ProjectionRow,
    },
};
use jiff::Timestamp;

use crate::{
    backend::Backend,
    fetch::{fetch, for_ids},
    journal_rules,
    lossy_text::LossyText,
    row_conversion::{self, ProjectionColumns, SignalRow},
    small_writes::write_rows,
    sqlite::{BeginOutcome, TakenLease},
    store::Store,
};

/// Maximum number of executions loaded at once with their journals.
const MAX_BATCH: usize = 200;

impl Store {
    async fn records_for(
        &self,
        taken: &[TakenLease],
    ) -> Result<Vec<(Lease, ExecutionRecord)>, StoreError> {
        let ids: Vec<String> = taken.iter().map(|t| t.lease.id.to_string()).collect();
        let records = self.records(&ids, true).await?;
        let record = |TakenLease { lease, lapses }: &TakenLease| {
            let record = records.iter().find(|r| r.id == lease.id)?;
            Some((
                lease.clone(),
                ExecutionRecord {
                    lapses: *lapses,
                    ..record.clone()
                },
            ))
        };
        Ok(taken.iter().filter_map(record).collect())
    }
}

#[async_trait]
impl Journal for Store {
    async fn begin(&self, new: NewExecution) -> Result<BeginResult, StoreError> {
        loop {
            let found = match &self.backend {
                Backend::Sqlite(s) => s.begin(new.clone()).await?,
                Backend::Postgres(p) => p.begin(&new).await?,
            };
            match found {
                BeginOutcome::New { lease, mark } => return Ok(BeginResult::New { lease, mark }),
                BeginOutcome::Mismatch(other) => {
                    return Ok(BeginResult::Mismatch(row_conversion::id(&other)?));
                }
                BeginOutcome::Existing(other) => {
                    if let Some(record) = self.load(row_conversion::id(&other)?).await? {
                        return Ok(BeginResult::Existing(Box::new(record)));
                    }
                }
            }
        }
    }

    async fn append(&self, lease: &Lease, append: Append) -> Result<AppendResult, StoreError> {
        journal_rules::check_rows(&append)?;
        match &self.backend {
            Backend::Sqlite(s) => s.append(lease.clone(), append).await,
            Backend::Postgres(p) => p.append(lease, &append).await,
        }
    }

    async fn renew(
        &self,
        lease: &Lease,
        lease_for: Duration,
        _at: Timestamp,
    ) -> Result<(), StoreError> {
        match &self.backend {
            Backend::Sqlite(s) => s.renew(lease.clone(), lease_for).await,
            Backend::Postgres(p) => p.renew(lease, lease_for).await,
        }
    }

    async fn take(
        &self,
        worker: &str,
        filter: &DueFilter,
        lease_for: Duration,
        _at: Timestamp,
    ) -> Result<Vec<(Lease, ExecutionRecord)>, StoreError> {
        let taken = match &self.backend {
            Backend::Sqlite(s) => s.take(worker.to_owned(), filter.clone(), lease_for).await?,
            Backend::Postgres(p) => p.take(worker, filter, lease_for).await?,
        };
        let records = self.records_for(&taken).await;
        if records.is_err() {
            for TakenLease { lease, .. } in taken {
                // If this fails, the lease expires by itself.
                drop(self.hand_over(&lease, self.clock.now()).await);
            }
        }
        records
    }

    async fn due_elsewhere(&self, filter: &DueFilter) -> Result<Vec<ExecutionId>, StoreError> {
        let names = match &self.backend {
            Backend::Sqlite(s) => {
                s.due_elsewhere(filter, row_conversion::micros(self.clock.now()))
                    .await
            }
            Backend::Postgres(p) => p.due_elsewhere(filter).await,
        }?;
        // A damaged id belongs to no execution.
        Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
    }

    async fn hand_over(&self, lease: &Lease, _at: Timestamp) -> Result<(), StoreError> {
        match &self.backend {
            Backend::Sqlite(s) => s.hand_over(lease.clone()).await,
            Backend::Postgres(p) => p.hand_over(lease).await,
        }
    }

    async fn wake(&self, id: ExecutionId, pause: Duration) -> Result<bool, StoreError> {
        match &self.backend {
            Backend::Sqlite(s) => s.wake(id, pause).await,
            Backend::Postgres(p) => p.wake(id, pause).await,
        }
    }

    async fn signal(
        &self,
        id: ExecutionId,
        signal: &Signal,
        _at: Timestamp,
    ) -> Result<bool, StoreError> {
        match &self.backend {
            Backend::Sqlite(s) => s.signal(id, signal.clone()).await,
            Backend::Postgres(p) => p.signal(id, signal).await,
        }
    }

    async fn signals(&self, id: ExecutionId) -> Result<Vec<Signal>, StoreError> {
        let sql = "select execution, key, action, sender, reason from signal where execution = $1 and received_at is null order by n";
        // An execution with a signal that this release can't read is not run: none is skipped
        Ok(fetch!(self, SignalRow, sql, id.to_string())?
            .into_iter()
            .filter_map(|row| row.signal().ok())
            .collect())
    }

    async fn counts(&self) -> Result<Vec<(State, u64)>, StoreError> {
        let sql = "select state, count(*) from execution group by state";
        Ok(counted(fetch!(self, (LossyText, i64), sql)?))
    }

    async fn open_counts(&self) -> Result<Vec<(State, u64)>, StoreError> {
        let sql = "select state, count(*) from execution
                   where state in ('queued', 'running', 'retrying', 'waiting', 'compensating', 'needs_attention') group by state";
        Ok(counted(fetch!(self, (LossyText, i64), sql)?))
    }

    async fn load(&self, id: ExecutionId) -> Result<Option<ExecutionRecord>, StoreError> {
        Ok(self.records(&[id.to_string()], true).await?.pop())
    }

    async fn load_all(&self, ids: &[ExecutionId]) -> Result<Vec<ExecutionRecord>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ExecutionId::to_string).collect();
        let mut records = Vec::with_capacity(ids.len());
        for some in ids.chunks(MAX_BATCH) {
            records.extend(self.records(some, true).await?);
        }
        Ok(records)
    }

    async fn heads(&self, ids: &[ExecutionId]) -> Result<Vec<ExecutionRecord>, StoreError> {
        self.records(
            &ids.iter().map(ExecutionId::to_string).collect::<Vec<_>>(),
            false,
        )
        .await
    }

    async fn labelled(
        &self,
        name: &str,
        values: &[String],
    ) -> Result<Vec<(String, ExecutionId)>, StoreError> {
        let sql = for_ids!(
            self,
            "select value, execution from label where name = $2 and value",
            ""
        );
        let rows = fetch!(
            self,
            (LossyText, LossyText),
            sql,
            row_conversion::to_json(&values)?,
            name
        )?;
        Ok(rows
            .into_iter()
            .filter_map(|(value, id)| Some((value.into(), row_conversion::id(&id).ok()?)))
            .collect())
    }

    async fn find_token(
        &self,
        caller: &str,
        token: &str,
    ) -> Result<Option<ExecutionRecord>, StoreError> {
        let sql = "select id from execution where caller = $1 and token = $2";
        match fetch!(self, (String,), sql, caller, token)?.pop() {
            Some((id,)) => self.load(row_conversion::id(&id)?).await,
            None => Ok(None),
        }
    }

    async fn list(&self, filter: &ExecutionFilter) -> Result<Vec<ExecutionRecord>, StoreError> {
        self.listing(filter).await
    }

    async fn claim_mark(&self) -> Result<i64, StoreError> {
        let sql = match &self.backend {
            Backend::Sqlite(_) => "select value from counter where name = 'claim_change'",
            Backend::Postgres(_) => "select last_value from claim_change",
        };
        fetch!(self, (i64,), sql)?
            .pop()
            .map(|(n,)| n)
            .ok_or_else(|| StoreError::Failed("no change counter: migrate first".to_owned()))
    }

    async fn claim_holder(&self, resource: &str) -> Result<Option<ExecutionId>, StoreError> {
        let sql = "select execution from claim where resource = $1 and execution is not null";
        fetch!(self, (String,), sql, resource)?
            .pop()
            .map(|(text,)| row_conversion::id(&text))
            .transpose()
    }

    async fn projection_rows(
        &self,
        kind: &str,
        keys: &[String],
    ) -> Result<BTreeMap<String, Result<ProjectionRow, StoreError>>, StoreError> {
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let sql = for_ids!(
            self,
            "select key, execution, body, updated_at from projection where key",
            "and kind = $2"
        );
        let rows = fetch!(
            self,
            ProjectionColumns,
            sql,
            row_conversion::to_json(&keys)?,
            kind
        )?;
        Ok(rows
            .into_iter()
            .map(|row| (row.key.to_string(), projection_row(row)))
            .collect())
    }

    async fn projections(
        &self,
        kind: &str,
        execution: Option<ExecutionId>,
        limit: usize,
    ) -> Result<Vec<ProjectionRow>, StoreError> {
        let sql = "select key, execution, body, updated_at from projection
                   where kind = $1 and (cast($2 as text) is null or execution = $2) order by updated_at desc, key desc limit $3";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let execution = execution.map(|e| e.to_string());
        let rows = fetch!(self, ProjectionColumns, sql, kind, &execution, limit)?;
        // An unreadable row is left out and stays in place: `dewy audit verify` names it.
        let read = rows.into_iter().filter_map(|row| {
            let key = row.key.to_string();
            projection_row(row)
                .inspect_err(|error| tracing::error!(kind, key, %error, "left out"))
                .ok()
        });
        Ok(read.collect())
    }

    async fn drop_projection(&self, kind: &str, key: &str) -> Result<(), StoreError> {
        write_rows!(
            self,
            "delete from projection where kind = $1 and key = $2",
            kind,
            key
        )
        .map(drop)
    }

    async fn wait_for_work(&self, at_most: Duration) {
        match &self.backend {
            Backend::Sqlite(s) => s.work_signal().wait(at_most).await,
            Backend::Postgres(p) => p.work_signal().wait(at_most).await,
        }
    }
}

/// An unknown state is shown to a person, as the execution itself is.
fn counted(rows: Vec<(LossyText, i64)>) -> Vec<(State, u64)> {
    let mut counts = BTreeMap::new();
    for (name, count) in rows {
        *counts
            .entry(State::from_name(&name).unwrap_or(State::NeedsAttention))
            .or_default() += count.unsigned_abs();
    }
    counts.into_iter().collect()
}

fn projection_row(row: ProjectionColumns) -> Result<ProjectionRow, StoreError> {
    Ok(ProjectionRow {
        key: row.key.into(),
        execution: row_conversion::id(&row.execution)?,
        body: row_conversion::json(&row.body)?,
        updated_at: row_conversion::to_timestamp(row.updated_at)?,
    })
}
