//! Rules of the journal as pure functions over stored rows, for the stores that decide in Rust:
//! memory and SQLite. `migrations/postgres` states the same rules in SQL, and one contract suite
//! tests all three.

use std::{collections::BTreeSet, time::Duration};

use dewy_saga::{
    ExecutionId, Lease, StoreError,
    journal::{Append, AppendResult, ClaimChange, LeaseChange, NewExecution},
};

use crate::row_conversion::{micros, to_micros};

/// Microseconds: work due sooner after an append wakes waiting workers.
const WAKE_WITHIN_MICROS: i64 = 1_000_000;

/// Fields of an execution that decisions depend on.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    pub fence: i64,
    /// Who holds its lease.
    pub worker: Option<&'a str>,
    /// Sequence number of its last journal row.
    pub seq: i64,
}

impl Head<'_> {
    /// Whether the lease is still valid.
    pub fn is_held_by(&self, lease: &Lease) -> bool {
        self.fence == lease.fence && self.worker == Some(&*lease.worker)
    }
}

/// Last change of a resource's owner.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub owner: Option<ExecutionId>,
    /// Value of the change counter then.
    pub changed: i64,
}

/// Stored rows that an append of one execution depends on.
pub trait Rows {
    fn head(&self) -> Option<Head<'_>>;
    /// Digest and fencing token of the execution's journal row with this sequence number.
    fn journal_row(&self, seq: i64) -> Option<(&str, i64)>;
    /// Owner of a resource that was ever claimed.
    fn claim(&self, resource: &str) -> Result<Option<Claim>, StoreError>;
    /// Name of the execution that owns a projection.
    fn owner(&self, kind: &str, key: &str) -> Option<String>;
    /// Value of the claims' change counter.
    fn counter(&self) -> i64;
    /// Released claims that changed up to this counter value may have been deleted.
    fn floor(&self) -> i64;
}

#[derive(Debug)]
pub enum AppendDecision {
    /// Valid: write it, and let the execution own these resources, in this order.
    Write {
        /// Resources.
        claims: Vec<String>,
    },
    /// The same rows are already stored; the answer to an earlier call was lost.
    Repeated,
    /// Not written.
    Refused(AppendResult),
}

/// Decision on a new execution.
#[derive(Clone, Copy, Debug)]
pub enum BeginDecision {
    /// It doesn't exist yet.
    New,
    /// It exists and is held by this call's worker: the answer to an earlier call was lost.
    Repeated,
    /// An execution with this token and input exists.
    Existing,
    /// An execution with this token and different input exists.
    Mismatch,
}

/// Compares a new execution with the stored one of the same id or token: its head, input digest,
/// and whether its id is the same.
pub fn begin(new: &NewExecution, found: Option<(Head<'_>, &str, bool)>) -> BeginDecision {
    match found {
        None => BeginDecision::New,
        Some((_, digest, _)) if digest != new.input_digest => BeginDecision::Mismatch,
        Some((head, _, true)) if head.is_held_by(&first_lease(new)) => BeginDecision::Repeated,
        Some(_) => BeginDecision::Existing,
    }
}

/// Lease of whoever begins an execution.
pub fn first_lease(new: &NewExecution) -> Lease {
    Lease {
        id: new.id,
        worker: new.worker.clone(),
        fence: 1,
    }
}

/// Checks that the rows to append follow one another.
///
/// # Errors
/// When they have a gap.
pub fn check_rows(append: &Append) -> Result<(), StoreError> {
    if append.rows.windows(2).all(|w| w[1].seq == w[0].seq + 1) {
        Ok(())
    } else {
        let gap = "the rows to append have a gap";
        Err(StoreError::Failed(gap.to_owned()))
    }
}

/// Checks everything before the first change, so that a refused append leaves nothing behind.
///
/// # Errors
/// When the lease is not held, another execution owns a projection, or a claim can't be read.
pub fn append(
    rows: &impl Rows,
    lease: &Lease,
    append: &Append,
) -> Result<AppendDecision, StoreError> {
    let head = rows
        .head()
        .filter(|head| head.fence == lease.fence)
        .ok_or(StoreError::Fenced)?;
    if let (Some(first), Some(last)) = (append.rows.first(), append.rows.last()) {
        if last.seq <= head.seq {
            let same = rows.journal_row(last.seq) == Some((&*last.digest, last.fence));
            return same
                .then_some(AppendDecision::Repeated)
                .ok_or(StoreError::Fenced);
        }
        if first.seq != head.seq + 1 {
            return Err(StoreError::Fenced);
        }
    }
    if !head.is_held_by(lease) {
        return Err(StoreError::Fenced);
    }
    let claims = match &append.claims {
        ClaimChange::Take { resources, mark } => match take(rows, lease.id, resources, *mark)? {
            Ok(claims) => claims,
            Err(refused) => return Ok(AppendDecision::Refused(refused)),
        },
        ClaimChange::None | ClaimChange::Release => Vec::new(),
    };
    let name = lease.id.to_string();
    let keys: BTreeSet<_> = append
        .projections
        .iter()
        .map(|row| (&*row.kind, &*row.key))
        .collect();
    for (kind, key) in keys {
        if let Some(owner) = rows.owner(kind, key).filter(|owner| *owner != name) {
            return Err(StoreError::Taken {
                kind: kind.to_owned(),
                key: key.to_owned(),
                owner,
            });
        }
    }
    Ok(AppendDecision::Write { claims })
}

/// The resources that an execution comes to own, or why it may not: another execution owns one, or
/// one changed after `mark`.
fn take(
    rows: &impl Rows,
    id: ExecutionId,
    resources: &[String],
    mark: i64,
) -> Result<Result<Vec<String>, AppendResult>, StoreError> {
    let mut free = Vec::new();
    let mut stale = rows.floor() > mark;
    for resource in resources.iter().collect::<BTreeSet<_>>() {
        let claim = rows.claim(resource)?;
        match claim.and_then(|claim| claim.owner) {
            Some(by) if by != id => return Ok(Err(AppendResult::Held { by })),
            Some(_) => {}
            None => {
                stale |= claim.is_some_and(|claim| claim.changed > mark);
                free.push(resource.clone());
            }
        }
    }
    let counter = rows.counter();
    Ok(if stale {
        Err(AppendResult::Stale { mark: counter })
    } else {
        Ok(free)
    })
}

/// End of a lease after a change; none when it is released.
pub fn lease_until(change: LeaseChange, before: i64, now: i64) -> Option<i64> {
    match change {
        LeaseChange::Keep => Some(before),
        LeaseChange::For(time) => Some(before.max(now.saturating_add(to_micros(time)))),
        LeaseChange::Release => None,
    }
}

/// When a handed-over execution is due: now, or earlier.
pub fn handed_over(wake_at: Option<i64>, now: i64) -> i64 {
    wake_at.map_or(now, |at| at.min(now))
}

/// New due time of an execution that nobody holds and that is woken now: `pause` after its last
/// append, which another clock may have timed, so at the latest `pause` from now. None when it is
/// due no later anyway.
pub fn woken_at(wake_at: Option<i64>, last_append: i64, pause: Duration, now: i64) -> Option<i64> {
    let due = now.max(last_append.min(now).saturating_add(to_micros(pause)));
    wake_at.is_none_or(|at| due < at).then_some(due)
}

/// Whether an append makes its execution due so soon that waiting workers should check now.
pub fn wakes_workers(append: &Append) -> bool {
    let soon = |at| micros(at) - micros(append.at) <= WAKE_WITHIN_MICROS;
    append.lease == LeaseChange::Release && append.wake_at.is_some_and(soon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_times_follow_the_last_append_and_are_never_past() {
        let due = |last| woken_at(None, last, Duration::from_micros(5), 100);
        assert_eq!(
            (due(10), due(98), due(100)),
            (Some(100), Some(103), Some(105))
        );
        assert_eq!(due(9000), Some(105), "a clock that is ahead stalls nothing");
        let earlier = woken_at(Some(100), 98, Duration::from_micros(5), 100);
        assert_eq!(earlier, None, "waking never delays");
    }
}
