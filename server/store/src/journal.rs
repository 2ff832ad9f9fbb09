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
    journal_rules, row_conversion,
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
                    if let Some(record) = self.load_one(row_conversion::id(&other)?).await? {
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
        self.open_signals(id).await
    }

    async fn counts(&self) -> Result<Vec<(State, u64)>, StoreError> {
        self.by_state().await
    }

    async fn open_counts(&self) -> Result<Vec<(State, u64)>, StoreError> {
        self.open_by_state().await
    }

    async fn load(&self, id: ExecutionId) -> Result<Option<ExecutionRecord>, StoreError> {
        self.load_one(id).await
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
        self.labelled_with(name, values).await
    }

    async fn find_token(
        &self,
        caller: &str,
        token: &str,
    ) -> Result<Option<ExecutionRecord>, StoreError> {
        match self.token_id(caller, token).await? {
            Some(id) => self.load_one(row_conversion::id(&id)?).await,
            None => Ok(None),
        }
    }

    async fn list(&self, filter: &ExecutionFilter) -> Result<Vec<ExecutionRecord>, StoreError> {
        self.listing(filter).await
    }

    async fn claim_mark(&self) -> Result<i64, StoreError> {
        self.mark().await
    }

    async fn claim_holder(&self, resource: &str) -> Result<Option<ExecutionId>, StoreError> {
        self.holder(resource).await
    }

    async fn projection_rows(
        &self,
        kind: &str,
        keys: &[String],
    ) -> Result<BTreeMap<String, Result<ProjectionRow, StoreError>>, StoreError> {
        self.projections_with_keys(kind, keys).await
    }

    async fn projections(
        &self,
        kind: &str,
        execution: Option<ExecutionId>,
        limit: usize,
    ) -> Result<Vec<ProjectionRow>, StoreError> {
        self.newest_projections(kind, execution, limit).await
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
