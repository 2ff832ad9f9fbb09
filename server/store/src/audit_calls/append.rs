//! Writes a batch of calls in one transaction, chained to the previous batch.

use dewy_saga::StoreError;
use jiff::Timestamp;

use super::{CallBatch, Row, batch_hash};
use crate::{
    backend::Backend,
    row_conversion::{micros, to_json},
    store::Store,
    transaction_steps::{affected, commit_if, in_transaction},
};

const BATCH: &str = "insert into call_batch (writer, n, at, size, hash) values ($1, $2, $3, $4, $5) on conflict (writer, n) do nothing";
const HEAD: &str = "insert into call_chain (writer, n, hash, checkpoint_n) values ($1, $2, $3, 0)
    on conflict (writer) do update set n = excluded.n, hash = excluded.hash";

/// `json_each` serializes an element again for each column read from it, unless it is materialized.
const SQLITE_ROWS: &str = "insert into tool_call (writer, n, pos, at, caller, interface, credential, request, tool, status, outcome,
        execution, on_behalf_of, digest)
    with given as materialized (select value from json_each($1))
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
        value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13 from given";
const SQLITE_PEOPLE: &str =
    "insert into person (id, email) select value ->> 0, value ->> 1 from json_each($1) where true
    on conflict (id) do nothing";
const POSTGRES_ROWS: &str = "insert into tool_call (writer, n, pos, at, caller, interface, credential, request, tool, status, outcome,
        execution, on_behalf_of, digest)
    select value ->> 0, (value ->> 1)::bigint, (value ->> 2)::bigint, (value ->> 3)::bigint, value ->> 4, value ->> 5,
        value ->> 6, value ->> 7, value ->> 8, (value ->> 9)::bigint, value ->> 10, value ->> 11, value ->> 12,
        value ->> 13 from json_array_elements($1::json)";
const POSTGRES_PEOPLE: &str = "insert into person (id, email) select value ->> 0, value ->> 1
    from json_array_elements($1::json) order by 1 on conflict (id) do nothing";

/// Position of one writer's chain. Each process has its own: a single chain would make every
/// instance wait for all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallChain {
    writer: String,
    n: i64,
    hash: String,
}

impl CallChain {
    /// A new chain; `writer` must never have been used before.
    #[must_use]
    pub const fn new(writer: String) -> Self {
        Self {
            writer,
            n: 0,
            hash: String::new(),
        }
    }

    fn next(&self, rows: &[Row], at: i64) -> Self {
        let n = self.n + 1;
        let digests = rows.iter().map(|row| &*row.digest);
        Self {
            writer: self.writer.clone(),
            n,
            hash: batch_hash(&self.hash, &self.writer, n, at, digests),
        }
    }
}

/// The rows as JSON lists, digest last.
fn listed(rows: &[Row]) -> Result<String, StoreError> {
    let each: Vec<_> = rows
        .iter()
        .map(|r| {
            serde_json::json!([
                r.writer,
                r.n,
                r.pos,
                r.at,
                r.caller,
                r.interface,
                r.credential,
                r.request,
                r.tool,
                r.status,
                r.outcome,
                r.execution,
                r.on_behalf_of,
                r.digest
            ])
        })
        .collect();
    to_json(&each)
}

impl Store {
    /// Writes a batch after `chain` and returns the new position. After a failure the same batch
    /// may be written again with the same `chain` and `at`, whether or not it had been written.
    pub async fn append_calls(
        &self,
        chain: &CallChain,
        at: Timestamp,
        batch: &CallBatch,
    ) -> Result<CallChain, StoreError> {
        if batch.calls.is_empty() {
            return Ok(chain.clone());
        }
        let n = chain.n + 1;
        let rows: Vec<Row> = (0..)
            .zip(&batch.calls)
            .map(|(pos, call)| Row::of(call, &chain.writer, n, pos))
            .collect::<Result<_, _>>()?;
        let at = micros(at);
        let next = chain.next(&rows, at);
        let (rows_in, people_in) = match &self.backend {
            Backend::Sqlite(_) => (SQLITE_ROWS, SQLITE_PEOPLE),
            Backend::Postgres(_) => (POSTGRES_ROWS, POSTGRES_PEOPLE),
        };
        let size = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let (rows, people) = (listed(&rows)?, to_json(&batch.people)?);
        in_transaction!(self, |transaction| {
            let (writer, hash) = (&next.writer, &next.hash);
            // Otherwise it exists already: an earlier attempt, whose answer was lost, wrote it.
            if affected!(transaction, BATCH, writer, next.n, at, size, hash) > 0 {
                affected!(transaction, people_in, &people);
                affected!(transaction, rows_in, &rows);
                affected!(transaction, HEAD, writer, next.n, hash);
            }
            commit_if!(true, transaction);
            Ok(())
        })?;
        Ok(next)
    }

    /// Erases a person's identity; their actions stay, under the id alone. False when the id is
    /// unknown.
    pub async fn erase_person(&self, id: &str) -> Result<bool, StoreError> {
        Ok(crate::small_writes::write_rows!(self, "delete from person where id = $1", id)? == 1)
    }
}
