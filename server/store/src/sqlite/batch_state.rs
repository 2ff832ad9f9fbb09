//! The writer's state while it decides a batch, read from the database at the start of the batch.

use std::collections::{BTreeMap, BTreeSet};

use dewy_saga::{StoreError, journal::ClaimChange};
use sqlx::SqliteConnection;

use super::writer_job::{Job, Ticket};
use crate::columns::columns;
use crate::row_conversion::to_json;

columns! {
    /// Fields of an execution that decisions depend on.
    #[derive(Clone, Debug)]
    pub(super) struct Head {
        pub id: String,
        pub caller: String,
        pub token: Option<String>,
        pub input_digest: String,
        pub state: String,
        pub wake_at: Option<i64>,
        pub updated_at: i64,
        pub fence: i64,
        pub worker: Option<String>,
        pub lease_until: i64,
        pub seq: i64,
        pub audit_seq: i64,
        /// Arrival time of its oldest open signal.
        pub signaled_at: Option<i64>,
    }
}

/// Owner of a resource.
#[derive(Clone, Debug, Default)]
pub(super) struct Claim {
    pub execution: Option<String>,
    pub changed: i64,
}

/// Fields of a signal that decisions depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignalState {
    pub at: i64,
    pub open: bool,
}

/// A new `signal` row: execution, key, ask, by, why, at.
pub(super) type SignalRow = (String, String, &'static str, String, String, i64);
/// A new `execution` row, in the order of the insert statement's columns.
pub(super) type NewRow = (
    String,
    String,
    u32,
    String,
    String,
    Option<String>,
    String,
    String,
    i64,
    String,
    i64,
);
pub(super) type JournalRow = (String, i64, i64, String, i64, String, String);
pub(super) type AuditRow = (
    String,
    i64,
    i64,
    String,
    Option<&'static str>,
    &'static str,
    String,
    String,
);

/// Rows the batch will write.
#[derive(Debug, Default)]
pub(super) struct Writes {
    pub new: Vec<NewRow>,
    pub inputs: Vec<(String, String)>,
    pub changed: BTreeSet<String>,
    pub answers: BTreeMap<String, String>,
    pub labels: BTreeMap<(String, String), String>,
    pub journal: Vec<JournalRow>,
    pub audit: Vec<AuditRow>,
    pub projections: BTreeMap<(String, String), (String, String, i64)>,
    pub claims: BTreeSet<String>,
    pub signals: Vec<SignalRow>,
    /// (execution, key) of answered signals.
    pub handled_signals: Vec<(String, String)>,
}

/// Database state for this batch, including its unwritten changes.
#[derive(Debug, Default)]
pub(super) struct BatchState {
    pub now: i64,
    pub heads: BTreeMap<String, Head>,
    /// (caller, token) → execution.
    pub tokens: BTreeMap<(String, String), String>,
    pub claims: BTreeMap<String, Claim>,
    /// (kind, key) → execution.
    pub owners: BTreeMap<(String, String), String>,
    /// (execution, seq) → digest and fencing token of rows that a job in the batch may repeat.
    pub stored: BTreeMap<(String, i64), (String, i64)>,
    /// (execution, key) → signal: those named in the batch, and all open ones of the executions it
    /// answers.
    pub signals: BTreeMap<(String, String), SignalState>,
    pub counter: i64,
    pub floor: i64,
    pub writes: Writes,
    /// Whether work became due, so that waiting workers must be notified.
    pub wakes_workers: bool,
}

const SELECT_HEADS: &str =
    "select id, caller, token, input_digest, state, wake_at, updated_at, fence, worker, lease_until, seq, audit_seq, signaled_at
    from execution where id in (select value from json_each($1))";

const TOKENS: &str = "select e.id, e.caller, e.token, e.input_digest, e.state, e.wake_at, e.updated_at, e.fence, e.worker, e.lease_until,
    e.seq, e.audit_seq, e.signaled_at from json_each($1) j join execution e on e.caller = j.value ->> 0 and e.token = j.value ->> 1";

const CLAIMS: &str =
    "select resource, execution, changed from claim where resource in (select value from json_each($1))
    union select resource, execution, changed from claim where execution in (select value from json_each($2))";

const SELECT_OWNERS: &str = "select b.kind, b.key, b.execution from json_each($1) j join projection b on b.kind = j.value ->> 0 and b.key = j.value ->> 1";

const STORED: &str = "select r.execution, r.seq, r.digest, r.fence from json_each($1) j
    join journal r on r.execution = j.value ->> 0 and r.seq = j.value ->> 1";

const SELECT_SIGNALS: &str =
    "select execution, key, at, received_at is null from signal where execution in (select value from json_each($1)) and received_at is null
    union select s.execution, s.key, s.at, s.received_at is null from json_each($2) j
    join signal s on s.execution = j.value ->> 0 and s.key = j.value ->> 1";

const SELECT_COUNTERS: &str = "select (select value from counter where name = 'claim_change'), (select value from counter where name = 'claim_floor')";

/// Ids and keys the batch needs.
#[derive(Default)]
struct BatchKeys {
    ids: BTreeSet<String>,
    tokens: Vec<(String, String)>,
    resources: Vec<String>,
    releasing: Vec<String>,
    projections: Vec<(String, String)>,
    last_rows: Vec<(String, i64)>,
    hearing: BTreeSet<String>,
    said: Vec<(String, String)>,
    counters: bool,
}

impl BatchKeys {
    fn by(batch: &[Ticket]) -> Self {
        let mut wanted = Self::default();
        for ticket in batch {
            match &ticket.job {
                Job::Begin(new) => {
                    wanted.ids.insert(new.id.to_string());
                    wanted
                        .tokens
                        .extend(new.token.iter().map(|t| (new.caller.clone(), t.clone())));
                    wanted.counters = true;
                }
                Job::Append(lease, append) => {
                    let id = lease.id.to_string();
                    match &append.claims {
                        ClaimChange::None => {}
                        ClaimChange::Take { resources, .. } => {
                            wanted.resources.extend_from_slice(resources)
                        }
                        ClaimChange::Release => wanted.releasing.push(id.clone()),
                    }
                    wanted.counters |= append.claims != ClaimChange::None;
                    wanted.projections.extend(
                        append
                            .projections
                            .iter()
                            .map(|b| (b.kind.clone(), b.key.clone())),
                    );
                    wanted
                        .last_rows
                        .extend(append.rows.last().map(|r| (id.clone(), r.seq)));
                    if !append.handled.is_empty() {
                        wanted.hearing.insert(id.clone());
                    }
                    wanted.ids.insert(id);
                }
                Job::Renew(lease, _) | Job::HandOver(lease) => {
                    wanted.ids.insert(lease.id.to_string());
                }
                Job::Wake(id, _) => {
                    wanted.ids.insert(id.to_string());
                }
                Job::Signal(id, signal) => {
                    wanted.said.push((id.to_string(), signal.key.clone()));
                    wanted.ids.insert(id.to_string());
                }
                Job::Take { .. } => {}
            }
        }
        wanted
    }
}

/// Why a batch could not be prepared or written.
#[derive(Debug)]
pub(super) enum BatchError {
    /// The database returned an error.
    Database(sqlx::Error),
    /// A value could not be serialized.
    Words(StoreError),
}

impl From<sqlx::Error> for BatchError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StoreError> for BatchError {
    fn from(error: StoreError) -> Self {
        Self::Words(error)
    }
}

impl BatchState {
    /// Reads what the batch needs, inside its transaction.
    pub(super) async fn read(
        connection: &mut SqliteConnection,
        batch: &[Ticket],
        now: i64,
    ) -> Result<Self, BatchError> {
        let mut wanted = BatchKeys::by(batch);
        let mut plan = Self {
            now,
            ..Self::default()
        };
        if !wanted.ids.is_empty() {
            let heads: Vec<Head> = sqlx::query_as(SELECT_HEADS)
                .bind(to_json(&wanted.ids)?)
                .fetch_all(&mut *connection)
                .await?;
            plan.add(heads);
        }
        if !wanted.tokens.is_empty() {
            let heads: Vec<Head> = sqlx::query_as(TOKENS)
                .bind(to_json(&wanted.tokens)?)
                .fetch_all(&mut *connection)
                .await?;
            plan.add(heads);
        }
        wanted
            .last_rows
            .retain(|(id, seq)| plan.heads.get(id).is_some_and(|h| h.seq >= *seq));
        if !wanted.last_rows.is_empty() {
            let rows: Vec<(String, i64, String, i64)> = sqlx::query_as(STORED)
                .bind(to_json(&wanted.last_rows)?)
                .fetch_all(&mut *connection)
                .await?;
            plan.stored = rows
                .into_iter()
                .map(|(id, seq, digest, fence)| ((id, seq), (digest, fence)))
                .collect();
        }
        if !wanted.resources.is_empty() || !wanted.releasing.is_empty() {
            let (resources, releasing) = (to_json(&wanted.resources)?, to_json(&wanted.releasing)?);
            let rows: Vec<(String, Option<String>, i64)> = sqlx::query_as(CLAIMS)
                .bind(resources)
                .bind(releasing)
                .fetch_all(&mut *connection)
                .await?;
            plan.claims = rows
                .into_iter()
                .map(|(resource, execution, changed)| (resource, Claim { execution, changed }))
                .collect();
        }
        if !wanted.projections.is_empty() {
            let rows: Vec<(String, String, String)> = sqlx::query_as(SELECT_OWNERS)
                .bind(to_json(&wanted.projections)?)
                .fetch_all(&mut *connection)
                .await?;
            plan.owners = rows
                .into_iter()
                .map(|(kind, key, execution)| ((kind, key), execution))
                .collect();
        }
        if !wanted.hearing.is_empty() || !wanted.said.is_empty() {
            let (hearing, said) = (to_json(&wanted.hearing)?, to_json(&wanted.said)?);
            let rows: Vec<(String, String, i64, bool)> = sqlx::query_as(SELECT_SIGNALS)
                .bind(hearing)
                .bind(said)
                .fetch_all(&mut *connection)
                .await?;
            plan.signals = rows
                .into_iter()
                .map(|(id, key, at, open)| ((id, key), SignalState { at, open }))
                .collect();
        }
        if wanted.counters {
            (plan.counter, plan.floor) = sqlx::query_as(SELECT_COUNTERS)
                .fetch_one(&mut *connection)
                .await?;
        }
        Ok(plan)
    }

    fn add(&mut self, heads: Vec<Head>) {
        for head in heads {
            if let Some(token) = &head.token {
                self.tokens
                    .insert((head.caller.clone(), token.clone()), head.id.clone());
            }
            self.heads.insert(head.id.clone(), head);
        }
    }
}
