//! Hash chains over an execution's journal (the digest) and over its state changes (the audit
//! trail).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    event::{Event, Row},
    execution_id::ExecutionId,
    state_machine::State,
};

/// A change of an execution's state, written in the transaction of the journal row that caused it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Sequence number of that journal row.
    pub seq: i64,
    /// Time.
    pub at: Timestamp,
    /// Actor: the caller for the first row, then the worker.
    pub actor: String,
    /// Previous state; `None` for the first row.
    pub from: Option<State>,
    /// New state.
    pub to: State,
    /// Digest of the journal up to and including `seq`.
    pub journal: String,
    /// Hash over this row and the previous audit row.
    pub hash: String,
}

/// Digest of a journal row, given the previous one (empty for the first).
#[must_use]
pub fn digest(id: ExecutionId, before: &str, seq: i64, at: Timestamp, event: &Event) -> String {
    // Serializing our own plain enum into memory cannot fail; an empty text would only make
    // verification fail.
    digest_of_text(
        id,
        before,
        seq,
        at,
        &serde_json::to_vec(event).unwrap_or_default(),
    )
}

/// Digest of an event as stored, whether or not this program knows it.
#[must_use]
pub fn digest_of_text(
    id: ExecutionId,
    before: &str,
    seq: i64,
    at: Timestamp,
    event: &[u8],
) -> String {
    let mut hash = Sha256::new();
    hash.update(id.0.as_bytes());
    hash.update(before.as_bytes());
    hash.update(seq.to_be_bytes());
    hash.update(at.as_microsecond().to_be_bytes());
    hash.update(event);
    hex::encode(hash.finalize())
}

/// Audit row of a state change, chained to the previous one (empty for the first).
#[must_use]
pub fn audit(
    id: ExecutionId,
    before: &str,
    row: &Row,
    actor: &str,
    from: Option<State>,
    to: State,
) -> AuditRow {
    let mut hash = Sha256::new();
    hash.update(id.0.as_bytes());
    for part in [
        before,
        actor,
        from.map_or("-", State::name),
        to.name(),
        &row.digest,
    ] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(row.seq.to_be_bytes());
    hash.update(row.at.as_microsecond().to_be_bytes());
    AuditRow {
        seq: row.seq,
        at: row.at,
        actor: actor.to_owned(),
        from,
        to,
        journal: row.digest.clone(),
        hash: hex::encode(hash.finalize()),
    }
}

/// Verifies a record's chains.
///
/// # Errors
/// Describes the first row where the journal has a gap, was changed, or disagrees with the audit
/// trail.
pub fn verify(id: ExecutionId, rows: &[Row], trail: &[AuditRow]) -> Result<(), String> {
    let mut before = "";
    for (n, row) in (1_i64..).zip(rows) {
        if row.seq != n {
            return Err(format!("journal row {n} is missing"));
        }
        if row.digest != digest(id, before, row.seq, row.at, &row.event) {
            return Err(format!("journal row {n} was changed"));
        }
        before = &row.digest;
    }
    verify_trail(id, rows, trail).map_err(|(seq, what)| format!("journal row {seq} {what}"))
}

/// Verifies the audit trail against the journal.
///
/// # Errors
/// The number of the first journal row whose change of state is not recorded as it was, and what is
/// wrong, as a predicate of that row.
pub fn verify_trail(
    id: ExecutionId,
    rows: &[Row],
    trail: &[AuditRow],
) -> Result<(), (i64, String)> {
    let mut state = None;
    let (mut trail, mut head) = (trail.iter(), "");
    for row in rows {
        let to = crate::state_machine::next(state, &row.event)
            .map_err(|illegal| (row.seq, format!("is not allowed: {illegal}")))?;
        if state != Some(to) {
            let wrong = |what: &str| (row.seq, format!("{what} in the audit trail"));
            let change = trail.next().ok_or_else(|| wrong("is missing"))?;
            if *change != audit(id, head, row, &change.actor, state, to) {
                return Err(wrong("differs"));
            }
            head = &change.hash;
        }
        state = Some(to);
    }
    match trail.next() {
        None => Ok(()),
        Some(change) => Err((change.seq, "is one too many in the audit trail".to_owned())),
    }
}
