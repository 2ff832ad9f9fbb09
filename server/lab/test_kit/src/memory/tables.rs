//! The tables as maps; each function is one transaction.

use std::{cmp::Reverse, collections::BTreeMap, time::Duration};

use dewy_saga::{
    ExecutionId, Lease, Row, Signal, State, StoreError,
    hash_chain::AuditRow,
    journal::{
        BeginResult, DueFilter, ExecutionFilter, ExecutionRecord, NewExecution, ProjectionRow,
    },
};
use jiff::Timestamp;

use dewy_store::journal_rules::{self, BeginDecision, Claim, Head};

#[derive(Clone, Debug)]
pub(super) struct Execution {
    pub record: ExecutionRecord,
    pub input_digest: String,
    pub lease_until: i64,
    /// Number of workers in a row lost on it, and sequence number of its last row then.
    pub lapses: (u32, i64),
    /// Arrival time of each signal, including answered ones.
    pub signal_times: BTreeMap<String, i64>,
}

impl Execution {
    /// Since when it has been due; `None` if it is not due.
    fn due(&self, now: i64) -> Option<i64> {
        if self.record.worker.is_some() {
            return Some(self.lease_until).filter(|at| *at <= now);
        }
        let wake = self
            .record
            .wake_at
            .map(Timestamp::as_microsecond)
            .filter(|at| *at <= now);
        wake.into_iter().chain(self.signaled()).min()
    }

    fn seq(&self) -> i64 {
        self.record.rows.last().map_or(0, |row| row.seq)
    }

    /// Number of workers in a row that were lost without a new row; whoever holds it counts as lost.
    fn count_lapses(&self) -> u32 {
        let before = if self.lapses.1 == self.seq() {
            self.lapses.0
        } else {
            0
        };
        before + u32::from(self.record.worker.is_some())
    }

    /// Arrival time of the oldest open signal.
    pub(super) fn signaled(&self) -> Option<i64> {
        self.record
            .signals
            .iter()
            .filter_map(|s| self.signal_times.get(&s.key).copied())
            .min()
    }

    pub(super) fn head(&self) -> Head<'_> {
        Head {
            fence: self.record.fence,
            worker: self.record.worker.as_deref(),
            seq: self.seq(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub executions: BTreeMap<ExecutionId, Execution>,
    pub claims: BTreeMap<String, Claim>,
    pub projections: BTreeMap<(String, String), ProjectionRow>,
    pub counter: i64,
    /// Appends accepted under an outdated fencing token: none, unless a bug is injected.
    pub stale_appends: usize,
}

impl Default for Tables {
    fn default() -> Self {
        // The counter starts at 1, as in the databases.
        Self {
            executions: BTreeMap::new(),
            claims: BTreeMap::new(),
            projections: BTreeMap::new(),
            counter: 1,
            stale_appends: 0,
        }
    }
}

/// Times are stored to the microsecond, as in the tables.
pub(super) fn cut(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}

pub(super) fn at(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MAX)
}

fn later(now: i64, duration: Duration) -> i64 {
    now.saturating_add(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX))
}

pub(super) fn cut_row(mut row: Row) -> Row {
    row.at = cut(row.at);
    row
}

pub(super) fn cut_audit(mut row: AuditRow) -> AuditRow {
    row.at = cut(row.at);
    row
}

/// Adds or replaces labels, sorted by name, as in the tables.
pub(super) fn label(labels: &mut Vec<(String, String)>, new: Vec<(String, String)>) {
    let mut all: BTreeMap<String, String> = std::mem::take(labels).into_iter().collect();
    all.extend(new);
    labels.extend(all);
}

impl Tables {
    pub(super) fn by_token(&self, caller: &str, token: &str) -> Option<&Execution> {
        self.executions
            .values()
            .find(|e| e.record.caller == caller && e.record.token.as_deref() == Some(token))
    }

    pub(super) fn begin(&mut self, mut new: NewExecution, now: i64) -> BeginResult {
        let named = self.executions.get(&new.id);
        let found = named.or_else(|| self.by_token(&new.caller, new.token.as_deref()?));
        let lease = journal_rules::first_lease(&new);
        let mark = self.counter;
        let seen = found.map(|e| (e.head(), &*e.input_digest, e.record.id == new.id));
        match (journal_rules::begin(&new, seen), found) {
            (BeginDecision::Mismatch, Some(found)) => {
                return BeginResult::Mismatch(found.record.id);
            }
            (BeginDecision::Existing, Some(found)) => {
                return BeginResult::Existing(Box::new(found.record.clone()));
            }
            (BeginDecision::Repeated, _) => return BeginResult::New { lease, mark },
            (_, _) => {}
        }
        let mut labels = Vec::new();
        label(&mut labels, std::mem::take(&mut new.labels));
        let lease_until = later(now, new.lease);
        let (input_digest, said) = (std::mem::take(&mut new.input_digest), BTreeMap::new());
        new.at = cut(new.at);
        new.first = cut_row(new.first);
        new.audit = cut_audit(new.audit);
        let (id, record) = (
            new.id,
            ExecutionRecord::from(NewExecution { labels, ..new }),
        );
        let execution = Execution {
            record,
            input_digest,
            lease_until,
            lapses: (0, 0),
            signal_times: said,
        };
        self.executions.insert(id, execution);
        BeginResult::New { lease, mark }
    }

    pub(super) fn held(&mut self, lease: &Lease) -> Result<&mut Execution, StoreError> {
        self.executions
            .get_mut(&lease.id)
            .filter(|e| e.head().is_held_by(lease))
            .ok_or(StoreError::Fenced)
    }

    pub(super) fn renew(
        &mut self,
        lease: &Lease,
        lease_for: Duration,
        now: i64,
    ) -> Result<(), StoreError> {
        let execution = self.held(lease)?;
        execution.lease_until = execution.lease_until.max(later(now, lease_for));
        Ok(())
    }

    pub(super) fn hand_over(&mut self, lease: &Lease, now: i64) -> Result<(), StoreError> {
        let execution = self.held(lease)?;
        execution.record.worker = None;
        let before = execution.record.wake_at.map(Timestamp::as_microsecond);
        execution.record.wake_at = Some(at(journal_rules::handed_over(before, now)));
        Ok(())
    }

    pub(super) fn wake(&mut self, id: ExecutionId, pause: Duration, now: i64) -> bool {
        let Some(execution) = self
            .executions
            .get_mut(&id)
            .filter(|e| e.record.worker.is_none())
        else {
            return false;
        };
        let record = &mut execution.record;
        let (before, appended) = (
            record.wake_at.map(Timestamp::as_microsecond),
            record.updated_at.as_microsecond(),
        );
        let due = journal_rules::woken_at(before, appended, pause, now);
        if let Some(due) = due {
            record.wake_at = Some(at(due));
        }
        due.is_some()
    }

    pub(super) fn signal(&mut self, id: ExecutionId, signal: Signal, now: i64) -> bool {
        let Some(execution) = self.executions.get_mut(&id) else {
            return false;
        };
        if !execution.signal_times.contains_key(&signal.key) {
            execution.signal_times.insert(signal.key.clone(), now);
            execution.record.signals.push(signal);
        }
        true
    }

    pub(super) fn counts(&self) -> Vec<(State, u64)> {
        let mut counts = BTreeMap::new();
        for execution in self.executions.values() {
            *counts.entry(execution.record.state).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    pub(super) fn due_elsewhere(&self, filter: &DueFilter, now: i64) -> Vec<ExecutionId> {
        let known =
            |r: &ExecutionRecord| filter.states().contains(&r.state.name()) && filter.knows(r);
        let left = self
            .executions
            .values()
            .filter(|e| e.due(now).is_some() && !known(&e.record));
        left.map(|e| e.record.id).take(filter.limit).collect()
    }

    pub(super) fn take(
        &mut self,
        worker: &str,
        filter: &DueFilter,
        lease_for: Duration,
        now: i64,
    ) -> Vec<(Lease, ExecutionRecord)> {
        let wanted =
            |r: &ExecutionRecord| filter.states().contains(&r.state.name()) && filter.knows(r);
        let due = self
            .executions
            .values()
            .filter(|e| wanted(&e.record) && filter.lapses.contains(&e.count_lapses()))
            .filter_map(|e| {
                e.due(now)
                    .map(|since| (e.record.state != State::Compensating, since, e.record.id))
            });
        let mut due: Vec<_> = due.collect();
        due.sort_unstable();
        let mut taken = Vec::new();
        for (.., id) in due.into_iter().take(filter.limit) {
            if let Some(execution) = self.executions.get_mut(&id) {
                let lapses = execution.count_lapses();
                execution.lapses = (lapses, execution.seq());
                execution.record.fence += 1;
                execution.record.worker = Some(worker.to_owned());
                execution.lease_until = later(now, lease_for);
                taken.push((
                    Lease {
                        id,
                        worker: worker.to_owned(),
                        fence: execution.record.fence,
                    },
                    ExecutionRecord {
                        lapses,
                        ..execution.record.clone()
                    },
                ));
            }
        }
        taken
    }

    pub(super) fn list(&self, filter: &ExecutionFilter) -> Vec<ExecutionRecord> {
        let wanted = |r: &ExecutionRecord| {
            (filter.states.is_empty() || filter.states.contains(&r.state))
                && filter.saga.as_ref().is_none_or(|s| *s == r.saga)
                && filter.not_saga.as_ref().is_none_or(|s| *s != r.saga)
                && filter.labels.iter().all(|l| r.labels.contains(l))
                && filter.from.is_none_or(|from| r.created_at >= cut(from))
                && filter.to.is_none_or(|to| r.created_at < cut(to))
        };
        let mut found: Vec<&ExecutionRecord> = self
            .executions
            .values()
            .map(|e| &e.record)
            .filter(|r| wanted(r))
            .collect();
        found.sort_by_key(|r| Reverse((r.created_at, r.id)));
        found
            .into_iter()
            .take(filter.limit)
            .map(|r| ExecutionRecord {
                rows: Vec::new(),
                audit: Vec::new(),
                ..r.clone()
            })
            .collect()
    }

    pub(super) fn projections(
        &self,
        kind: &str,
        execution: Option<ExecutionId>,
        limit: usize,
    ) -> Vec<ProjectionRow> {
        let of_kind = self
            .projections
            .iter()
            .filter(|((k, _), _)| k == kind)
            .map(|(_, row)| row);
        let mut rows: Vec<ProjectionRow> = of_kind
            .filter(|r| execution.is_none_or(|e| e == r.execution))
            .cloned()
            .collect();
        rows.sort_by(|a, b| (b.updated_at, &b.key).cmp(&(a.updated_at, &a.key)));
        rows.truncate(limit);
        rows
    }
}
