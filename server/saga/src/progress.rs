//! The progress of an execution: a fold over its journal. The runner and recovery use the same
//! fold, so after a crash only the worker changes.

mod direction_progress;
mod fold_event;

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use direction_progress::{DirectionProgress, Guard, Phase};

use crate::{
    damaged_execution::Damage,
    event::{Decision, Direction, End, Event, Row},
    execution_id::ExecutionId,
    hash_chain::{self, AuditRow},
    state_machine::{IllegalTransition, State, next},
    step_id::StepId,
};

/// Both directions of a step.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StepProgress {
    /// The step itself.
    pub forward: DirectionProgress,
    /// Its compensation.
    pub back: DirectionProgress,
}

impl StepProgress {
    /// The state in one direction.
    #[must_use]
    pub const fn direction_progress(&self, direction: Direction) -> &DirectionProgress {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Back => &self.back,
        }
    }
}

/// A replayed execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub id: ExecutionId,
    /// State; `None` before the first row.
    pub state: Option<State>,
    /// Version that the prerequisites chose; `None` for the one it was accepted with.
    pub version: Option<u32>,
    /// Facts from the prerequisites.
    pub facts: Option<Value>,
    /// Steps by name. Shared, because a progress is copied at every move and a move changes one
    /// step.
    pub steps: BTreeMap<String, Arc<StepProgress>>,
    /// Why it started to compensate.
    pub decision: Option<Decision>,
    /// How it ended, while it is ended.
    pub ended: Option<(End, Option<String>, Timestamp)>,
    /// Number of rechecks since it ended.
    pub recheck_count: u32,
    /// True while a requested recheck is outstanding.
    pub recheck_pending: bool,
    /// Who made it go forward after all.
    pub resumed: Option<String>,
    /// Who wants it compensated as soon as the payment's outcome is known.
    pub unwanted: Option<String>,
    /// Who requested its compensation, in order, each once.
    pub triggers: Vec<String>,
    /// Sequence number of the last row.
    pub seq: i64,
    /// Digest of the last row.
    pub digest: String,
    /// Hash of the last audit row.
    pub audit_head: String,
    pub began_at: Option<Timestamp>,
    /// Time of the last row.
    pub last_at: Option<Timestamp>,
    /// Fencing token of the holder; for a journal nobody holds, that of its last row.
    pub fence: i64,
}

impl Progress {
    /// Progress before the first row.
    #[must_use]
    pub fn new(id: ExecutionId) -> Self {
        Self {
            id,
            state: None,
            version: None,
            facts: None,
            steps: BTreeMap::new(),
            decision: None,
            ended: None,
            recheck_count: 0,
            recheck_pending: false,
            resumed: None,
            unwanted: None,
            triggers: Vec::new(),
            seq: 0,
            digest: String::new(),
            audit_head: String::new(),
            began_at: None,
            last_at: None,
            fence: 0,
        }
    }

    /// Replays a stored journal.
    ///
    /// # Errors
    /// When the journal holds an event that is not allowed at its position.
    pub fn replay(
        id: ExecutionId,
        rows: &[Row],
        trail: &[AuditRow],
    ) -> Result<Self, IllegalTransition> {
        let mut progress = Self::new(id);
        for row in rows {
            progress.replay_row(row)?;
        }
        if let Some(last) = trail.last() {
            progress.audit_head.clone_from(&last.hash);
        }
        Ok(progress)
    }

    pub(crate) fn replay_row(&mut self, row: &Row) -> Result<(), IllegalTransition> {
        self.state = Some(next(self.state, &row.event)?);
        self.fence = row.fence;
        self.fold(&row.event, row.at);
        self.seq = row.seq;
        self.digest.clone_from(&row.digest);
        Ok(())
    }

    /// The end of a journal that cannot be replayed: only enough to append the rows that hand it to
    /// a person.
    #[must_use]
    pub fn end_of(id: ExecutionId, state: State, damage: &Damage) -> Self {
        Self {
            state: Some(state),
            seq: damage.seq,
            digest: damage.digest.clone(),
            audit_head: damage.audit_head.clone(),
            ..Self::new(id)
        }
    }

    /// Creates the next row from `event` and folds it in; includes the audit row when the state
    /// changes.
    ///
    /// # Errors
    /// When the event is not allowed now; then nothing changes.
    pub fn push(
        &mut self,
        event: Event,
        at: Timestamp,
        by: &str,
        fence: i64,
    ) -> Result<(Row, Option<AuditRow>), IllegalTransition> {
        let to = next(self.state, &event)?;
        let seq = self.seq + 1;
        let digest = hash_chain::digest(self.id, &self.digest, seq, at, &event);
        self.fence = fence;
        self.fold(&event, at);
        let row = Row {
            seq,
            at,
            by: by.to_owned(),
            fence,
            event,
            digest: digest.clone(),
        };
        let audit = (self.state != Some(to))
            .then(|| hash_chain::audit(self.id, &self.audit_head, &row, by, self.state, to));
        if let Some(audit) = &audit {
            self.audit_head.clone_from(&audit.hash);
        }
        self.state = Some(to);
        self.seq = seq;
        self.digest = digest;
        Ok((row, audit))
    }

    /// Folds in uncommitted events to see their consequences; only [`Progress::push`] sets seq and
    /// digests.
    ///
    /// # Errors
    /// When the event is not allowed now; then nothing changes.
    pub fn apply_uncommitted(
        &mut self,
        event: &Event,
        at: Timestamp,
    ) -> Result<(), IllegalTransition> {
        self.state = Some(next(self.state, event)?);
        self.fold(event, at);
        Ok(())
    }

    /// One direction of a step, if anything happened in it.
    #[must_use]
    pub fn direction_progress(
        &self,
        name: &str,
        direction: Direction,
    ) -> Option<&DirectionProgress> {
        self.steps
            .get(name)
            .map(|s| s.as_ref().direction_progress(direction))
    }

    /// A step, if anything happened in it.
    #[must_use]
    pub fn forward<O, U>(&self, step: StepId<O, U>) -> Option<&DirectionProgress> {
        self.direction_progress(step.name, Direction::Forward)
    }

    /// The compensation of a step, if anything happened in it.
    #[must_use]
    pub fn back<O, U>(&self, step: StepId<O, U>) -> Option<&DirectionProgress> {
        self.direction_progress(step.name, Direction::Back)
    }

    /// Facts from the prerequisites.
    #[must_use]
    pub fn facts<F: DeserializeOwned>(&self) -> Option<F> {
        F::deserialize(self.facts.as_ref()?).ok()
    }

    /// Why it ended as it did, while it is ended.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.ended.as_ref()?.1.as_deref()
    }

    /// Whether a step is completed.
    #[must_use]
    pub fn is_done<O, U>(&self, step: StepId<O, U>) -> bool {
        self.forward(step).is_some_and(|s| s.phase == Phase::Done)
    }

    /// Output of a completed step.
    #[must_use]
    pub fn output<O: DeserializeOwned, U>(&self, step: StepId<O, U>) -> Option<O> {
        self.forward(step)
            .filter(|s| s.phase == Phase::Done)?
            .read()
    }

    /// What a step journaled, completed, skipped, or waiting.
    #[must_use]
    pub fn recorded<O: DeserializeOwned, U>(&self, step: StepId<O, U>) -> Option<O> {
        self.forward(step)?.read()
    }

    /// What a step's compensation journaled, completed or skipped.
    #[must_use]
    pub fn undone<O, U: DeserializeOwned>(&self, step: StepId<O, U>) -> Option<U> {
        self.back(step)?.read()
    }

    /// Whether a step's latest row was written by an earlier lease holder, or before a person
    /// retried it. Its known outcome may then be outdated, so it is checked before anything is
    /// sent.
    #[must_use]
    pub fn is_inherited(&self, name: &str, direction: Direction) -> bool {
        self.direction_progress(name, direction)
            .is_some_and(|s| s.fence < self.fence)
    }

    /// True once anything was sent, or may have been.
    #[must_use]
    pub fn had_effect(&self) -> bool {
        self.steps
            .values()
            .any(|s| s.forward.intents > 0 || s.back.intents > 0)
    }
}
