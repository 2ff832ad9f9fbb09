//! Folds one journal event into the progress.

use std::sync::Arc;

use jiff::Timestamp;

use super::{DirectionProgress, Guard, Phase, Progress};
use crate::{
    event::{Decision, Direction, Event, Fault, NOT_APPLIED},
    signal::SignalAction,
};

impl Progress {
    pub(super) fn fold(&mut self, event: &Event, at: Timestamp) {
        self.last_at = Some(at);
        let fence = self.fence;
        match event {
            Event::Queued { .. } => self.began_at = Some(at),
            Event::VersionChosen { version } => self.version = Some(*version),
            Event::Read { facts } => self.facts = Some(facts.clone()),
            Event::Intended {
                step,
                direction,
                guard,
                request,
                ..
            } => {
                let direction_progress = self.direction_progress_mut(step, *direction);
                direction_progress.touched(at, fence);
                if *guard {
                    direction_progress.guard = Some(Guard {
                        request: request.clone(),
                        outcome: None,
                        settled_at: None,
                    });
                } else {
                    direction_progress.phase = Phase::Intended;
                    direction_progress.intents += 1;
                    direction_progress.intended_at = Some(at);
                    direction_progress.sent_at = Some(at);
                    if let Some(key) = &request.key
                        && direction_progress
                            .key
                            .as_ref()
                            .is_none_or(|(known, _)| known != key)
                    {
                        direction_progress.key = Some((key.clone(), at));
                    }
                    direction_progress.request = Some(request.clone());
                    direction_progress.guard = None;
                    direction_progress.first_at.get_or_insert(at);
                }
            }
            Event::Settled {
                step,
                direction,
                guard,
                looked,
                outcome,
            } => {
                let direction_progress = self.direction_progress_mut(step, *direction);
                direction_progress.touched(at, fence);
                direction_progress.first_at.get_or_insert(at);
                if !*guard && !*looked {
                    direction_progress.sent_at = Some(at);
                }
                if *guard {
                    if let Some(guard) = &mut direction_progress.guard {
                        guard.outcome = Some(outcome.clone());
                        guard.settled_at = Some(at);
                    }
                } else {
                    direction_progress.settle(outcome, *looked);
                }
            }
            Event::Skipped {
                step,
                direction,
                why,
            } => {
                let direction_progress = self.direction_progress_mut(step, *direction);
                direction_progress.touched(at, fence);
                direction_progress.phase = Phase::Skipped;
                direction_progress.value = Some(why.clone());
            }
            Event::Decided { decision } => self.decide(decision),
            Event::Ended { end, reason } => {
                self.ended = Some((*end, reason.clone(), at));
                self.recheck_count = 0;
            }
            Event::SignalHandled {
                action,
                by,
                accepted,
                ..
            } => {
                if *accepted && *action == SignalAction::Compensate {
                    self.triggered(by);
                    self.unwanted = Some(by.clone());
                }
                // A refused execution may need a recheck before there is anything to compensate.
                self.recheck_pending |= *accepted
                    && matches!(action, SignalAction::Recheck | SignalAction::Compensate)
                    && self.ended.is_some();
            }
            Event::Resumed { by } => {
                self.resumed = Some(by.clone());
                self.ended = None;
                self.decision = None;
                self.unwanted = None;
                for step in self.steps.values_mut().map(Arc::make_mut) {
                    step.back = step.back.reset();
                    let forward = &mut step.forward;
                    forward.first_at = None;
                    forward.sends = 0;
                    forward.outcome_checks = 0;
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
                self.recheck_count = *look;
                self.recheck_pending = false;
            }
            Event::Reopened { decision, found } => {
                self.ended = None;
                self.recheck_pending = false;
                self.decide(decision);
                for step in self.steps.values_mut().map(Arc::make_mut) {
                    // Compensations that were skipped, refused or open are checked again; completed
                    // ones stay.
                    if matches!(
                        step.back.phase,
                        Phase::Skipped | Phase::Refused | Phase::Unknown | Phase::TryLater
                    ) {
                        step.back = step.back.reset();
                    }
                }
                if let Some(found) = found {
                    let back = self.direction_progress_mut(&found.step, Direction::Back);
                    *back = back.reset();
                    let direction_progress =
                        self.direction_progress_mut(&found.step, Direction::Forward);
                    direction_progress.phase = Phase::Done;
                    direction_progress.value = Some(found.value.clone());
                    direction_progress.last_at = Some(at);
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

    fn direction_progress_mut(
        &mut self,
        step: &str,
        direction: Direction,
    ) -> &mut DirectionProgress {
        let step = Arc::make_mut(self.steps.entry(step.to_owned()).or_default());
        match direction {
            Direction::Forward => &mut step.forward,
            Direction::Back => &mut step.back,
        }
    }
}
