//! The common appends as one plain statement each, with two thirds of the work of `append_v1`
//! (`adr/0005-sqlite-and-postgres.md` has the figures).
//!
//! Each statement writes only in the usual case and returns whether it did; otherwise nothing was
//! written, and the function is called, which distinguishes the cases. A statement sees claims as
//! of before it waited for the execution's lock, so *taking* claims always requires the function.
//! Releasing is safe: an execution's claims only change under its own fencing token.

use dewy_saga::{
    Lease, Row, State, StoreError,
    hash_chain::AuditRow,
    journal::{Append, ClaimChange, LeaseChange},
};
use sqlx::{Postgres as Pg, postgres::PgArguments, query::QueryAs};

use super::{Postgres, Purpose, exchange};
use crate::{
    journal_rules,
    row_conversion::{micros, to_json, to_micros},
};

// Values instead of arrays: unnesting arrays costs Postgres more than everything else. Nearly every
// append has two rows, the outcome of one step and the intent of the next.
macro_rules! append {
    ($if:literal, $lease:literal, $more:literal) => {
        concat!(
            "with e as (
                update execution set state = $4, wake_at = now_us() + $5, updated_at = $6, seq = $7,
                    audit_seq = coalesce($8, audit_seq), ", $lease,
            " where id = $1 and worker = $2 and fence = $3 and seq = $9 - 1", $if, " returning id),
            j as (insert into journal (execution, seq, at, written_by, fence, event, digest)
                select e.id, r.* from e, (values ($11::bigint, $12::bigint, $13::text, $14::bigint, $15::text, $16::text),
                                                 ($17, $18, $19, $20, $21, $22)) r)",
            $more,
            " select id from e"
        )
    };
}

/// Between two steps: rows, and an extended lease.
const STEP: &str = append!(
    "",
    "lease_until = greatest(lease_until, now_us() + $10)",
    ""
);

/// As above, with a change of state.
const AUDITED: &str = append!(
    "",
    "lease_until = greatest(lease_until, now_us() + $10)",
    ", a as (insert into audit (execution, seq, at, actor, from_state, to_state, journal, hash)
        select e.id, $23, $24, $25, $26, $27, $28, $29 from e)"
);

/// The end: the answer, and the release of lease and claims. `$10` is null here; it keeps the
/// parameter numbers the same. If a signal is open, the function notifies.
const END: &str = append!(
    " and signaled_at is null",
    "worker = null, lease_until = coalesce($10::bigint, 0)",
    ", a as (insert into audit (execution, seq, at, actor, from_state, to_state, journal, hash)
        select e.id, $23, $24, $25, $26, $27, $28, $29 from e),
    c as (update execution_input set answer = $30 from e where execution_input.execution = e.id),
    g as (update claim set execution = null, changed = nextval('claim_change'), changed_at = now_us() from e where claim.execution = e.id)"
);

/// The statement for an append, if one fits.
fn statement(append: &Append) -> Option<&'static str> {
    let plain = append.labels.is_empty()
        && append.projections.is_empty()
        && append.handled.is_empty()
        && !append.free_token
        && append.rows.len() == 2;
    let quiet = !journal_rules::wakes_workers(append);
    match (
        append.lease,
        &append.claims,
        &append.answer,
        append.audit.len(),
    ) {
        (LeaseChange::Keep | LeaseChange::For(_), ClaimChange::None, None, 0) if plain => {
            Some(STEP)
        }
        (LeaseChange::Keep | LeaseChange::For(_), ClaimChange::None, None, 1) if plain => {
            Some(AUDITED)
        }
        (LeaseChange::Release, ClaimChange::Release, Some(_), 1) if plain && quiet => Some(END),
        _ => None,
    }
}

type AppendQuery = QueryAs<'static, Pg, (String,), PgArguments>;

fn with_row(query: AppendQuery, row: &Row) -> Result<AppendQuery, StoreError> {
    let event = to_json(&row.event)?;
    Ok(query
        .bind(row.seq)
        .bind(micros(row.at))
        .bind(row.by.clone())
        .bind(row.fence)
        .bind(event)
        .bind(row.digest.clone()))
}

fn with_audit(query: AppendQuery, audit: &AuditRow) -> AppendQuery {
    query
        .bind(audit.seq)
        .bind(micros(audit.at))
        .bind(audit.actor.clone())
        .bind(audit.from.map(State::name))
        .bind(audit.to.name())
        .bind(audit.journal.clone())
        .bind(audit.hash.clone())
}

impl Postgres {
    /// True when it was appended; false when nothing was written and the function must be called.
    pub(super) async fn try_single_statement_append(
        &self,
        lease: &Lease,
        append: &Append,
    ) -> Result<bool, StoreError> {
        let (Some(sql), Some(first), Some(last)) =
            (statement(append), append.rows.first(), append.rows.last())
        else {
            return Ok(false);
        };
        let lasts = match append.lease {
            LeaseChange::For(duration) => Some(to_micros(duration)),
            LeaseChange::Keep | LeaseChange::Release => None,
        };
        let mut query: AppendQuery = sqlx::query_as(sql)
            .bind(lease.id.to_string())
            .bind(lease.worker.clone())
            .bind(lease.fence)
            .bind(append.state.name())
            .bind(append.wake_at.map(|at| micros(at) - micros(append.at)))
            .bind(micros(append.at))
            .bind(last.seq)
            .bind(append.audit.last().map(|a| a.seq))
            .bind(first.seq)
            .bind(lasts);
        for row in &append.rows {
            query = with_row(query, row)?;
        }
        for audit in &append.audit {
            query = with_audit(query, audit);
        }
        if sql == END {
            query = query.bind(append.answer.as_ref().map(to_json).transpose()?);
        }
        let done = exchange!(self, Purpose::Write, |connection| query
            .fetch_optional(connection))?;
        Ok(done.is_some())
    }
}
