//! New executions: one plain statement; if it wrote nothing, the conflicting execution is read.

use dewy_saga::{Lease, StoreError, journal::NewExecution};

use super::{Postgres, Purpose, exchange};
use crate::{
    row_conversion::{micros, to_json, to_micros},
    sqlite::BeginOutcome,
};

const INSERT: &str = "with e as (
        insert into execution (id, saga, version, caller, interface, token, input_digest, state, wake_at, created_at, updated_at,
                               fence, worker, lease_until, seq, audit_seq)
        values ($1, $2, $3, $4, $5, $6, $7, $8, null, $9, $9, 1, $10, now_us() + $11, 1, 1)
        on conflict do nothing returning id),
    c as (insert into execution_input (execution, input) select e.id, $12 from e),
    j as (insert into journal (execution, seq, at, written_by, fence, event, digest) select e.id, 1, $13, $14, $15, $16, $17 from e),
    a as (insert into audit (execution, seq, at, actor, from_state, to_state, journal, hash)
        select e.id, 1, $13, $18, null, $8, $19, $20 from e),
    l as (insert into label (execution, name, value) select e.id, n.name, n.value from e, unnest($21::text[], $22::text[]) n (name, value))
    select count(*), (select last_value from claim_change) from e";

/// The execution with that id or token. A separate statement, so that it sees rows committed while
/// the insert waited.
const CONFLICTING_EXECUTION: &str = "select id, input_digest, worker, fence from execution
    where id = $1 or (caller = $2 and token = $3) order by (id = $1) desc limit 1";

impl Postgres {
    pub(crate) async fn begin(&self, new: &NewExecution) -> Result<BeginOutcome, StoreError> {
        loop {
            let (inserted, mark) = self.insert(new).await?;
            let begun = BeginOutcome::New {
                lease: Lease {
                    id: new.id,
                    worker: new.worker.clone(),
                    fence: 1,
                },
                mark,
            };
            if inserted {
                return Ok(begun);
            }
            let query = sqlx::query_as(CONFLICTING_EXECUTION)
                .bind(new.id.to_string())
                .bind(&new.caller)
                .bind(&new.token);
            let found: Option<(String, String, Option<String>, i64)> =
                exchange!(self, Purpose::Read, |connection| query
                    .fetch_optional(connection))?;
            return Ok(match found {
                // The token was freed between the two statements; try again.
                None => continue,
                Some((id, digest, _, _)) if digest != new.input_digest => {
                    BeginOutcome::Mismatch(id)
                }
                // The answer to this very call was lost; here it is again.
                Some((id, _, worker, 1))
                    if id == new.id.to_string() && worker.as_deref() == Some(&*new.worker) =>
                {
                    begun
                }
                Some((id, ..)) => BeginOutcome::Existing(id),
            });
        }
    }

    /// Whether the execution was created, and the claim mark of before.
    async fn insert(&self, new: &NewExecution) -> Result<(bool, i64), StoreError> {
        let (names, values): (Vec<&str>, Vec<&str>) = new
            .labels
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .unzip();
        let query = sqlx::query_as(INSERT)
            .bind(new.id.to_string())
            .bind(&new.saga)
            .bind(i64::from(new.version))
            .bind(&new.caller)
            .bind(&new.interface)
            .bind(&new.token)
            .bind(&new.input_digest)
            .bind(new.audit.to.name())
            .bind(micros(new.at))
            .bind(&new.worker)
            .bind(to_micros(new.lease))
            .bind(to_json(&new.input)?)
            .bind(micros(new.first.at))
            .bind(&new.first.by)
            .bind(new.first.fence)
            .bind(to_json(&new.first.event)?)
            .bind(&new.first.digest)
            .bind(&new.audit.actor)
            .bind(&new.audit.journal)
            .bind(&new.audit.hash)
            .bind(names)
            .bind(values);
        let (made, mark): (i64, i64) = exchange!(self, Purpose::Write, |connection| query
            .fetch_one(connection))?;
        Ok((made == 1, mark))
    }
}
