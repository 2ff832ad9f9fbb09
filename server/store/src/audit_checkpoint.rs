//! Checkpoints over the heads of all hash chains.

use dewy_saga::StoreError;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::{
    backend::Backend,
    lossy_text::LossyText,
    row_conversion::{micros, to_json},
    store::Store,
    transaction_steps::{affected, commit_if, in_transaction, read},
};

/// Maximum number of chain heads per checkpoint; the next one covers the rest.
const MAX_HEADS: i64 = 5_000;

const CHANGED: &str =
    "select e.id, e.audit_seq, a.hash from execution e join audit a on a.execution = e.id and a.seq = e.audit_seq
    where e.audit_seq > e.checkpoint_seq order by e.id limit $1";
const CALLS: &str =
    "select writer, n, hash from call_chain where n > checkpoint_n order by writer limit $1";
const LAST: &str = "select n, hash from audit_checkpoint order by n desc limit 1";
/// Locks out concurrent checkpoints; SQLite has one writer.
const LOCK: &str = "lock table audit_checkpoint in exclusive mode";
const SQLITE_MARK: &str = "update execution set checkpoint_seq = j.value ->> 1 from json_each($1) j where execution.id = j.value ->> 0";
const SQLITE_MARK_CALLS: &str = "update call_chain set checkpoint_n = j.value ->> 1 from json_each($1) j where call_chain.writer = j.value ->> 0";
const POSTGRES_MARK: &str = "update execution e set checkpoint_seq = (j.value ->> 1)::bigint
    from json_array_elements($1::json) j (value) where e.id = j.value ->> 0";
const POSTGRES_MARK_CALLS: &str = "update call_chain c set checkpoint_n = (j.value ->> 1)::bigint
    from json_array_elements($1::json) j (value) where c.writer = j.value ->> 0";
const INSERT: &str = "insert into audit_checkpoint (n, at, heads, hash) values ($1, $2, $3, $4)";

/// (execution, seq of its last audit row, hash of that row), or (`calls:` and a writer, number of
/// its last batch, hash of that)
pub(crate) type Head = (String, i64, String);

/// A chain head as stored.
type StoredHead = (LossyText, i64, LossyText);

/// Prefix of a writer's name in a checkpoint's list of heads; no execution id starts with it.
pub(crate) const OF_CALLS: &str = "calls:";

pub(crate) fn checkpoint_hash(before: &str, n: i64, at: i64, heads: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(n.to_be_bytes());
    hash.update(at.to_be_bytes());
    for part in [before, heads] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hex::encode(hash.finalize())
}

impl Store {
    /// Writes one row over the heads of all chains changed since the last checkpoint, chained to
    /// it; returns the number of heads. Writes nothing if nothing changed.
    ///
    /// # Errors
    /// When the store fails; the next call then covers the same heads.
    pub async fn write_audit_checkpoint(&self, at: Timestamp) -> Result<usize, StoreError> {
        let at = micros(at);
        in_transaction!(self, |transaction| {
            if let Backend::Postgres(_) = &self.backend {
                affected!(transaction, LOCK);
            }
            let mut heads = read!(transaction, StoredHead, CHANGED, MAX_HEADS);
            let calls = read!(transaction, StoredHead, CALLS, MAX_HEADS);
            let (execution_list, call_list) = (to_json(&heads)?, to_json(&calls)?);
            let named = |writer: LossyText| LossyText(format!("{OF_CALLS}{}", &*writer));
            heads.extend(
                calls
                    .into_iter()
                    .map(|(writer, n, hash)| (named(writer), n, hash)),
            );
            if heads.is_empty() {
                return Ok(0);
            }
            let last = read!(transaction, (i64, LossyText), LAST).pop();
            let (n, before) = last.map_or((1, LossyText::default()), |(n, hash)| (n + 1, hash));
            let list = to_json(&heads)?;
            let hash = checkpoint_hash(&before, n, at, &list);
            affected!(transaction, INSERT, n, at, &list, hash);
            let (mark, mark_calls) = match &self.backend {
                Backend::Sqlite(_) => (SQLITE_MARK, SQLITE_MARK_CALLS),
                Backend::Postgres(_) => (POSTGRES_MARK, POSTGRES_MARK_CALLS),
            };
            affected!(transaction, mark, execution_list);
            affected!(transaction, mark_calls, call_list);
            commit_if!(true, transaction);
            Ok(heads.len())
        })
    }
}
