//! Appends: first every check, then every change.

use std::collections::BTreeSet;

use dewy_saga::{
    ExecutionId, Lease, StoreError,
    journal::{Append, Appended, BesideRow, ClaimChange, Damage, LeaseChange, Record},
};

use super::{
    hooks::Bug,
    world::{Claim, World, at, cut, cut_audit, cut_row, label, later},
};
use crate::codec::{Unreadable, micros};

/// The append is valid, or repeats a stored one.
enum Checked {
    Good,
    Repeated,
}

impl World {
    /// Whether the lease is still valid; an injected bug checks this too early.
    pub(super) fn check_fence(&self, lease: &Lease, append: &Append) -> Result<(), StoreError> {
        self.check(lease, append, true).map(drop)
    }

    fn check(&self, lease: &Lease, append: &Append, fence: bool) -> Result<Checked, StoreError> {
        let execution = self.executions.get(&lease.id).ok_or(StoreError::Fenced)?;
        if fence && execution.record.fence != lease.fence {
            return Err(StoreError::Fenced);
        }
        let stored = &execution.record.rows;
        let last = stored.last().map_or(0, |r| r.seq);
        if let (Some(first), Some(end)) = (append.rows.first(), append.rows.last()) {
            if end.seq <= last {
                let same = stored
                    .iter()
                    .any(|r| r.seq == end.seq && r.digest == end.digest && r.fence == end.fence);
                return if same {
                    Ok(Checked::Repeated)
                } else {
                    Err(StoreError::Fenced)
                };
            }
            if first.seq != last + 1 {
                return Err(StoreError::Fenced);
            }
        }
        if fence && !execution.is_held_by(lease) {
            return Err(StoreError::Fenced);
        }
        Ok(Checked::Good)
    }

    pub(super) fn append(
        &mut self,
        lease: &Lease,
        append: Append,
        now: i64,
        bugs: &BTreeSet<Bug>,
    ) -> Result<Appended, StoreError> {
        let fence =
            !bugs.contains(&Bug::NoFenceCheck) && !bugs.contains(&Bug::FenceOutsideTransaction);
        if let Checked::Repeated = self.check(lease, &append, fence)? {
            return Ok(Appended::Ok);
        }
        let stale = self
            .executions
            .get(&lease.id)
            .is_some_and(|e| e.record.fence != lease.fence);
        self.stale_appends += usize::from(stale);
        if let ClaimChange::Take { resources, mark } = &append.claims
            && let Some(refused) = self.refuses(
                lease.id,
                resources,
                *mark,
                !bugs.contains(&Bug::NoStaleCheck),
            )
        {
            return Ok(refused);
        }
        let keys: BTreeSet<_> = append
            .projections
            .iter()
            .map(|b| (b.kind.clone(), b.key.clone()))
            .collect();
        for (kind, key) in keys {
            if let Some(row) = self
                .projections
                .get(&(kind.clone(), key.clone()))
                .filter(|r| r.execution != lease.id)
            {
                return Err(StoreError::Taken {
                    kind,
                    key,
                    owner: row.execution.to_string(),
                });
            }
        }
        self.claim(lease.id, &append.claims);
        if !bugs.contains(&Bug::AuditOutsideTransaction) {
            self.append_audit(lease, &append);
        }
        self.write(lease, append, now)
    }

    fn refuses(
        &self,
        id: ExecutionId,
        resources: &[String],
        mark: i64,
        stale: bool,
    ) -> Option<Appended> {
        let sorted: BTreeSet<&String> = resources.iter().collect();
        let claims: Vec<&Claim> = sorted
            .into_iter()
            .filter_map(|r| self.claims.get(r))
            .collect();
        if let Some(by) = claims.iter().find_map(|c| c.execution.filter(|e| *e != id)) {
            return Some(Appended::Held { by });
        }
        let changed = claims
            .iter()
            .any(|c| c.execution.is_none() && c.changed > mark);
        (stale && changed).then_some(Appended::Stale { mark: self.counter })
    }

    fn claim(&mut self, id: ExecutionId, change: &ClaimChange) {
        match change {
            ClaimChange::None => {}
            ClaimChange::Take { resources, .. } => {
                for resource in resources.iter().collect::<BTreeSet<_>>() {
                    if self
                        .claims
                        .get(resource)
                        .is_none_or(|c| c.execution.is_none())
                    {
                        self.counter += 1;
                        self.claims.insert(
                            resource.clone(),
                            Claim {
                                execution: Some(id),
                                changed: self.counter,
                            },
                        );
                    }
                }
            }
            ClaimChange::Release => {
                for claim in self.claims.values_mut().filter(|c| c.execution == Some(id)) {
                    self.counter += 1;
                    *claim = Claim {
                        execution: None,
                        changed: self.counter,
                    };
                }
            }
        }
    }

    /// Writes only the audit rows; part of the append, unless an injected bug separates them.
    pub(super) fn append_audit(&mut self, lease: &Lease, append: &Append) {
        if let Some(execution) = self.executions.get_mut(&lease.id) {
            let last = execution.record.audit.last().map_or(0, |a| a.seq);
            execution.record.audit.extend(
                append
                    .audit
                    .iter()
                    .filter(|a| a.seq > last)
                    .cloned()
                    .map(cut_audit),
            );
        }
    }

    /// Makes the last row of an execution's journal unreadable, or restores it.
    pub(super) fn spoil(&mut self, id: ExecutionId, spoiled: Option<Unreadable>) {
        if let Some(execution) = self.executions.get_mut(&id) {
            let record = &mut execution.record;
            let last = record.rows.last().map_or(0, |row| row.seq);
            record.damage = spoiled.map(|(why, newer)| Damage {
                newer,
                ..damage(record, format!("journal row {last}"), why)
            });
        }
    }

    fn write(&mut self, lease: &Lease, append: Append, now: i64) -> Result<Appended, StoreError> {
        let execution = self
            .executions
            .get_mut(&lease.id)
            .ok_or(StoreError::Fenced)?;
        match append.lease {
            LeaseChange::Keep => {}
            LeaseChange::For(lease_for) => {
                execution.lease_until = execution.lease_until.max(later(now, lease_for))
            }
            LeaseChange::Release => execution.record.worker = None,
        }
        let record = &mut execution.record;
        record.state = append.state;
        // The appender's clock may be wrong; only the difference is used.
        record.wake_at = append
            .wake_at
            .map(|wake| at(now + micros(wake) - micros(append.at)));
        record.updated_at = cut(append.at);
        record.rows.extend(append.rows.into_iter().map(cut_row));
        if let Some(before) = record.damage.take() {
            record.damage = Some(damage(record, before.row, before.why));
        }
        if append.free_token {
            record.token = None;
        }
        if append.answer.is_some() {
            record.answer = append.answer;
        }
        record.signals.retain(|s| !append.heard.contains(&s.key));
        label(&mut record.labels, append.labels);
        for row in append.projections {
            let stored = BesideRow {
                key: row.key.clone(),
                execution: lease.id,
                body: row.body,
                updated_at: cut(append.at),
            };
            self.projections.insert((row.kind, row.key), stored);
        }
        Ok(Appended::Ok)
    }
}

fn damage(record: &Record, row: String, why: String) -> Damage {
    let (row_at_end, audit_at_end) = (record.rows.last(), record.audit.last());
    Damage {
        row,
        why,
        seq: row_at_end.map_or(0, |r| r.seq),
        digest: row_at_end.map(|r| r.digest.clone()).unwrap_or_default(),
        audit_head: audit_at_end.map(|a| a.hash.clone()).unwrap_or_default(),
        ..Damage::default()
    }
}
