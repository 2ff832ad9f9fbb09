//! What a journal adds up to. Running and recovery use the same fold, so a crash changes nothing
//! but who goes on.

mod side;

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use serde_json::Value;

pub use side::{Guard, Phase, Side};

use crate::{
    chain::{self, AuditRow},
    event::{Decision, Direction, End, Event, Fault, Row},
    id::ExecutionId,
    journal::Damage,
    saga::NOT_APPLIED,
    signal::Ask,
    state::{Illegal, State, next},
};

/// Both directions of a step.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StepProgress {
    /// Doing it.
    pub forward: Side,
    /// Undoing it.
    pub back: Side,
}

impl StepProgress {
    /// One direction.
    #[must_use]
    pub const fn side(&self, way: Direction) -> &Side {
        match way {
            Direction::Forward => &self.forward,
            Direction::Back => &self.back,
        }
    }
}

/// An execution, replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Whose.
    pub id: ExecutionId,
    /// Where it stands; `None` before the first row.
    pub state: Option<State>,
    /// What the prerequisites said.
    pub facts: Option<Value>,
    /// By step name. Shared, because a progress is copied at every move and a move changes one
    /// step.
    pub steps: BTreeMap<String, Arc<StepProgress>>,
    /// Why it turned back.
    pub decision: Option<Decision>,
    /// How it came to rest, while it rests.
    pub ended: Option<(End, Option<String>, Timestamp)>,
    /// How often the outside was looked at since it came to rest.
    pub looks: u32,
    /// True while somebody asked for a look that has not been taken.
    pub look_owed: bool,
    /// Who had it go forward after all.
    pub resumed: Option<String>,
    /// Who wants it to turn back as soon as it is known what became of the payment.
    pub unwanted: Option<String>,
    /// Who wanted it compensated, in order, each once.
    pub triggers: Vec<String>,
    /// Seq of the last row.
    pub seq: i64,
    /// Digest of the last row.
    pub digest: String,
    /// Hash of the last audit row.
    pub audit_head: String,
    /// When it was accepted.
    pub began_at: Option<Timestamp>,
    /// The holder's fencing token; of a journal nobody holds, that of its last row.
    pub fence: i64,
}

impl Progress {
    /// Before the first row.
    #[must_use]
    pub fn new(id: ExecutionId) -> Self {
        Self {
            id,
            state: None,
            facts: None,
            steps: BTreeMap::new(),
            decision: None,
            ended: None,
            looks: 0,
            look_owed: false,
            resumed: None,
            unwanted: None,
            triggers: Vec::new(),
            seq: 0,
            digest: String::new(),
            audit_head: String::new(),
            began_at: None,
            fence: 0,
        }
    }

    /// Replays a stored journal.
    ///
    /// # Errors
    /// When the journal holds an event that may not happen where it stands.
    pub fn replay(id: ExecutionId, rows: &[Row], trail: &[AuditRow]) -> Result<Self, Illegal> {
        let mut progress = Self::new(id);
        for row in rows {
            progress.state = Some(next(progress.state, &row.event)?);
            progress.fence = row.fence;
            progress.fold(&row.event, row.at);
            progress.seq = row.seq;
            progress.digest.clone_from(&row.digest);
        }
        if let Some(last) = trail.last() {
            progress.audit_head.clone_from(&last.hash);
        }
        Ok(progress)
    }

    /// The end of a journal that cannot be replayed: enough to append what brings it to a person,
    /// and nothing else.
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

    /// Makes the next row of `event` and folds it in; the audit row comes with it when the state
    /// changes.
    ///
    /// # Errors
    /// When the event may not happen now; nothing changes then.
    pub fn push(
        &mut self,
        event: Event,
        at: Timestamp,
        by: &str,
        fence: i64,
    ) -> Result<(Row, Option<AuditRow>), Illegal> {
        let to = next(self.state, &event)?;
        let seq = self.seq + 1;
        let digest = chain::digest(self.id, &self.digest, seq, at, &event);
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
            .then(|| chain::audit(self.id, &self.audit_head, &row, by, self.state, to));
        if let Some(audit) = &audit {
            self.audit_head.clone_from(&audit.hash);
        }
        self.state = Some(to);
        self.seq = seq;
        self.digest = digest;
        Ok((row, audit))
    }

    /// Folds in what is not committed yet, to see what follows from it; seq and digests are for
    /// [`Progress::push`] to make.
    ///
    /// # Errors
    /// When the event may not happen now; nothing changes then.
    pub fn foresee(&mut self, event: &Event, at: Timestamp) -> Result<(), Illegal> {
        self.state = Some(next(self.state, event)?);
        self.fold(event, at);
        Ok(())
    }

    /// One side of one step, if anything happened to it.
    #[must_use]
    pub fn side(&self, name: &str, way: Direction) -> Option<&Side> {
        self.steps.get(name).map(|s| s.as_ref().side(way))
    }

    /// Whether the holder knows a step only from an earlier holder, or from before a person had it
    /// tried again. What is known of the outside may be old then: it is looked at before anything
    /// is sent.
    #[must_use]
    pub fn is_inherited(&self, name: &str, way: Direction) -> bool {
        self.side(name, way)
            .is_some_and(|side| side.fence < self.fence)
    }

    /// What a step that is done journaled.
    #[must_use]
    pub fn done(&self, name: &str, way: Direction) -> Option<&Value> {
        self.side(name, way)
            .filter(|s| s.phase == Phase::Done)
            .and_then(|s| s.value.as_ref())
    }

    /// True once anything was sent, or may have been.
    #[must_use]
    pub fn had_effect(&self) -> bool {
        self.steps
            .values()
            .any(|s| s.forward.intents > 0 || s.back.intents > 0)
    }

    fn fold(&mut self, event: &Event, at: Timestamp) {
        let fence = self.fence;
        match event {
            Event::Queued { .. } => self.began_at = Some(at),
            Event::Read { facts } => self.facts = Some(facts.clone()),
            Event::Intended {
                step,
                way,
                guard,
                request,
                ..
            } => {
                let side = self.side_mut(step, *way);
                side.touched(at, fence);
                if *guard {
                    side.guard = Some(Guard {
                        request: request.clone(),
                        outcome: None,
                    });
                } else {
                    side.phase = Phase::Intended;
                    side.intents += 1;
                    side.intended_at = Some(at);
                    side.sent_at = Some(at);
                    if let Some(key) = &request.key
                        && side.key.as_ref().is_none_or(|(known, _)| known != key)
                    {
                        side.key = Some((key.clone(), at));
                    }
                    side.request = Some(request.clone());
                    side.guard = None;
                    side.first_at.get_or_insert(at);
                }
            }
            Event::Settled {
                step,
                way,
                guard,
                looked,
                outcome,
            } => {
                let side = self.side_mut(step, *way);
                side.touched(at, fence);
                side.first_at.get_or_insert(at);
                if !*guard && !*looked {
                    side.sent_at = Some(at);
                }
                if *guard {
                    if let Some(guard) = &mut side.guard {
                        guard.outcome = Some(outcome.clone());
                    }
                } else {
                    side.settle(outcome, *looked);
                }
            }
            Event::Skipped { step, way, why } => {
                let side = self.side_mut(step, *way);
                side.touched(at, fence);
                side.phase = Phase::Skipped;
                side.value = Some(why.clone());
            }
            Event::Decided { decision } => self.decide(decision),
            Event::Ended { end, reason } => {
                self.ended = Some((*end, reason.clone(), at));
                self.looks = 0;
            }
            Event::Heard { ask, by, taken, .. } => {
                if *taken && *ask == Ask::Compensate {
                    self.triggered(by);
                    self.unwanted = Some(by.clone());
                }
                // A refused execution may have to be looked at before there is anything to
                // compensate.
                self.look_owed |=
                    *taken && matches!(ask, Ask::Look | Ask::Compensate) && self.ended.is_some();
            }
            Event::Resumed { by } => {
                self.resumed = Some(by.clone());
                self.ended = None;
                self.decision = None;
                self.unwanted = None;
                for step in self.steps.values_mut().map(Arc::make_mut) {
                    step.back = step.back.anew();
                    let forward = &mut step.forward;
                    forward.first_at = None;
                    forward.sends = 0;
                    forward.looks = 0;
                    forward.fence = 0;
                    if forward.phase == Phase::Refused {
                        forward.phase = Phase::TryLater;
                        forward.fault = Some(Fault::new(
                            NOT_APPLIED,
                            "refused before; a person has it tried again",
                        ));
                    }
                }
            }
            Event::Watched { look } => {
                self.looks = *look;
                self.look_owed = false;
            }
            Event::Reopened { decision, found } => {
                self.ended = None;
                self.look_owed = false;
                self.decide(decision);
                for step in self.steps.values_mut().map(Arc::make_mut) {
                    // What was undone for nothing, or was refused, is looked at anew; what was
                    // really undone stays so.
                    if matches!(
                        step.back.phase,
                        Phase::Skipped | Phase::Refused | Phase::Unknown | Phase::TryLater
                    ) {
                        step.back = step.back.anew();
                    }
                }
                if let Some(found) = found {
                    let back = self.side_mut(&found.step, Direction::Back);
                    *back = back.anew();
                    let side = self.side_mut(&found.step, Direction::Forward);
                    side.phase = Phase::Done;
                    side.value = Some(found.value.clone());
                    side.last_at = Some(at);
                }
            }
        }
    }

    fn decide(&mut self, decision: &Decision) {
        self.triggered(&decision.trigger);
        self.decision = Some(decision.clone());
    }

    fn triggered(&mut self, by: &str) {
        if !self.triggers.iter().any(|t| t == by) {
            self.triggers.push(by.to_owned());
        }
    }

    fn side_mut(&mut self, step: &str, way: Direction) -> &mut Side {
        let step = Arc::make_mut(self.steps.entry(step.to_owned()).or_default());
        match way {
            Direction::Forward => &mut step.forward,
            Direction::Back => &mut step.back,
        }
    }
}
