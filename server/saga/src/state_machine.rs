//! The state machine: the runner and recovery both replay the journal through [`next`].
//!
//! ```text
//! state            event            next
//! -                queued           queued
//! queued           version_chosen   queued
//! queued           read             running
//! queued           ended_refused    refused
//! queued           ended_attention  needs_attention
//! queued           heard            queued
//! running          version_chosen   running
//! running          read             running
//! running          intended         running
//! running          done             running
//! running          skipped          running
//! running          refused          running
//! running          unsettled        retrying
//! running          waiting          waiting
//! running          decided          compensating
//! running          ended_completed  completed
//! running          ended_refused    refused
//! running          ended_attention  needs_attention
//! running          heard            running
//! retrying         intended         retrying
//! retrying         done             running
//! retrying         skipped          running
//! retrying         refused          running
//! retrying         unsettled        retrying
//! retrying         waiting          waiting
//! retrying         decided          compensating
//! retrying         ended_refused    refused
//! retrying         ended_attention  needs_attention
//! retrying         heard            retrying
//! waiting          intended         waiting
//! waiting          done             running
//! waiting          refused          running
//! waiting          unsettled        waiting
//! waiting          waiting          waiting
//! waiting          decided          compensating
//! waiting          ended_attention  needs_attention
//! waiting          heard            waiting
//! compensating     intended_back    compensating
//! compensating     settled_back     compensating
//! compensating     skipped_back     compensating
//! compensating     ended_compensated compensated
//! compensating     ended_attention  needs_attention
//! compensating     heard            compensating
//! completed        watched          completed
//! completed        reopened         compensating
//! completed        heard            completed
//! refused          watched          refused
//! refused          reopened         compensating
//! refused          heard            refused
//! compensated      watched          compensated
//! compensated      reopened         compensating
//! compensated      heard            compensated
//! needs_attention  watched          needs_attention
//! needs_attention  reopened         compensating
//! needs_attention  heard            needs_attention
//! needs_attention  resumed          running
//! needs_attention  ended_completed  completed
//! needs_attention  ended_refused    refused
//! needs_attention  ended_compensated compensated
//! needs_attention  ended_settled    settled_by_hand
//! settled_by_hand  watched          settled_by_hand
//! settled_by_hand  reopened         compensating
//! settled_by_hand  heard            settled_by_hand
//! ```
//!
//! Everything else is refused. `decided` is final: no transition leads from `compensating` to a
//! forward state. Only a person's decision leads out of `needs_attention`; there, `ended_…` says
//! that the person has resolved it by hand. That counts as `completed` only if the pivot is
//! journaled; `ended_refused` and `ended_compensated` there come from older releases.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::event::{Direction, End, Event, Outcome};

/// State of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Accepted; nothing read yet.
    Queued,
    /// Going forward.
    Running,
    /// Going forward; the last attempt did not finish.
    Retrying,
    /// Someone outside must act.
    Waiting,
    Compensating,
    /// Ended: every step completed.
    Completed,
    /// Ended: nothing was charged, nothing was changed.
    Refused,
    /// Ended: every effect was compensated.
    Compensated,
    /// Ended until a person acts.
    NeedsAttention,
    /// Ended: a person resolved it outside this program, in an unknown way. Its money is still
    /// monitored.
    SettledByHand,
}

impl State {
    /// Every state, in the order they are reached.
    pub const ALL: [Self; 10] = [
        Self::Queued,
        Self::Running,
        Self::Retrying,
        Self::Waiting,
        Self::Compensating,
        Self::Completed,
        Self::Refused,
        Self::Compensated,
        Self::NeedsAttention,
        Self::SettledByHand,
    ];

    /// Whether the execution has ended: nothing more happens automatically, except rechecks for
    /// late effects.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(
            self,
            Self::Completed
                | Self::Refused
                | Self::Compensated
                | Self::NeedsAttention
                | Self::SettledByHand
        )
    }

    /// Name used everywhere.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Retrying => "retrying",
            Self::Waiting => "waiting",
            Self::Compensating => "compensating",
            Self::Completed => "completed",
            Self::Refused => "refused",
            Self::Compensated => "compensated",
            Self::NeedsAttention => "needs_attention",
            Self::SettledByHand => "settled_by_hand",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An event that is not allowed in a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{event} may not happen to an execution that is {}", state.map_or("not there yet", State::name))]
pub struct IllegalTransition {
    pub state: Option<State>,
    /// Name of the event in the table above.
    pub event: &'static str,
}

/// Name of the event in the table above.
#[must_use]
pub const fn kind(event: &Event) -> &'static str {
    match event {
        Event::Queued { .. } => "queued",
        Event::VersionChosen { .. } => "version_chosen",
        Event::Read { .. } => "read",
        Event::Intended {
            direction: Direction::Forward,
            ..
        } => "intended",
        Event::Intended {
            direction: Direction::Back,
            ..
        } => "intended_back",
        Event::Settled {
            direction: Direction::Back,
            ..
        } => "settled_back",
        Event::Settled { guard: true, .. } => "intended",
        Event::Settled { outcome, .. } => match outcome {
            Outcome::Done(_) => "done",
            Outcome::Refused(_) => "refused",
            Outcome::TryLater(_) | Outcome::Unknown(_) => "unsettled",
            Outcome::Waiting(_) => "waiting",
        },
        Event::Skipped {
            direction: Direction::Forward,
            ..
        } => "skipped",
        Event::Skipped {
            direction: Direction::Back,
            ..
        } => "skipped_back",
        Event::Decided { .. } => "decided",
        Event::Ended { end, .. } => match end {
            End::Completed => "ended_completed",
            End::Refused => "ended_refused",
            End::Compensated => "ended_compensated",
            End::NeedsAttention => "ended_attention",
            End::SettledByHand => "ended_settled",
        },
        Event::SignalHandled { .. } => "heard",
        Event::Resumed { .. } => "resumed",
        Event::Watched { .. } => "watched",
        Event::Reopened { .. } => "reopened",
    }
}

/// The state after `event` (`None`: the execution does not exist yet).
///
/// # Errors
/// When the table above has no such row.
pub fn next(state: Option<State>, event: &Event) -> Result<State, IllegalTransition> {
    let event = kind(event);
    step(state, event).ok_or(IllegalTransition { state, event })
}

fn step(state: Option<State>, event: &str) -> Option<State> {
    use State::{
        Compensated, Compensating, Completed, NeedsAttention, Queued, Refused, Retrying, Running,
        SettledByHand, Waiting,
    };
    let Some(state) = state else {
        return (event == "queued").then_some(Queued);
    };
    Some(match (state, event) {
        (_, "heard") => state,
        (_, "watched") if state.has_ended() => state,
        (_, "reopened") if state.has_ended() => Compensating,
        // The second resumes an execution that stopped before anything was read.
        (Queued | Running, "read") => Running,
        (Queued | Running, "version_chosen") => state,
        (Running | Retrying | Waiting, "intended") => state,
        (Running | Retrying, "unsettled") => Retrying,
        (Waiting, "unsettled") | (Running | Retrying | Waiting, "waiting") => Waiting,
        (Running | Retrying | Waiting, "done" | "refused") => Running,
        (Running | Retrying, "skipped") | (NeedsAttention, "resumed") => Running,
        (Running | Retrying | Waiting, "decided") => Compensating,
        (Compensating, "intended_back" | "settled_back" | "skipped_back") => Compensating,
        (Running | NeedsAttention, "ended_completed") => Completed,
        (Queued | Running | Retrying | NeedsAttention, "ended_refused") => Refused,
        (Compensating | NeedsAttention, "ended_compensated") => Compensated,
        (NeedsAttention, "ended_settled") => SettledByHand,
        (Queued | Running | Retrying | Waiting | Compensating, "ended_attention") => NeedsAttention,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
