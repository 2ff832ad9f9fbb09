//! The consequences of a signal, as a pure function of the journal. A signal never overrules the
//! state machine: an impossible one is answered with "not taken"; one that comes too early is
//! remembered.

use crate::{
    definition::{Definition, StepKind},
    event::{Decision, Direction, Fault},
    progress::{Phase, Progress},
    signal::{Signal, SignalAction},
    state_machine::State,
};

#[derive(Clone, Debug, PartialEq)]
pub enum SignalEffect {
    /// None: the state does not allow it, or nothing would change.
    Nothing,
    /// Accepted; the execution continues without waiting.
    Continue,
    /// Recheck the outside systems.
    Recheck,
    Compensate(Decision),
    /// Compensate what is not compensated yet.
    Reopen(Decision),
    /// Go forward after all.
    Resume,
    /// Mark as resolved by hand.
    Resolve,
}

/// The consequence of `signal` in the execution's current state.
#[must_use]
pub fn handle_signal(
    definition: &Definition,
    progress: &Progress,
    signal: &Signal,
) -> SignalEffect {
    match (progress.state, signal.action) {
        (None, _) => SignalEffect::Nothing,
        (Some(state), SignalAction::Recheck) => match state {
            State::Queued
            | State::Running
            | State::Retrying
            | State::Waiting
            | State::Compensating => SignalEffect::Continue,
            State::Completed | State::Refused | State::Compensated | State::SettledByHand => {
                SignalEffect::Recheck
            }
            // A person is already in charge and decides.
            State::NeedsAttention => SignalEffect::Nothing,
        },
        (
            Some(State::Queued | State::Running | State::Retrying | State::Waiting),
            SignalAction::Compensate,
        ) => {
            if pivot_passed(definition, progress) {
                SignalEffect::Nothing
            } else if money_taken(definition, progress) {
                SignalEffect::Compensate(decision(progress, signal.action.name(), &signal.by))
            } else {
                // The payment's outcome is not known yet: the execution compensates as soon as it
                // is.
                SignalEffect::Continue
            }
        }
        (Some(State::Compensating), SignalAction::Compensate | SignalAction::RetryNow) => {
            SignalEffect::Continue
        }
        (Some(State::Refused | State::Compensated), SignalAction::Compensate) => {
            SignalEffect::Recheck
        }
        // What a person resolved stays resolved until a person says otherwise; any finding goes to
        // a person.
        (Some(State::SettledByHand), SignalAction::Compensate) => {
            if money_taken(definition, progress) && !succeeded(definition, progress) {
                SignalEffect::Reopen(decision(progress, signal.action.name(), &signal.by))
            } else {
                SignalEffect::Recheck
            }
        }
        (Some(State::NeedsAttention), SignalAction::Compensate) => {
            if progress.decision.is_some()
                || (money_taken(definition, progress) && !pivot_passed(definition, progress))
            {
                SignalEffect::Reopen(decision(progress, signal.action.name(), &signal.by))
            } else {
                SignalEffect::Nothing
            }
        }
        (Some(State::NeedsAttention), SignalAction::RetryNow) => {
            if progress.decision.is_some() {
                SignalEffect::Reopen(decision(progress, signal.action.name(), &signal.by))
            } else if complete(definition, progress) {
                SignalEffect::Nothing
            } else {
                SignalEffect::Resume
            }
        }
        (Some(State::NeedsAttention), SignalAction::FinishForward)
            if may_finish_forward(definition, progress) =>
        {
            SignalEffect::Resume
        }
        (Some(State::NeedsAttention), SignalAction::MarkSolved) => SignalEffect::Resolve,
        (Some(State::Retrying | State::Waiting), SignalAction::RetryNow) => SignalEffect::Continue,
        (
            Some(_),
            SignalAction::Compensate
            | SignalAction::RetryNow
            | SignalAction::FinishForward
            | SignalAction::MarkSolved,
        ) => SignalEffect::Nothing,
    }
}

/// Whether an execution that needs attention may still go forward: certainly no money was refunded,
/// or none was taken.
#[must_use]
pub fn may_finish_forward(definition: &Definition, progress: &Progress) -> bool {
    let undo = |name: &str| {
        progress
            .direction_progress(name, Direction::Back)
            .map_or(Phase::Untouched, |s| s.phase)
    };
    progress.state == Some(State::NeedsAttention)
        && !complete(definition, progress)
        && definition
            .steps
            .iter()
            .filter(|s| s.money)
            .all(|s| matches!(undo(s.name), Phase::Untouched | Phase::Refused))
        && definition
            .steps
            .iter()
            .filter(|s| !s.money)
            .all(|s| undo(s.name) != Phase::Done)
}

/// Whether the pivot's success is journaled.
#[must_use]
pub fn pivot_passed(definition: &Definition, progress: &Progress) -> bool {
    definition
        .steps
        .iter()
        .filter(|s| s.kind == StepKind::Pivot)
        .any(|s| {
            progress
                .direction_progress(s.name, Direction::Forward)
                .is_some_and(|s| s.phase == Phase::Done)
        })
}

/// Whether the execution succeeded, according to the journal: nothing was compensated, and the
/// pivot (or, without one, every step) is done.
#[must_use]
pub fn succeeded(definition: &Definition, progress: &Progress) -> bool {
    progress.decision.is_none()
        && (pivot_passed(definition, progress) || complete(definition, progress))
}

/// Whether all of its payments are journaled as captured.
pub(crate) fn money_taken(definition: &Definition, progress: &Progress) -> bool {
    let mut money = definition
        .steps
        .iter()
        .filter(|s| s.money && s.undo_title.is_some())
        .peekable();
    money.peek().is_some()
        && money.all(|s| {
            progress
                .direction_progress(s.name, Direction::Forward)
                .is_some_and(|s| s.phase == Phase::Done)
        })
}

/// Whether every step is done or skipped.
fn complete(definition: &Definition, progress: &Progress) -> bool {
    definition.steps.iter().all(|s| {
        let direction_progress = progress.direction_progress(s.name, Direction::Forward);
        direction_progress.is_some_and(|s| matches!(s.phase, Phase::Done | Phase::Skipped))
    })
}

/// The decision a signal causes; what first went wrong remains the cause.
pub(crate) fn decision(progress: &Progress, asked: &str, by: &str) -> Decision {
    let (because, fault) = match &progress.decision {
        Some(before) => (before.because.clone(), before.fault.clone()),
        None => (
            asked.to_owned(),
            Fault::new("asked_for", "requested by a person or by the schedule"),
        ),
    };
    Decision {
        because,
        fault,
        trigger: by.to_owned(),
    }
}
