//! Checkpoints over the heads of all hash chains.

use dewy_saga::StoreError;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::{
    backend::Backend,
    error::{read_error, write_error},
    lossy_text::LossyText,
    postgres,
    row_conversion::{micros, to_json},
    sqlite,
    store::Store,
};

/// Maximum number of chain heads per checkpoint; the next one covers the rest.
const MAX_HEADS: i64 = 5_000;

const CHANGED: &str =
    "select e.id, e.audit_seq, a.hash from execution e join audit a on a.execution = e.id and a.seq = e.audit_seq
    where e.audit_seq > e.checkpoint_seq order by e.id limit $1";
const CALLS: &str =
    "select writer, n, hash from call_chain where n > checkpoint_n order by writer limit $1";
const LAST: &str = "select n, hash from audit_checkpoint order by n desc limit 1";
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

/// The same steps on both databases, in a transaction that locks out concurrent checkpoints.
macro_rules! write_checkpoint {
    ($transaction:expr, $at:expr, $mark:expr, $mark_calls:expr) => {{
        let mut transaction = $transaction;
        let mut heads: Vec<StoredHead> = sqlx::query_as(CHANGED)
            .bind(MAX_HEADS)
            .fetch_all(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?;
        let calls: Vec<StoredHead> = sqlx::query_as(CALLS)
            .bind(MAX_HEADS)
            .fetch_all(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?;
        let call_list = to_json(&calls)?;
        let execution_list = to_json(&heads)?;
        heads.extend(
            calls
                .into_iter()
                .map(|(writer, n, hash)| (LossyText(format!("{OF_CALLS}{}", &*writer)), n, hash)),
        );
        if heads.is_empty() {
            return Ok(0);
        }
        let last: Option<(i64, LossyText)> = sqlx::query_as(LAST)
            .fetch_optional(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?;
        let (n, before) = last.map_or((1, LossyText::default()), |(n, hash)| (n + 1, hash));
        let list = to_json(&heads)?;
        let hash = checkpoint_hash(&before, n, $at, &list);
        let insert = sqlx::query(INSERT).bind(n).bind($at).bind(&list).bind(hash);
        insert
            .execute(&mut *transaction)
            .await
            .map_err(|e| read_error(&e))?;
        for (sql, list) in [($mark, execution_list), ($mark_calls, call_list)] {
            sqlx::query(sql)
                .bind(list)
                .execute(&mut *transaction)
                .await
                .map_err(|e| read_error(&e))?;
        }
        transaction.commit().await.map_err(|e| write_error(&e))?;
        Ok(heads.len())
    }};
}

impl Store {
    /// Writes one row over the heads of all chains changed since the last checkpoint, chained to
    /// it; returns the number of heads. Writes nothing if nothing changed.
    ///
    /// # Errors
    /// When the store fails; the next call then covers the same heads.
    pub async fn write_audit_checkpoint(&self, at: Timestamp) -> Result<usize, StoreError> {
        let at = micros(at);
        match &self.backend {
            Backend::Sqlite(s) => {
                let mark = "update execution set checkpoint_seq = j.value ->> 1 from json_each($1) j where execution.id = j.value ->> 0";
                let calls = "update call_chain set checkpoint_n = j.value ->> 1 from json_each($1) j where call_chain.writer = j.value ->> 0";
                sqlite::transaction!(s, |begun| write_checkpoint!(begun, at, mark, calls))
            }
            Backend::Postgres(p) => {
                let lock = "lock table audit_checkpoint in exclusive mode";
                let mark = "update execution e set checkpoint_seq = (j.value ->> 1)::bigint
                            from json_array_elements($1::json) j (value) where e.id = j.value ->> 0";
                let calls = "update call_chain c set checkpoint_n = (j.value ->> 1)::bigint
                             from json_array_elements($1::json) j (value) where c.writer = j.value ->> 0";
                postgres::transaction!(p, |begun| {
                    let mut begun = begun;
                    sqlx::query(lock)
                        .execute(&mut *begun)
                        .await
                        .map_err(|e| read_error(&e))?;
                    write_checkpoint!(begun, at, mark, calls)
                })
            }
        }
    }
}
