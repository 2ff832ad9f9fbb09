//! What the engine asks of a store. One contract suite holds every implementation to it.
//!
//! ```text
//! begin ── queued row + lease ──► append* (fence checked in the same transaction) ──► at rest, lease gone
//!                                   ▲
//! take  ── due work, fence + 1 ─────┘   whoever held it before is refused from then on
//! ```

mod append;
mod damage;
mod due;
mod record;

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;

pub use append::{Append, Appended, ClaimChange, LeaseChange, Projection};
pub use damage::Damage;
pub use due::DueFilter;
pub use record::Record;

use crate::{chain::AuditRow, event::Row, id::ExecutionId, signal::Signal, state::State};

/// The label under which the reason is kept for which an execution last needed a person.
pub const ATTENTION: &str = "attention";

/// The right to append to one execution, until it lapses or somebody else takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Of which execution.
    pub id: ExecutionId,
    /// Who holds it; unique per process start.
    pub worker: String,
    /// Rises by one each time the execution changes hands; an append under an older fence must be
    /// refused.
    pub fence: i64,
}

/// What a caller asked for, before anything is done about it.
#[derive(Clone, Debug)]
pub struct NewExecution {
    /// Made by the caller of `begin`.
    pub id: ExecutionId,
    /// Name of the definition.
    pub saga: String,
    /// Its version.
    pub version: u32,
    /// Who asked, as a stable key (`guest:beth.gibbs@email.com`, `staff:…`); tokens are unique
    /// within it.
    pub caller: String,
    /// Through which door: `form`, `chat`, `mcp`, `rest`, `cli`, `clock`.
    pub interface: String,
    /// The caller's idempotency token.
    pub token: Option<String>,
    /// Hash over the tool's name and the input as it was sent.
    pub input_digest: String,
    /// The validated input. It may hold personal data, so it is kept beside the journal, not in it.
    pub input: Value,
    /// What to find it by later: `guest_email`, `booking_number`. Kept beside the journal.
    pub labels: Vec<(String, String)>,
    /// The first journal row (`queued`, seq 1).
    pub first: Row,
    /// Its audit row.
    pub audit: AuditRow,
    /// Who runs it at once, and for how long that is certain.
    pub worker: String,
    /// The length of the first lease.
    pub lease: Duration,
    /// The time by the caller's clock; only stores without a clock of their own use it for leases.
    pub at: Timestamp,
}

/// What `begin` found.
#[derive(Clone, Debug)]
pub enum Begun {
    /// It is new, and the caller holds its lease.
    New {
        /// The right to go on.
        lease: Lease,
        /// The claims' change counter before anything was read; see [`ClaimChange::Take`].
        mark: i64,
    },
    /// The same caller sent the same token with the same input before.
    Existing(Box<Record>),
    /// The same caller sent the same token with another input.
    Mismatch(ExecutionId),
}

/// Why the store did not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else has taken the execution; this worker must stop and send nothing more.
    #[error("the lease was taken over")]
    Fenced,
    /// The answer to the commit was lost: it may have happened. Read again by (execution, seq).
    #[error("the store did not say whether it committed: {0}")]
    Lost(String),
    /// Definitely not committed; may be tried again.
    #[error("the store is busy: {0}")]
    Busy(String),
    /// A unique key beside the journal belongs to another execution.
    #[error("{kind} {key} belongs to {owner}")]
    Taken {
        /// Kind of the row.
        kind: String,
        /// Its key.
        key: String,
        /// Who has it.
        owner: String,
    },
    /// Definitely not committed: there is no room. It goes on once there is.
    #[error("the store is full: {0}")]
    Full(String),
    /// Definitely not committed, and the same again never will be: it holds something that the
    /// store cannot hold.
    #[error("the store refused it: {0}")]
    Refused(String),
    /// The store cannot be reached, or holds what it must not.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// What to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only of these states; empty for all.
    pub states: Vec<State>,
    /// Only of this definition.
    pub saga: Option<String>,
    /// Only with all of these labels.
    pub labels: Vec<(String, String)>,
    /// Only accepted at or after.
    pub from: Option<Timestamp>,
    /// Only accepted before.
    pub to: Option<Timestamp>,
    /// At most so many, newest first.
    pub limit: usize,
}

/// A row beside the journal, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct BesideRow {
    /// Its key.
    pub key: String,
    /// Whose it is.
    pub execution: ExecutionId,
    /// The row.
    pub body: Value,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// The durable side of the engine.
#[async_trait]
pub trait Journal: Send + Sync + std::fmt::Debug {
    /// Persists a new execution and gives its lease to the caller, or finds the one its token
    /// already names.
    ///
    /// # Errors When nothing was persisted, or (`Lost`) that is not known: then the same call again
    /// settles it.
    async fn begin(&self, new: NewExecution) -> Result<Begun, StoreError>;

    /// Appends under the lease's fence, all or nothing, in one transaction. Appending the very rows
    /// that are already stored (same seqs, same digests) is `Ok` again, so that a lost answer can
    /// simply be repeated.
    ///
    /// # Errors
    /// `Fenced` when the lease is no longer ours: the worker must stop.
    async fn append(&self, lease: &Lease, append: Append) -> Result<Appended, StoreError>;

    /// Makes the lease last at least `lease_for` from now.
    ///
    /// # Errors
    /// `Fenced` when it is no longer ours.
    async fn renew(
        &self,
        lease: &Lease,
        lease_for: Duration,
        at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Takes executions that are due (wake time reached, a signal open, or their worker's lease
    /// lapsed) and that nobody holds; compensating ones come first, then the longest due. Raises
    /// their fence. What the filter leaves out is not touched.
    ///
    /// # Errors
    /// When the store failed; nothing was taken then, or its lease lapses by itself.
    async fn take(
        &self,
        worker: &str,
        filter: &DueFilter,
        lease_for: Duration,
        at: Timestamp,
    ) -> Result<Vec<(Lease, Record)>, StoreError>;

    /// Number of executions that are due and whose definition or state the filter does not know.
    ///
    /// # Errors
    /// When the store failed.
    async fn left_alone(&self, filter: &DueFilter) -> Result<u64, StoreError>;

    /// Gives back what `take` or `begin` gave, unfinished, to be taken by anybody at once (an
    /// orderly shutdown, no free place).
    ///
    /// # Errors
    /// `Fenced` when it is no longer ours.
    async fn hand_over(&self, lease: &Lease, at: Timestamp) -> Result<(), StoreError>;

    /// Makes an execution that nobody holds due at once; for webhooks and return pages, which only
    /// shorten the wait. False when there is no such execution or somebody holds it: whoever holds
    /// it looks for himself.
    ///
    /// # Errors
    /// When the store failed.
    async fn wake(&self, id: ExecutionId, at: Timestamp) -> Result<bool, StoreError>;

    /// Says something to an execution. It is kept until an append answers it ([`Append::heard`]),
    /// and while it is open the execution is due for [`Journal::take`] whatever its state and wake
    /// time, unless somebody holds it. The same key again changes nothing, open or answered. False
    /// when there is no such execution.
    ///
    /// # Errors
    /// When the store failed; `Lost` may be repeated.
    async fn signal(
        &self,
        id: ExecutionId,
        signal: &Signal,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// What was said to an execution and is not answered yet, in order of arrival.
    ///
    /// # Errors
    /// When the store failed.
    async fn signals(&self, id: ExecutionId) -> Result<Vec<Signal>, StoreError>;

    /// How many executions there are in each state (states without any are left out).
    ///
    /// # Errors
    /// When the store failed.
    async fn counts(&self) -> Result<Vec<(State, u64)>, StoreError>;

    /// The same for those alone that are not over: still at it, or waiting for a person. It costs
    /// nothing that grows with the years.
    ///
    /// # Errors
    /// When the store failed.
    async fn open_counts(&self) -> Result<Vec<(State, u64)>, StoreError>;

    /// One execution with its journal.
    ///
    /// # Errors
    /// When the store failed.
    async fn load(&self, id: ExecutionId) -> Result<Option<Record>, StoreError>;

    /// Several executions with their journals, in no order; those there are none of are left out.
    ///
    /// # Errors
    /// When the store failed.
    async fn load_all(&self, ids: &[ExecutionId]) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::with_capacity(ids.len());
        for id in ids {
            records.extend(self.load(*id).await?);
        }
        Ok(records)
    }

    /// Several executions without their journals, in no order.
    ///
    /// # Errors
    /// When the store failed.
    async fn heads(&self, ids: &[ExecutionId]) -> Result<Vec<Record>, StoreError>;

    /// The executions whose label of that name has one of these values: (value, execution).
    ///
    /// # Errors
    /// When the store failed.
    async fn labelled(
        &self,
        name: &str,
        values: &[String],
    ) -> Result<Vec<(String, ExecutionId)>, StoreError>;

    /// The execution that this caller's token names.
    ///
    /// # Errors
    /// When the store failed.
    async fn find_token(&self, caller: &str, token: &str) -> Result<Option<Record>, StoreError>;

    /// Executions without their journals (`rows` and `audit` are empty), newest first.
    ///
    /// # Errors
    /// When the store failed.
    async fn list(&self, filter: &Filter) -> Result<Vec<Record>, StoreError>;

    /// The claims' change counter now; read it before reading what a claim will protect.
    ///
    /// # Errors
    /// When the store failed.
    async fn claim_mark(&self) -> Result<i64, StoreError>;

    /// Who holds a resource.
    ///
    /// # Errors
    /// When the store failed.
    async fn claim_holder(&self, resource: &str) -> Result<Option<ExecutionId>, StoreError>;

    /// The one row beside the journal of that kind and key.
    ///
    /// # Errors
    /// When the store failed.
    async fn beside_row(&self, kind: &str, key: &str) -> Result<Option<BesideRow>, StoreError>;

    /// Rows beside the journal of one kind, newest first; `execution` narrows to one.
    ///
    /// # Errors
    /// When the store failed.
    async fn projections(
        &self,
        kind: &str,
        execution: Option<ExecutionId>,
        limit: usize,
    ) -> Result<Vec<BesideRow>, StoreError>;

    /// Takes a row beside the journal away, once what it asked for is done elsewhere; no row is no
    /// fault.
    ///
    /// # Errors
    /// When the store failed.
    async fn drop_beside(&self, kind: &str, key: &str) -> Result<(), StoreError>;

    /// Returns when work may have become due, or after `at_most`; a hint only, so every caller
    /// polls as well.
    async fn doorbell(&self, at_most: Duration);
}
