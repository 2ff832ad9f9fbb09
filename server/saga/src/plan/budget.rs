//! How long and how often a step is tried.

use std::time::Duration;

use jiff::Timestamp;

use crate::{
    definition::{Kind, Step},
    progress::Side,
};

/// How long and how often things are tried.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Forward: so many tries of one step,
    pub forward_tries: u32,
    /// or so long since its first intent, whichever ends first.
    pub forward_window: Duration,
    /// Back: so long since the first intent of an undo (or since the decision), before a person is
    /// called.
    pub back_window: Duration,
    /// The first pause between tries; it doubles.
    pub first_pause: Duration,
    /// The longest pause on the way forward.
    pub longest_forward: Duration,
    /// The longest pause on the way back.
    pub longest_back: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            forward_tries: 3,
            forward_window: Duration::from_secs(20),
            // Salesforce's longest announced maintenance windows are hours; after a day a person
            // must know.
            back_window: Duration::from_secs(24 * 3600),
            first_pause: Duration::from_millis(500),
            longest_forward: Duration::from_secs(4),
            longest_back: Duration::from_secs(300),
        }
    }
}

/// True when a step is not tried any further: a retriable one has as long as the way back.
pub(super) fn spent(
    step: &Step,
    side: &Side,
    inherited: bool,
    budget: &Budget,
    now: Timestamp,
) -> bool {
    match step.kind {
        Kind::Retriable => side
            .first_at
            .is_some_and(|first| elapsed(first, now) > budget.back_window),
        _ => exhausted(side, inherited, budget, now),
    }
}

/// True when a step has used up what it is given on the way forward. Its time counts from its
/// present holder's first row about it: two holders' clocks cannot be compared.
#[must_use]
pub fn exhausted(side: &Side, inherited: bool, budget: &Budget, now: Timestamp) -> bool {
    side.sends >= budget.forward_tries
        || side.looks >= budget.forward_tries
        || (!inherited
            && side
                .held_at
                .is_some_and(|first| elapsed(first, now) >= budget.forward_window))
}

/// Time since then; none by a clock that has gone back.
pub(super) fn elapsed(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or(Duration::ZERO)
}
