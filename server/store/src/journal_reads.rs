//! Reads: the same statements for both databases, except for how a list of ids is passed.

use std::collections::BTreeMap;

use dewy_saga::{
    StoreError,
    journal::{Damage, ExecutionRecord},
};

use crate::{
    backend::Backend,
    fetch::{fetch, for_ids},
    row_conversion::{self, HeadRow, JournalRow, LabelRow, SignalRow, TrailRow},
    store::Store,
};

impl Store {
    /// The records of these executions, in this order, with journals if requested.
    pub(crate) async fn records(
        &self,
        ids: &[String],
        journals: bool,
    ) -> Result<Vec<ExecutionRecord>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let list = row_conversion::to_json(ids)?;
        let sql = for_ids!(
            self,
            "select e.id, e.saga, e.version, e.caller, e.interface, e.token, e.state, e.wake_at, e.created_at, e.updated_at,
                e.fence, e.worker, e.seq, e.signaled_at, c.input, c.answer
            from execution e left join execution_input c on c.execution = e.id where e.id",
            ""
        );
        let heads = fetch!(self, HeadRow, sql, &list)?;
        let (mut found, mut last) = (BTreeMap::new(), BTreeMap::new());
        let signaled = heads.iter().any(|h| h.signaled_at.is_some());
        for head in heads {
            let (name, seq) = (head.id.to_string(), head.seq);
            match head.record() {
                Ok(record) => {
                    last.insert(name.clone(), seq);
                    found.insert(name, record);
                }
                Err(error) => {
                    tracing::error!(execution = name, %error, "left out: not an execution ID")
                }
            }
        }
        self.add_labels(&list, &mut found).await?;
        if signaled {
            self.add_signals(&list, &mut found).await?;
        }
        if journals {
            self.add_journals(&list, &last, &mut found).await?;
        }
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    async fn add_labels(
        &self,
        list: &str,
        found: &mut BTreeMap<String, ExecutionRecord>,
    ) -> Result<(), StoreError> {
        let sql = for_ids!(
            self,
            "select execution, name, value from label where execution",
            "order by execution, name"
        );
        for label in fetch!(self, LabelRow, sql, list)? {
            if let Some(record) = found.get_mut(&*label.execution) {
                record.labels.push((label.name.into(), label.value.into()));
            }
        }
        Ok(())
    }

    async fn add_signals(
        &self,
        list: &str,
        found: &mut BTreeMap<String, ExecutionRecord>,
    ) -> Result<(), StoreError> {
        let sql = for_ids!(
            self,
            "select execution, key, action, sender, reason from signal where received_at is null and execution",
            "order by n"
        );
        for row in fetch!(self, SignalRow, sql, list)? {
            let Some(record) = found.get_mut(&*row.execution) else {
                continue;
            };
            let key = row.key.to_string();
            match row.signal() {
                Ok(signal) => record.signals.push(signal),
                Err((why, newer)) => {
                    let row = format!("signal {key}");
                    let damage = record.damage.get_or_insert_with(|| Damage {
                        row,
                        why,
                        newer,
                        ..Damage::default()
                    });
                    damage.signals.push(key);
                }
            }
        }
        Ok(())
    }

    /// Leaves out rows appended after the head was read, so that head and journal match without a
    /// transaction.
    async fn add_journals(
        &self,
        list: &str,
        last: &BTreeMap<String, i64>,
        found: &mut BTreeMap<String, ExecutionRecord>,
    ) -> Result<(), StoreError> {
        let known = |execution: &str, seq: i64| last.get(execution).is_some_and(|&l| seq <= l);
        let sql = for_ids!(
            self,
            "select execution, seq, at, written_by, fence, event, digest from journal where execution",
            "order by execution, seq"
        );
        // The end of each journal, and its first unreadable row.
        let mut ends: BTreeMap<String, Damage> = BTreeMap::new();
        for row in fetch!(self, JournalRow, sql, list)? {
            if let Some(record) = found
                .get_mut(&*row.execution)
                .filter(|_| known(&row.execution, row.seq))
            {
                let end = ends.entry(row.execution.to_string()).or_default();
                let (seq, digest) = (row.seq, row.digest.to_string());
                let read = if seq == end.seq + 1 {
                    row.row(record.id, &end.digest)
                        .map_err(|unreadable| (seq, unreadable))
                } else {
                    Err((end.seq + 1, ("is missing".to_owned(), false)))
                };
                (end.seq, end.digest) = (seq, digest);
                match read {
                    Ok(row) => record.rows.push(row),
                    Err((n, (why, newer))) if end.row.is_empty() => {
                        (end.row, end.why, end.newer) = (format!("journal row {n}"), why, newer);
                    }
                    Err(_) => {}
                }
            }
        }
        let sql = for_ids!(
            self,
            "select execution, seq, at, actor, from_state, to_state, journal, hash from audit where execution",
            "order by execution, seq"
        );
        for row in fetch!(self, TrailRow, sql, list)? {
            if let Some(record) = found
                .get_mut(&*row.execution)
                .filter(|_| known(&row.execution, row.seq))
            {
                let end = ends.entry(row.execution.to_string()).or_default();
                let seq = row.seq;
                end.audit_head = row.hash.to_string();
                match row.row() {
                    Ok(row) => record.audit.push(row),
                    Err((why, newer)) if end.row.is_empty() => {
                        (end.row, end.why, end.newer) = (format!("audit row {seq}"), why, newer);
                    }
                    Err(_) => {}
                }
            }
        }
        for (name, record) in found.iter_mut() {
            let (mut end, seq) = (
                ends.remove(name).unwrap_or_default(),
                last.get(name).copied().unwrap_or_default(),
            );
            if end.seq < seq && end.row.is_empty() {
                (end.row, end.why) = ("the journal's end".to_owned(), "is missing".to_owned());
            }
            end.seq = seq;
            match &mut record.damage {
                Some(damage) => {
                    (damage.seq, damage.digest, damage.audit_head) =
                        (end.seq, end.digest, end.audit_head);
                }
                None if end.row.is_empty() => {}
                none => *none = Some(end),
            }
        }
        Ok(())
    }
}
