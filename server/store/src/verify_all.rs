//! Verification of all hash chains against each other and against the checkpoints.

use std::collections::BTreeMap;

use dewy_saga::{StoreError, hash_chain};

use crate::{
    audit_calls::verify_calls,
    audit_checkpoint::{Head, OF_CALLS, checkpoint_hash},
    columns::columns,
    fetch::fetch,
    lossy_text::LossyText,
    row_conversion,
    store::Store,
    verify_report::{ChainFault, ChainKind, VerifyReport},
};

columns! {
    struct CheckpointRow {
        n: i64,
        at: i64,
        heads: LossyText,
        hash: LossyText,
    }
}

impl Store {
    /// Recomputes every chain: each execution's journal and audit trail, the audit log of calls,
    /// and the checkpoints over them.
    ///
    /// # Errors
    /// When the store could not be read. Inconsistencies are in the report instead.
    pub async fn verify_all(&self) -> Result<VerifyReport, StoreError> {
        let mut report = VerifyReport::default();
        // Checkpoints first: what they cover already exists when the trails are read.
        let checkpoints = fetch!(
            self,
            CheckpointRow,
            "select n, at, heads, hash from audit_checkpoint order by n"
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
        let aside = fetch!(self, (i64,), "select count(*) from unrecorded_call")?;
        report.calls_aside = aside.first().map_or(0, |(n,)| n.unsigned_abs());
        let batches = verify_calls(self, &mut report).await?;
        heads.extend(
            batches
                .into_iter()
                .map(|((writer, n), hash)| ((format!("{OF_CALLS}{writer}"), n), hash)),
        );
        verify_checkpoints(checkpoints, &heads, &mut report);
        report.faults.sort_by_key(|fault| fault.kind);
        Ok(report)
    }

    /// Reports unreadable projections.
    async fn verify_projections(&self, report: &mut VerifyReport) -> Result<(), StoreError> {
        let (mut kind, mut key) = (String::new(), String::new());
        loop {
            let sql = "select kind, key, execution, body from projection
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
    checkpoints: Vec<CheckpointRow>,
    heads: &BTreeMap<(String, i64), String>,
    report: &mut VerifyReport,
) {
    let mut before = String::new();
    for (expected, checkpoint) in (1..).zip(checkpoints) {
        report.checkpoints += 1;
        if checkpoint.n != expected
            || *checkpoint.hash
                != *checkpoint_hash(&before, checkpoint.n, checkpoint.at, &checkpoint.heads)
        {
            let what = format!("checkpoint {expected} is missing or was changed");
            report.faults.push(ChainFault {
                kind: ChainKind::Checkpoint,
                execution: None,
                what,
            });
        }
        for (name, seq, hash) in
            serde_json::from_str::<Vec<Head>>(&checkpoint.heads).unwrap_or_default()
        {
            if heads.get(&(name.clone(), seq)) != Some(&hash) {
                report
                    .faults
                    .push(differs_from_checkpoint(&name, seq, checkpoint.n));
            }
        }
        report.newest_checkpoint = Some((checkpoint.n, checkpoint.hash.to_string()));
        before = checkpoint.hash.into();
    }
}

fn differs_from_checkpoint(name: &str, seq: i64, checkpoint: i64) -> ChainFault {
    match name.strip_prefix(OF_CALLS) {
        Some(writer) => {
            let what =
                format!("calls of {writer}: batch {seq} does not match checkpoint {checkpoint}");
            ChainFault {
                kind: ChainKind::Calls,
                execution: None,
                what,
            }
        }
        None => {
            let what = format!("audit row at {seq} does not match checkpoint {checkpoint}");
            ChainFault {
                kind: ChainKind::Execution,
                execution: row_conversion::id(name).ok(),
                what,
            }
        }
    }
}
