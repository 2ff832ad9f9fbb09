//! The next move of an execution, as a pure function of the journal, for the runner and for
//! recovery.
//!
//! ```text
//! the journal ends with        so the request            the move
//! an outcome, no intent after  was not built             Act: build, journal, send
//! an intent, no outcome        may have been sent        Resolve: the activity determines the outcome
//! an outcome unknown           was sent, response lost   Resolve, after a delay that doubles
//! an outcome try later         was not applied           SendAgain the journaled bytes, or Act again if looked up
//! decided                      does not matter           the undo order, and nothing forward ever again
//! ```
//! A worker that takes over, or resumes what needed a person, resolves first and sends second
//! (`Progress::is_inherited`). A key's age counts from its first intent, and nothing resets it.

mod backoff;
mod retry_limits;

use std::time::Duration;

pub use retry_limits::{Budget, budget_is_exhausted};

use jiff::Timestamp;

use backoff::pause_or;
use retry_limits::{elapsed, is_window_over, spent};

use crate::{
    definition::{Definition, Step, StepKind, UnknownOutcomePolicy},
    event::{Decision, Direction, End, Fault, NOT_APPLIED},
    handle_signal::{self, SignalEffect},
    progress::{DirectionProgress, Phase, Progress},
    signal::{Signal, SignalAction},
    state_machine::State,
};

#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// Read and validate the prerequisites.
    Read,
    /// Build a request for this step, journal it, send it.
    Act(&'static str, Direction),
    /// Send the journaled bytes again.
    SendAgain(&'static str, Direction),
    /// Determine the outcome of the journaled request.
    Resolve(&'static str, Direction),
    /// Wait until then.
    Sleep(Timestamp),
    /// Start to compensate.
    Decide(Decision),
    End(End, Option<String>),
    /// Answer a signal, by its key, with its consequence.
    Hear(String, SignalEffect),
    /// Recheck the outside systems.
    Recheck(u32),
    /// Nothing to do.
    Rest,
}

/// Plans the next move. `due` means the store (or a notification) has just declared this execution
/// due, so it does not wait again. `signals` are the open ones; they come first.
#[must_use]
pub fn next_move(
    definition: &Definition,
    progress: &Progress,
    signals: &[Signal],
    budget: &Budget,
    now: Timestamp,
    due: bool,
) -> Move {
    if let Some(signal) = signals.first() {
        return Move::Hear(
            signal.key.clone(),
            handle_signal::handle_signal(definition, progress, signal),
        );
    }
    match progress.state {
        None | Some(State::Queued) => Move::Read,
        Some(State::Running) if progress.facts.is_none() && progress.steps.is_empty() => Move::Read,
        Some(State::Running | State::Retrying | State::Waiting) => {
            forward(definition, progress, budget, now, due)
        }
        Some(State::Compensating) => back(definition, progress, budget, now, due),
        Some(
            State::Completed
            | State::Refused
            | State::Compensated
            | State::NeedsAttention
            | State::SettledByHand,
        ) => next_recheck(definition, progress, now, due),
    }
}

fn forward(
    definition: &Definition,
    progress: &Progress,
    budget: &Budget,
    now: Timestamp,
    due: bool,
) -> Move {
    if let Some(by) = &progress.unwanted
        && handle_signal::money_taken(definition, progress)
        && !handle_signal::pivot_passed(definition, progress)
    {
        return Move::Decide(handle_signal::decision(
            progress,
            SignalAction::Compensate.name(),
            by,
        ));
    }
    for step in &definition.steps {
        let Some(direction_progress) = progress.direction_progress(step.name, Direction::Forward)
        else {
            return Move::Act(step.name, Direction::Forward);
        };
        let inherited = progress.is_inherited(step.name, Direction::Forward);
        match direction_progress.phase {
            Phase::Done | Phase::Skipped => {}
            Phase::Untouched => return Move::Act(step.name, Direction::Forward),
            Phase::Intended => return Move::Resolve(step.name, Direction::Forward),
            Phase::Refused => return give_up(definition, progress, step, direction_progress),
            Phase::Waiting => {
                if is_overdue(direction_progress, inherited, budget, now) {
                    return need_attention("UNKNOWN_OUTCOME");
                }
                // Checks become less frequent over time: nobody is waiting on a page.
                let waited = direction_progress
                    .first_at
                    .map_or(Duration::ZERO, |at| elapsed(at, now));
                let longest = (waited / 10)
                    .max(Duration::from_secs(30))
                    .min(budget.longest_back);
                return pause_or(
                    direction_progress,
                    budget,
                    budget.first_pause * 4,
                    longest,
                    now,
                    due,
                    Move::Resolve(step.name, Direction::Forward),
                );
            }
            Phase::TryLater => {
                if spent(step, direction_progress, inherited, budget, now) {
                    return give_up(definition, progress, step, direction_progress);
                }
                let again = if inherited && step.money && direction_progress.request.is_some() {
                    // A takeover checks money first, whatever the journal says.
                    Move::Resolve(step.name, Direction::Forward)
                } else if direction_progress.request.is_none()
                    || is_not_applied(direction_progress)
                    || (inherited && step.kind == StepKind::Pivot)
                {
                    Move::Act(step.name, Direction::Forward)
                } else {
                    Move::SendAgain(step.name, Direction::Forward)
                };
                // Steps after the pivot have time, and must not overload a system that is down.
                let longest = if step.kind == StepKind::Retriable {
                    budget.longest_back
                } else {
                    budget.longest_forward
                };
                return pause_or(
                    direction_progress,
                    budget,
                    budget.first_pause,
                    longest,
                    now,
                    due,
                    again,
                );
            }
            Phase::Unknown => {
                // An unknown outcome is checked at least once before giving up, however little of
                // the budget is left. An orphan does no harm, known or not.
                let looked_into =
                    direction_progress.outcome_checks > 0 || step.kind == StepKind::Orphan;
                if step.patience == UnknownOutcomePolicy::Budget
                    && looked_into
                    && spent(step, direction_progress, inherited, budget, now)
                {
                    return give_up(definition, progress, step, direction_progress);
                }
                let longest = if step.patience == UnknownOutcomePolicy::Budget {
                    budget.longest_forward
                } else {
                    budget.longest_back
                };
                if is_overdue(direction_progress, inherited, budget, now) {
                    return need_attention("UNKNOWN_OUTCOME");
                }
                // The first check is immediate; after that a pause is needed, or a fast answer
                // would cause a busy loop.
                let first = if direction_progress.sends + direction_progress.outcome_checks <= 1 {
                    Duration::ZERO
                } else {
                    budget.first_pause
                };
                return pause_or(
                    direction_progress,
                    budget,
                    first,
                    longest,
                    now,
                    due,
                    Move::Resolve(step.name, Direction::Forward),
                );
            }
        }
    }
    Move::End(End::Completed, None)
}

fn back(
    definition: &Definition,
    progress: &Progress,
    budget: &Budget,
    now: Timestamp,
    due: bool,
) -> Move {
    let mut attention = None;
    for step in definition.undo_order() {
        let Some(state) = progress.steps.get(step.name) else {
            continue;
        };
        let touched = state.forward.intents > 0 || matches!(state.forward.phase, Phase::Done);
        if !touched || state.forward.phase == Phase::Skipped {
            continue;
        }
        let direction_progress = &state.back;
        match direction_progress.phase {
            Phase::Done | Phase::Skipped => {
                let reason = direction_progress
                    .value
                    .as_ref()
                    .and_then(|v| v["attention"].as_str())
                    .map(str::to_owned);
                attention = attention.or(reason);
            }
            Phase::Untouched => return Move::Act(step.name, Direction::Back),
            Phase::Intended | Phase::Waiting => return Move::Resolve(step.name, Direction::Back),
            Phase::Refused => {
                let otherwise = if step.money {
                    "REFUND_REFUSED"
                } else {
                    "REVERT_FAILED"
                };
                let reason = direction_progress.fault.as_ref().and_then(stated_reason);
                return need_attention(reason.unwrap_or(otherwise));
            }
            Phase::TryLater | Phase::Unknown => {
                let inherited = progress.is_inherited(step.name, Direction::Back);
                if is_window_over(direction_progress, inherited, budget, now) {
                    let reason = if step.money {
                        "UNKNOWN_OUTCOME"
                    } else {
                        "REVERT_FAILED"
                    };
                    return need_attention(reason);
                }
                let again = match direction_progress.phase {
                    Phase::TryLater
                        if inherited && step.money && direction_progress.request.is_some() =>
                    {
                        Move::Resolve(step.name, Direction::Back)
                    }
                    Phase::TryLater
                        if direction_progress.request.is_none()
                            || is_not_applied(direction_progress) =>
                    {
                        Move::Act(step.name, Direction::Back)
                    }
                    Phase::TryLater => Move::SendAgain(step.name, Direction::Back),
                    _ => Move::Resolve(step.name, Direction::Back),
                };
                return pause_or(
                    direction_progress,
                    budget,
                    budget.first_pause,
                    budget.longest_back,
                    now,
                    due,
                    again,
                );
            }
        }
    }
    match attention {
        None => Move::End(End::Compensated, None),
        Some(reason) => Move::End(End::NeedsAttention, Some(reason)),
    }
}

fn next_recheck(definition: &Definition, progress: &Progress, now: Timestamp, due: bool) -> Move {
    let Some((_, _, at)) = &progress.ended else {
        return Move::Rest;
    };
    let done = usize::try_from(progress.recheck_count).unwrap_or(usize::MAX);
    match definition.recheck_after.get(done) {
        // Requested recheck; the scheduled ones keep their count and time.
        _ if progress.recheck_pending => Move::Recheck(progress.recheck_count),
        None => Move::Rest,
        Some(after) => {
            let when = *at + *after;
            if due || now >= when {
                Move::Recheck(progress.recheck_count + 1)
            } else {
                Move::Sleep(when.min(now + *after))
            }
        }
    }
}

fn give_up(
    definition: &Definition,
    progress: &Progress,
    step: &Step,
    direction_progress: &DirectionProgress,
) -> Move {
    let fault = direction_progress
        .fault
        .clone()
        .unwrap_or_else(|| Fault::new("gave_up", "the step did not succeed"));
    let to_undo = definition.steps.iter().any(|s| {
        let Some(forward) = progress.direction_progress(s.name, Direction::Forward) else {
            return false;
        };
        matches!(s.kind, StepKind::Compensatable | StepKind::Pivot)
            && (forward.phase == Phase::Done
                || (s.kind == StepKind::Pivot
                    && s.undo_title.is_some()
                    && s.name == step.name
                    && (forward.ever_unknown || forward.phase == Phase::Unknown)))
    });
    if step.kind == StepKind::Retriable || handle_signal::pivot_passed(definition, progress) {
        // Nothing is compensated past this point: what cannot be finished goes to a person.
        let otherwise = if step.money && direction_progress.phase == Phase::Refused {
            "REFUND_REFUSED"
        } else {
            "UNKNOWN_OUTCOME"
        };
        need_attention(stated_reason(&fault).unwrap_or(otherwise))
    } else if to_undo {
        Move::Decide(Decision {
            because: step.name.to_owned(),
            fault,
            trigger: "saga".to_owned(),
        })
    } else if let Some(reason) = stated_reason(&fault) {
        need_attention(reason)
    } else {
        Move::End(End::Refused, None)
    }
}

fn need_attention(reason: &str) -> Move {
    Move::End(End::NeedsAttention, Some(reason.to_owned()))
}

/// Why a person must look at it, if the fault says so.
fn stated_reason(fault: &Fault) -> Option<&str> {
    fault.details["attention"].as_str()
}

/// True when a person must be informed of an outcome that is still open: no wait is endless, and
/// twice the compensation window is enough. But a takeover checks first.
fn is_overdue(
    direction_progress: &DirectionProgress,
    inherited: bool,
    budget: &Budget,
    now: Timestamp,
) -> bool {
    let longest = budget.back_window.saturating_mul(2);
    !inherited
        && direction_progress
            .first_at
            .is_some_and(|first| elapsed(first, now) > longest)
}

fn is_not_applied(direction_progress: &DirectionProgress) -> bool {
    direction_progress
        .fault
        .as_ref()
        .is_some_and(|f| f.code == NOT_APPLIED)
}
