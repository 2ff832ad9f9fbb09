//! Hash chains: over an execution's journal (the digest) and over its changes of state (the audit
//! trail).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    event::{Event, Row},
    id::ExecutionId,
    state::State,
};

/// One change of an execution's state; written in the transaction of the journal row that caused
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Seq of the journal row that caused it.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// Who: the caller for the first row, afterwards the worker.
    pub actor: String,
    /// From which state; `None` for the first.
    pub from: Option<State>,
    /// To which.
    pub to: State,
    /// The journal's digest up to and including `seq`.
    pub journal: String,
    /// Hash over this row and the audit row before it.
    pub hash: String,
}

/// The digest of a journal row, given the one before it (empty for the first).
#[must_use]
pub fn digest(id: ExecutionId, before: &str, seq: i64, at: Timestamp, event: &Event) -> String {
    // Serialising our own plain enum into memory cannot fail; an empty text would only make the
    // chain fail to verify.
    digest_of_text(
        id,
        before,
        seq,
        at,
        &serde_json::to_vec(event).unwrap_or_default(),
    )
}

/// The same for an event as it is stored, whether or not this program knows it.
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

/// The audit row of a change of state, chained to the one before it (empty for the first).
#[must_use]
pub fn audit(
    id: ExecutionId,
    before: &str,
    row: &Row,
    actor: &str,
    from: Option<State>,
    to: State,
) -> AuditRow {
    let hash = audit_hash(id, before, row.seq, row.at, actor, from, to, &row.digest);
    AuditRow {
        seq: row.seq,
        at: row.at,
        actor: actor.to_owned(),
        from,
        to,
        journal: row.digest.clone(),
        hash,
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "these are the columns of the row, and nothing else calls it"
)]
fn audit_hash(
    id: ExecutionId,
    before: &str,
    seq: i64,
    at: Timestamp,
    actor: &str,
    from: Option<State>,
    to: State,
    journal: &str,
) -> String {
    let mut hash = Sha256::new();
    hash.update(id.0.as_bytes());
    for part in [
        before,
        actor,
        from.map_or("-", State::name),
        to.name(),
        journal,
    ] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(seq.to_be_bytes());
    hash.update(at.as_microsecond().to_be_bytes());
    hex::encode(hash.finalize())
}

/// What is wrong with a record's chains; the first fault found, in words.
///
/// # Errors
/// Names the row at which the journal has a gap, was changed, or disagrees with the audit trail.
pub fn verify(id: ExecutionId, rows: &[Row], trail: &[AuditRow]) -> Result<(), String> {
    let mut before = String::new();
    let mut state = None;
    let mut expected = Vec::new();
    for (n, row) in (1_i64..).zip(rows) {
        if row.seq != n {
            return Err(format!("journal row {n} is missing"));
        }
        if row.digest != digest(id, &before, row.seq, row.at, &row.event) {
            return Err(format!("journal row {n} was changed"));
        }
        let to =
            crate::state::next(state, &row.event).map_err(|e| format!("journal row {n}: {e}"))?;
        if state != Some(to) {
            expected.push((n, state, to, row.digest.clone()));
        }
        state = Some(to);
        before.clone_from(&row.digest);
    }
    let found: Vec<_> = trail
        .iter()
        .map(|a| (a.seq, a.from, a.to, a.journal.clone()))
        .collect();
    if found != expected {
        return Err(format!(
            "the audit trail has {} rows, the journal makes {}, or they differ",
            found.len(),
            expected.len()
        ));
    }
    let mut head = "";
    for row in trail {
        if row.hash
            != audit_hash(
                id,
                head,
                row.seq,
                row.at,
                &row.actor,
                row.from,
                row.to,
                &row.journal,
            )
        {
            return Err(format!("audit row at {} was changed", row.seq));
        }
        head = &row.hash;
    }
    Ok(())
}
