//! Reads: the same statements for both databases, except for how a list of ids is passed.

use std::collections::BTreeMap;

use dewy_saga::{
    ExecutionId, Signal, State, StoreError,
    journal::{Damage, ExecutionRecord},
};

use crate::{
    backend::Backend,
    fetch::{fetch, for_ids},
    lossy_text::LossyText,
    row_conversion::{self, HeadRow, JournalRow, LabelRow, SignalRow, TrailRow},
    store::Store,
};

macro_rules! head_columns {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "select e.id, e.saga, e.version, e.caller, e.interface, e.token, e.state, e.wake_at, e.created_at, e.updated_at, ",
            "e.fence, e.worker, e.seq, e.signaled_at, c.input, c.answer from execution e left join execution_input c on c.execution = e.id ",
            $($rest),+
        )
    };
}

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
        let sql = match &self.backend {
            Backend::Sqlite(_) => head_columns!("where e.id in (select value from json_each($1))"),
            Backend::Postgres(_) => {
                head_columns!("where e.id in (select json_array_elements_text($1::json))")
            }
        };
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

    /// The open signals this release can read. An execution with any other signal is not run, so
    /// that none is skipped.
    pub(crate) async fn open_signals(&self, id: ExecutionId) -> Result<Vec<Signal>, StoreError> {
        let sql = "select execution, key, action, sender, reason from signal where execution = $1 and received_at is null order by n";
        Ok(fetch!(self, SignalRow, sql, id.to_string())?
            .into_iter()
            .filter_map(|row| row.signal().ok())
            .collect())
    }

    /// Counts of running executions and those that wait for a person, at a cost independent of the
    /// history.
    pub(crate) async fn open_by_state(&self) -> Result<Vec<(State, u64)>, StoreError> {
        let sql = "select state, count(*) from execution
                   where state in ('queued', 'running', 'retrying', 'waiting', 'compensating', 'needs_attention') group by state";
        Ok(counted(fetch!(self, (LossyText, i64), sql)?))
    }

    pub(crate) async fn by_state(&self) -> Result<Vec<(State, u64)>, StoreError> {
        let sql = "select state, count(*) from execution group by state";
        Ok(counted(fetch!(self, (LossyText, i64), sql)?))
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

    pub(crate) async fn load_one(
        &self,
        id: ExecutionId,
    ) -> Result<Option<ExecutionRecord>, StoreError> {
        Ok(self.records(&[id.to_string()], true).await?.pop())
    }

    pub(crate) async fn labelled_with(
        &self,
        name: &str,
        values: &[String],
    ) -> Result<Vec<(String, ExecutionId)>, StoreError> {
        let sql = match &self.backend {
            Backend::Sqlite(_) => {
                "select value, execution from label where name = $2 and value in (select j.value from json_each($1) j)"
            }
            Backend::Postgres(_) => {
                "select value, execution from label where name = $2 and value in (select json_array_elements_text($1::json))"
            }
        };
        let rows = fetch!(
            self,
            (LossyText, LossyText),
            sql,
            row_conversion::to_json(&values)?,
            name
        )?;
        Ok(rows
            .into_iter()
            .filter_map(|(value, id)| Some((value.into(), row_conversion::id(&id).ok()?)))
            .collect())
    }

    pub(crate) async fn token_id(
        &self,
        caller: &str,
        token: &str,
    ) -> Result<Option<String>, StoreError> {
        let sql = "select id from execution where caller = $1 and token = $2";
        Ok(fetch!(self, (String,), sql, caller, token)?
            .pop()
            .map(|(id,)| id))
    }

    pub(crate) async fn mark(&self) -> Result<i64, StoreError> {
        let sql = match &self.backend {
            Backend::Sqlite(_) => "select value from counter where name = 'claim_change'",
            Backend::Postgres(_) => "select last_value from claim_change",
        };
        fetch!(self, (i64,), sql)?
            .pop()
            .map(|(n,)| n)
            .ok_or_else(|| StoreError::Failed("no change counter: migrate first".to_owned()))
    }

    pub(crate) async fn holder(&self, resource: &str) -> Result<Option<ExecutionId>, StoreError> {
        let sql = "select execution from claim where resource = $1 and execution is not null";
        fetch!(self, (String,), sql, resource)?
            .pop()
            .map(|(text,)| row_conversion::id(&text))
            .transpose()
    }
}

/// An unknown state is shown to a person, as the execution itself is.
fn counted(rows: Vec<(LossyText, i64)>) -> Vec<(State, u64)> {
    let mut counts = BTreeMap::new();
    for (name, count) in rows {
        *counts
            .entry(State::from_name(&name).unwrap_or(State::NeedsAttention))
            .or_default() += count.unsigned_abs();
    }
    counts.into_iter().collect()
}
