//! Retry limits of a step.

use std::time::Duration;

use jiff::Timestamp;

use crate::{
    definition::{Step, StepKind},
    event::NOT_APPLIED,
    progress::{DirectionProgress, Phase},
};

/// Retry limits and pauses.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Forward: maximum number of attempts of one step.
    pub forward_tries: u32,
    /// Forward: maximum time since the step's first intent. Whichever limit is reached first
    /// counts.
    pub forward_window: Duration,
    /// Back: maximum time since the first intent of a compensation (or since the decision) before a
    /// person is called.
    pub back_window: Duration,
    /// First pause between attempts; doubles each time.
    pub first_pause: Duration,
    /// Longest pause when going forward.
    pub longest_forward: Duration,
    /// Longest pause when compensating.
    pub longest_back: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            forward_tries: 3,
            forward_window: Duration::from_secs(20),
            // Salesforce's longest announced maintenance windows take hours; after a day a person
            // must know.
            back_window: Duration::from_secs(24 * 3600),
            first_pause: Duration::from_millis(500),
            longest_forward: Duration::from_secs(4),
            longest_back: Duration::from_secs(300),
        }
    }
}

/// True when a step is no longer attempted. A retriable step has as much time as a compensation.
pub(super) fn spent(
    step: &Step,
    direction_progress: &DirectionProgress,
    inherited: bool,
    budget: &Budget,
    now: Timestamp,
) -> bool {
    match step.kind {
        StepKind::Retriable => is_window_over(direction_progress, inherited, budget, now),
        _ => budget_is_exhausted(direction_progress, inherited, budget, now),
    }
}

/// True when a step has used up its forward budget. Time counts from the current lease holder's
/// first row about it, because the clocks of two workers can't be compared.
#[must_use]
pub fn budget_is_exhausted(
    direction_progress: &DirectionProgress,
    inherited: bool,
    budget: &Budget,
    now: Timestamp,
) -> bool {
    direction_progress.sends >= budget.forward_tries
        || direction_progress.outcome_checks >= budget.forward_tries
        || (!inherited
            && direction_progress
                .held_at
                .is_some_and(|first| elapsed(first, now) >= budget.forward_window))
}

/// True when the time for a compensation is over. After a takeover, the step is rechecked first, and
/// sent once more if it was not applied.
pub(super) fn is_window_over(
    direction_progress: &DirectionProgress,
    inherited: bool,
    budget: &Budget,
    now: Timestamp,
) -> bool {
    let since = direction_progress.first_at.or(direction_progress.last_at);
    !inherited
        && !is_found_not_applied(direction_progress)
        && since.is_some_and(|at| elapsed(at, now) > budget.back_window)
}

/// True when the latest check found that nothing was applied.
pub(super) fn is_found_not_applied(direction_progress: &DirectionProgress) -> bool {
    let fault = direction_progress
        .fault
        .as_ref()
        .filter(|_| direction_progress.outcome_checks > 0);
    direction_progress.phase == Phase::TryLater
        && fault.is_some_and(|fault| fault.code == NOT_APPLIED)
}

/// Time since then; zero if the clock went back.
pub(super) fn elapsed(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or(Duration::ZERO)
}
