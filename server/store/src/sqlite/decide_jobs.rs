//! Decides jobs in memory by the rules of [`crate::journal_rules`].

mod stored_execution;

use std::time::Duration;

use dewy_saga::{
    ExecutionId, Lease, Row, Signal, StoreError, hash_chain,
    journal::{Append, AppendResult, ClaimChange, LeaseChange, NewExecution},
};

use self::stored_execution::Execution;
use super::{
    batch_state::{AuditRow, BatchState, Head, JournalRow, SignalState},
    writer_job::BeginOutcome,
};
use crate::{
    journal_rules::{self, AppendDecision, BeginDecision},
    row_conversion::{micros, to_json, to_micros},
};

fn journal_row(id: &str, row: &Row) -> Result<JournalRow, StoreError> {
    Ok((
        id.to_owned(),
        row.seq,
        micros(row.at),
        row.by.clone(),
        row.fence,
        to_json(&row.event)?,
        row.digest.clone(),
    ))
}

fn audit_row(id: &str, row: &hash_chain::AuditRow) -> AuditRow {
    let from = row.from.map(dewy_saga::State::name);
    (
        id.to_owned(),
        row.seq,
        micros(row.at),
        row.actor.clone(),
        from,
        row.to.name(),
        row.journal.clone(),
        row.hash.clone(),
    )
}

impl BatchState {
    pub(super) fn begin(&mut self, new: &NewExecution) -> Result<BeginOutcome, StoreError> {
        let name = new.id.to_string();
        let same_token = new
            .token
            .as_ref()
            .and_then(|t| self.tokens.get(&(new.caller.clone(), t.clone())));
        let found = self
            .heads
            .get(&name)
            .or_else(|| same_token.and_then(|other| self.heads.get(other)));
        let seen = found.map(|head| (head.decisive(), &*head.input_digest, head.id == name));
        let other = || found.map(|head| head.id.clone()).unwrap_or_default();
        match journal_rules::begin(new, seen) {
            BeginDecision::Mismatch => return Ok(BeginOutcome::Mismatch(other())),
            BeginDecision::Existing => return Ok(BeginOutcome::Existing(other())),
            BeginDecision::Repeated => {}
            BeginDecision::New => self.insert(&name, new)?,
        }
        Ok(BeginOutcome::New {
            lease: journal_rules::first_lease(new),
            mark: self.counter,
        })
    }

    fn insert(&mut self, name: &str, new: &NewExecution) -> Result<(), StoreError> {
        let (journal, input) = (journal_row(name, &new.first)?, to_json(&new.input)?);
        let lease_until = self.now + to_micros(new.lease);
        let head = Head {
            id: name.to_owned(),
            caller: new.caller.clone(),
            token: new.token.clone(),
            input_digest: new.input_digest.clone(),
            state: new.audit.to.name().to_owned(),
            wake_at: None,
            updated_at: micros(new.at),
            fence: 1,
            worker: Some(new.worker.clone()),
            lease_until,
            seq: 1,
            audit_seq: 1,
            signaled_at: None,
        };
        self.writes.new.push((
            name.to_owned(),
            new.saga.clone(),
            new.version,
            new.caller.clone(),
            new.interface.clone(),
            new.token.clone(),
            new.input_digest.clone(),
            head.state.clone(),
            micros(new.at),
            new.worker.clone(),
            lease_until,
        ));
        if let Some(token) = &new.token {
            self.tokens
                .insert((new.caller.clone(), token.clone()), name.to_owned());
        }
        self.heads.insert(name.to_owned(), head);
        self.writes.inputs.push((name.to_owned(), input));
        self.writes.labels.extend(
            new.labels
                .iter()
                .map(|(label, value)| ((name.to_owned(), label.clone()), value.clone())),
        );
        self.writes.journal.push(journal);
        self.writes.audit.push(audit_row(name, &new.audit));
        Ok(())
    }

    pub(super) fn append(
        &mut self,
        lease: &Lease,
        append: &Append,
    ) -> Result<AppendResult, StoreError> {
        let name = lease.id.to_string();
        let rows = Execution {
            plan: self,
            name: &name,
        };
        match journal_rules::append(&rows, lease, append)? {
            AppendDecision::Write { claims } => self.write(name, append, claims)?,
            AppendDecision::Repeated => {}
            AppendDecision::Refused(refused) => return Ok(refused),
        }
        Ok(AppendResult::Ok)
    }

    fn write(
        &mut self,
        name: String,
        append: &Append,
        claims: Vec<String>,
    ) -> Result<(), StoreError> {
        let journal: Vec<_> = append
            .rows
            .iter()
            .map(|r| journal_row(&name, r))
            .collect::<Result<_, _>>()?;
        let answer = append.answer.as_ref().map(to_json).transpose()?;
        let mut projections = Vec::new();
        for row in &append.projections {
            projections.push(((row.kind.clone(), row.key.clone()), to_json(&row.body)?));
        }
        // Nothing fails from here on.
        self.claim(&name, claims);
        if append.claims == ClaimChange::Release {
            self.release(&name);
        }
        let signaled_at = self.close_signals(&name, &append.handled);
        let Some(head) = self.heads.get_mut(&name) else {
            return Err(StoreError::Fenced);
        };
        append.state.name().clone_into(&mut head.state);
        head.wake_at = append.wake_at.map(micros);
        head.updated_at = micros(append.at);
        head.seq = append.rows.last().map_or(head.seq, |r| r.seq);
        head.audit_seq = append.audit.last().map_or(head.audit_seq, |a| a.seq);
        match journal_rules::lease_until(append.lease, head.lease_until, self.now) {
            Some(until) => head.lease_until = until,
            None => (head.worker, head.lease_until) = (None, 0),
        }
        if let Some(signaled_at) = signaled_at {
            head.signaled_at = signaled_at;
        }
        if append.lease == LeaseChange::Release {
            self.wakes_workers |=
                head.signaled_at.is_some() || journal_rules::wakes_workers(append);
        }
        if append.free_token
            && let Some(token) = head.token.take()
        {
            self.tokens.remove(&(head.caller.clone(), token));
        }
        self.writes.journal.extend(journal);
        self.writes
            .audit
            .extend(append.audit.iter().map(|a| audit_row(&name, a)));
        self.writes
            .answers
            .extend(answer.map(|a| (name.clone(), a)));
        self.writes.labels.extend(
            append
                .labels
                .iter()
                .map(|(label, value)| ((name.clone(), label.clone()), value.clone())),
        );
        for (key, body) in projections {
            self.owners.insert(key.clone(), name.clone());
            self.writes
                .projections
                .insert(key, (name.clone(), body, micros(append.at)));
        }
        self.writes.changed.insert(name);
        Ok(())
    }

    /// Closes the signals with these keys; returns the arrival time of the oldest open one, if that
    /// may have changed.
    fn close_signals(&mut self, name: &str, keys: &[String]) -> Option<Option<i64>> {
        for key in keys {
            let said = self
                .signals
                .get_mut(&(name.to_owned(), key.clone()))
                .filter(|s| s.open);
            if let Some(said) = said {
                said.open = false;
                self.writes
                    .handled_signals
                    .push((name.to_owned(), key.clone()));
            }
        }
        let open = || {
            self.signals
                .iter()
                .filter(|((id, _), s)| id == name && s.open)
                .map(|(_, s)| s.at)
        };
        (!keys.is_empty()).then(|| open().min())
    }

    fn held_for_change(&mut self, lease: &Lease) -> Result<&mut Head, StoreError> {
        let name = lease.id.to_string();
        let head = self
            .heads
            .get_mut(&name)
            .filter(|head| head.decisive().is_held_by(lease))
            .ok_or(StoreError::Fenced)?;
        self.writes.changed.insert(name);
        Ok(head)
    }

    pub(super) fn renew(&mut self, lease: &Lease, lease_for: Duration) -> Result<(), StoreError> {
        let now = self.now;
        let head = self.held_for_change(lease)?;
        head.lease_until = head.lease_until.max(now + to_micros(lease_for));
        Ok(())
    }

    pub(super) fn hand_over(&mut self, lease: &Lease) -> Result<(), StoreError> {
        let now = self.now;
        let head = self.held_for_change(lease)?;
        (head.worker, head.lease_until) = (None, 0);
        head.wake_at = Some(journal_rules::handed_over(head.wake_at, now));
        self.wakes_workers = true;
        Ok(())
    }

    pub(super) fn wake(&mut self, id: ExecutionId, pause: Duration) -> bool {
        let (name, now) = (id.to_string(), self.now);
        let Some(head) = self.heads.get_mut(&name).filter(|h| h.worker.is_none()) else {
            return false;
        };
        let Some(due) = journal_rules::woken_at(head.wake_at, head.updated_at, pause, now) else {
            return false;
        };
        head.wake_at = Some(due);
        self.writes.changed.insert(name);
        self.wakes_workers |= due == now;
        true
    }

    /// False when the execution does not exist.
    pub(super) fn signal(&mut self, id: ExecutionId, signal: &Signal) -> bool {
        let (name, now) = (id.to_string(), self.now);
        let Some(head) = self.heads.get_mut(&name) else {
            return false;
        };
        let key = (name.clone(), signal.key.clone());
        if self.signals.contains_key(&key) {
            return true;
        }
        head.signaled_at = Some(head.signaled_at.unwrap_or(now));
        self.signals.insert(
            key,
            SignalState {
                at: now,
                open: true,
            },
        );
        let Signal {
            key,
            action,
            by,
            why,
        } = signal.clone();
        self.writes
            .signals
            .push((name.clone(), key, action.name(), by, why, now));
        self.writes.changed.insert(name);
        self.wakes_workers = true;
        true
    }
}
