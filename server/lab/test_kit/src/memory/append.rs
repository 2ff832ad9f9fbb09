//! Appends by the rules of [`dewy_store::journal_rules`].

use std::collections::BTreeSet;

use dewy_saga::{
    ExecutionId, Lease, StoreError,
    journal::{Append, AppendResult, ClaimChange, Damage, ExecutionRecord, ProjectionRow},
};

use super::{
    injected_faults::Bug,
    tables::{Tables, at, cut, cut_audit, cut_row, label},
};
use dewy_store::journal_rules::{self, AppendDecision, Claim, Head, Rows};

/// One execution as an append sees it.
struct Execution<'a> {
    world: &'a Tables,
    lease: &'a Lease,
    bugs: &'a BTreeSet<Bug>,
}

impl Rows for Execution<'_> {
    fn head(&self) -> Option<Head<'_>> {
        let head = self.world.executions.get(&self.lease.id)?.head();
        // Fencing that is not checked, or was checked before the transaction began
        let blind = [Bug::NoFenceCheck, Bug::FenceOutsideTransaction];
        if blind.iter().any(|bug| self.bugs.contains(bug)) {
            return Some(Head {
                fence: self.lease.fence,
                worker: Some(&self.lease.worker),
                ..head
            });
        }
        Some(head)
    }

    fn journal_row(&self, seq: i64) -> Option<(&str, i64)> {
        let rows = &self.world.executions.get(&self.lease.id)?.record.rows;
        let row = rows.iter().rev().find(|row| row.seq == seq)?;
        Some((&row.digest, row.fence))
    }

    fn claim(&self, resource: &str) -> Result<Option<Claim>, StoreError> {
        let mut claim = self.world.claims.get(resource).copied();
        if self.bugs.contains(&Bug::NoStaleCheck)
            && let Some(claim) = &mut claim
        {
            claim.changed = i64::MIN;
        }
        Ok(claim)
    }

    fn owner(&self, kind: &str, key: &str) -> Option<String> {
        let row = self
            .world
            .projections
            .get(&(kind.to_owned(), key.to_owned()));
        row.map(|row| row.execution.to_string())
    }

    fn counter(&self) -> i64 {
        self.world.counter
    }

    fn floor(&self) -> i64 {
        0
    }
}

impl Tables {
    /// Whether an append is valid at this moment.
    pub(super) fn check(&self, lease: &Lease, append: &Append) -> Result<(), StoreError> {
        self.decide(lease, append, &BTreeSet::new()).map(drop)
    }

    fn decide(
        &self,
        lease: &Lease,
        append: &Append,
        bugs: &BTreeSet<Bug>,
    ) -> Result<AppendDecision, StoreError> {
        let world = self;
        journal_rules::append(&Execution { world, lease, bugs }, lease, append)
    }

    pub(super) fn append(
        &mut self,
        lease: &Lease,
        append: Append,
        now: i64,
        bugs: &BTreeSet<Bug>,
    ) -> Result<AppendResult, StoreError> {
        let claims = match self.decide(lease, &append, bugs)? {
            AppendDecision::Write { claims } => claims,
            AppendDecision::Repeated => return Ok(AppendResult::Ok),
            AppendDecision::Refused(refused) => return Ok(refused),
        };
        let stale = self
            .executions
            .get(&lease.id)
            .is_some_and(|e| e.record.fence != lease.fence);
        self.stale_appends += usize::from(stale);
        for resource in claims {
            self.counter += 1;
            let (owner, changed) = (Some(lease.id), self.counter);
            self.claims.insert(resource, Claim { owner, changed });
        }
        if append.claims == ClaimChange::Release {
            let owned = |claim: &&mut Claim| claim.owner == Some(lease.id);
            for claim in self.claims.values_mut().filter(owned) {
                self.counter += 1;
                let (owner, changed) = (None, self.counter);
                *claim = Claim { owner, changed };
            }
        }
        if !bugs.contains(&Bug::AuditOutsideTransaction) {
            self.append_audit(lease, &append);
        }
        self.write(lease, append, now)
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

    /// Makes the last row of an execution's journal unreadable, for a reason that a newer release may not
    /// have, or restores it.
    pub(super) fn damage_last_row(&mut self, id: ExecutionId, spoiled: Option<(String, bool)>) {
        if let Some(execution) = self.executions.get_mut(&id) {
            let record = &mut execution.record;
            let last = record.rows.last().map_or(0, |row| row.seq);
            record.damage = spoiled.map(|(why, newer)| Damage {
                newer,
                ..damage(record, format!("journal row {last}"), why)
            });
        }
    }

    fn write(
        &mut self,
        lease: &Lease,
        append: Append,
        now: i64,
    ) -> Result<AppendResult, StoreError> {
        let execution = self
            .executions
            .get_mut(&lease.id)
            .ok_or(StoreError::Fenced)?;
        match journal_rules::lease_until(append.lease, execution.lease_until, now) {
            Some(until) => execution.lease_until = until,
            None => execution.record.worker = None,
        }
        let record = &mut execution.record;
        record.state = append.state;
        // The appender's clock may be wrong; only the difference is used.
        record.wake_at = append
            .wake_at
            .map(|wake| at(now + wake.as_microsecond() - append.at.as_microsecond()));
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
        record.signals.retain(|s| !append.handled.contains(&s.key));
        label(&mut record.labels, append.labels);
        for row in append.projections {
            let stored = ProjectionRow {
                key: row.key.clone(),
                execution: lease.id,
                body: row.body,
                updated_at: cut(append.at),
            };
            self.projections.insert((row.kind, row.key), stored);
        }
        Ok(AppendResult::Ok)
    }
}

fn damage(record: &ExecutionRecord, row: String, why: String) -> Damage {
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
