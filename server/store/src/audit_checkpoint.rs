//! Checkpoints (anchors) over all audit trails, and verification of everything against them.

use std::collections::BTreeMap;

use dewy_saga::{StoreError, hash_chain};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::columns::columns;
use crate::{
    audit_calls::verify_calls,
    backend::{Backend, Store},
    error::{read_error, write_error},
    journal_reads::fetch,
    lossy_text::LossyText,
    postgres,
    row_conversion::{self, micros, to_json},
    sqlite,
    verify_report::{ChainFault, ChainKind, VerifyReport},
};

/// Maximum number of chain heads per checkpoint; the next one covers the rest.
const MAX_HEADS: i64 = 5_000;

const CHANGED: &str =
    "select e.id, e.audit_seq, a.hash from execution e join audit a on a.execution = e.id and a.seq = e.audit_seq
    where e.audit_seq > e.anchored_seq order by e.id limit $1";
const CALLS: &str =
    "select writer, n, hash from call_chain where n > anchored order by writer limit $1";
const LAST: &str = "select n, hash from anchor order by n desc limit 1";
const INSERT: &str = "insert into anchor (n, at, heads, hash) values ($1, $2, $3, $4)";

/// (execution, seq of its last audit row, hash of that row), or (`calls:` and a writer, number of
/// its last batch, hash of that)
type Head = (String, i64, String);

/// A chain head as stored.
type StoredHead = (LossyText, i64, LossyText);

/// Prefix of a writer's name in a checkpoint's list of heads; no execution id starts with it.
const OF_CALLS: &str = "calls:";

columns! {
    struct CheckpointRow {
        n: i64,
        at: i64,
        heads: LossyText,
        hash: LossyText,
    }
}

fn checkpoint_hash(before: &str, n: i64, at: i64, heads: &str) -> String {
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
macro_rules! write_anchor {
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
                let mark = "update execution set anchored_seq = j.value ->> 1 from json_each($1) j where execution.id = j.value ->> 0";
                let calls = "update call_chain set anchored = j.value ->> 1 from json_each($1) j where call_chain.writer = j.value ->> 0";
                sqlite::transaction!(s, |begun| write_anchor!(begun, at, mark, calls))
            }
            Backend::Postgres(p) => {
                let lock = "lock table anchor in exclusive mode";
                let mark = "update execution e set anchored_seq = (j.value ->> 1)::bigint
                            from json_array_elements($1::json) j (value) where e.id = j.value ->> 0";
                let calls = "update call_chain c set anchored = (j.value ->> 1)::bigint
                             from json_array_elements($1::json) j (value) where c.writer = j.value ->> 0";
                postgres::transaction!(p, |begun| {
                    let mut begun = begun;
                    sqlx::query(lock)
                        .execute(&mut *begun)
                        .await
                        .map_err(|e| read_error(&e))?;
                    write_anchor!(begun, at, mark, calls)
                })
            }
        }
    }

    /// Recomputes every chain: each execution's journal and audit trail, the audit log of calls,
    /// and the checkpoints over them.
    ///
    /// # Errors
    /// When the store could not be read. Inconsistencies are in the report instead.
    pub async fn verify_all(&self) -> Result<VerifyReport, StoreError> {
        let mut report = VerifyReport::default();
        // Checkpoints first: what they cover already exists when the trails are read.
        let anchors = fetch!(
            self,
            CheckpointRow,
            "select n, at, heads, hash from anchor order by n"
        )?;
        let mut heads: BTreeMap<(String, i64), String> = BTreeMap::new();
        let mut after = String::new();
        loop {
            let sql = "select id, seq from execution where id > $1 order by id limit 200";
            let page: Vec<(LossyText, i64)> = fetch!(self, (LossyText, i64), sql, &after)?;
            let Some((last, _)) = page.last() else { break };
            after = last.to_string();
            let ids: Vec<String> = page.iter().map(|(id, _)| id.to_string()).collect();
            for name in ids.iter().filter(|name| row_conversion::id(name).is_err()) {
                let what = format!("the execution {name:?} has an invalid ID");
                report.faults.push(ChainFault {
                    kind: ChainKind::Execution,
                    execution: None,
                    what,
                });
            }
            for record in self.records(&ids, true).await? {
                let name = record.id.to_string();
                report.executions += 1;
                let wrong = if let Some(damage) = &record.damage {
                    Some(damage.to_string())
                } else if record.audit.last().is_some_and(|a| a.to != record.state) {
                    Some("the state does not match the end of the audit trail".to_owned())
                } else {
                    hash_chain::verify(record.id, &record.rows, &record.audit).err()
                };
                let fault = |what| ChainFault {
                    kind: ChainKind::Execution,
                    execution: Some(record.id),
                    what,
                };
                report.faults.extend(wrong.map(fault));
                heads.extend(
                    record
                        .audit
                        .into_iter()
                        .map(|a| ((name.clone(), a.seq), a.hash)),
                );
            }
        }
        self.verify_projections(&mut report).await?;
        let aside = fetch!(self, (i64,), "select count(*) from call_aside")?;
        report.calls_aside = aside.first().map_or(0, |(n,)| n.unsigned_abs());
        let batches = verify_calls(self, &mut report).await?;
        heads.extend(
            batches
                .into_iter()
                .map(|((writer, n), hash)| ((format!("{OF_CALLS}{writer}"), n), hash)),
        );
        verify_checkpoints(anchors, &heads, &mut report);
        report.faults.sort_by_key(|fault| fault.kind);
        Ok(report)
    }

    /// Reports unreadable projections.
    async fn verify_projections(&self, report: &mut VerifyReport) -> Result<(), StoreError> {
        let (mut kind, mut key) = (String::new(), String::new());
        loop {
            let sql = "select kind, key, execution, body from beside
                       where kind > $1 or (kind = $1 and key > $2) order by kind, key limit 1000";
            let page = fetch!(
                self,
                (LossyText, LossyText, LossyText, LossyText),
                sql,
                &kind,
                &key
            )?;
            let Some((last_kind, last_key, ..)) = page.last() else {
                return Ok(());
            };
            (kind, key) = (last_kind.to_string(), last_key.to_string());
            for (kind, key, execution, body) in page {
                if let Err(error) = row_conversion::json(&body) {
                    let what = format!("the {} {} can't be read: {error}", &*kind, &*key);
                    let execution = row_conversion::id(&execution).ok();
                    report.faults.push(ChainFault {
                        kind: ChainKind::Execution,
                        execution,
                        what,
                    });
                }
            }
        }
    }
}

fn verify_checkpoints(
    anchors: Vec<CheckpointRow>,
    heads: &BTreeMap<(String, i64), String>,
    report: &mut VerifyReport,
) {
    let mut before = String::new();
    for (expected, anchor) in (1..).zip(anchors) {
        report.anchors += 1;
        if anchor.n != expected
            || *anchor.hash != *checkpoint_hash(&before, anchor.n, anchor.at, &anchor.heads)
        {
            let what = format!("checkpoint {expected} is missing or was changed");
            report.faults.push(ChainFault {
                kind: ChainKind::Anchor,
                execution: None,
                what,
            });
        }
        for (name, seq, hash) in
            serde_json::from_str::<Vec<Head>>(&anchor.heads).unwrap_or_default()
        {
            if heads.get(&(name.clone(), seq)) != Some(&hash) {
                report
                    .faults
                    .push(differs_from_checkpoint(&name, seq, anchor.n));
            }
        }
        report.newest_anchor = Some((anchor.n, anchor.hash.to_string()));
        before = anchor.hash.into();
    }
}

fn differs_from_checkpoint(name: &str, seq: i64, anchor: i64) -> ChainFault {
    match name.strip_prefix(OF_CALLS) {
        Some(writer) => {
            let what = format!("calls of {writer}: batch {seq} does not match checkpoint {anchor}");
            ChainFault {
                kind: ChainKind::Calls,
                execution: None,
                what,
            }
        }
        None => {
            let what = format!("audit row at {seq} does not match checkpoint {anchor}");
            ChainFault {
                kind: ChainKind::Execution,
                execution: row_conversion::id(name).ok(),
                what,
            }
        }
    }
}
