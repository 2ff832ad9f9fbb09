//! One direction of a step: its phase and the requests sent for it.

use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::event::{Fault, Outcome, Request, SAME_SECOND};

/// Phase of a step in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// Nothing happened yet.
    #[default]
    Untouched,
    /// An intent is committed without an outcome: the request may or may not have been sent.
    Intended,
    /// Applied.
    Done,
    Refused,
    /// Definitely not applied; may be sent again.
    TryLater,
    /// Outcome unknown.
    Unknown,
    /// Someone outside must act.
    Waiting,
    /// No request was needed.
    Skipped,
}

/// A guard of a step: the write that makes a late effect of the main request impossible.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Exact bytes.
    pub request: Request,
    /// Outcome; `None` while it is open.
    pub outcome: Option<Outcome>,
    /// Time when the outcome was committed.
    pub settled_at: Option<Timestamp>,
}

/// One direction of a step.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct DirectionProgress {
    pub phase: Phase,
    /// Number of requests built.
    pub intents: u32,
    /// Number of times a main request was sent, as far as outcomes (or their absence) are
    /// journaled.
    pub sends: u32,
    /// Number of consecutive outcome checks since, without those that were put off.
    pub outcome_checks: u32,
    /// Total number of permanent refusals: a new key gets past a refusal that the old key would
    /// repeat.
    pub refusals: u32,
    /// True once any attempt had an unknown outcome, so that a late effect of ours is possible.
    pub ever_unknown: bool,
    /// The latest main request.
    pub request: Option<Request>,
    pub guard: Option<Guard>,
    /// Value of `Done`, `Waiting` and `Skipped`.
    pub value: Option<Value>,
    /// Fault of `Refused`, `TryLater` and `Unknown`.
    pub fault: Option<Fault>,
    /// Time of the first committed intent.
    pub first_at: Option<Timestamp>,
    /// Time of the current holder's first row about it, by that holder's clock.
    pub held_at: Option<Timestamp>,
    /// Time of the latest committed intent of a main request; the request is sent after it.
    pub intended_at: Option<Timestamp>,
    /// Upper bound of the time a main request was last sent: when its intent or its outcome was
    /// committed.
    pub sent_at: Option<Timestamp>,
    /// Idempotency key in use, and the time of its first committed intent. Never reset: the outside
    /// system counts from the first time it saw the key.
    pub key: Option<(String, Timestamp)>,
    /// Fencing token of the latest row about it; 0 after a person retried it.
    pub fence: i64,
    /// Time of the latest row about it.
    pub last_at: Option<Timestamp>,
}

impl DirectionProgress {
    /// The journaled value, if it is of that type.
    #[must_use]
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(self.value.as_ref()?).ok()
    }

    /// Age of the idempotency key in use, since its first intent; zero without a key.
    #[must_use]
    pub fn key_age(&self, now: Timestamp) -> Duration {
        self.key.as_ref().map_or(Duration::ZERO, |(_, at)| {
            Duration::try_from(now.duration_since(*at)).unwrap_or_default()
        })
    }

    /// Resets everything except the counts keys are derived from and the age of the key.
    pub(super) fn reset(&self) -> Self {
        Self {
            intents: self.intents,
            refusals: self.refusals,
            key: self.key.clone(),
            ..Self::default()
        }
    }

    /// Records that the holder of this fencing token appended a row about it.
    pub(super) fn touched(&mut self, at: Timestamp, fence: i64) {
        self.last_at = Some(at);
        if self.fence != fence || self.held_at.is_none() {
            self.held_at = Some(at);
        }
        self.fence = fence;
    }

    pub(super) fn settle(&mut self, outcome: &Outcome, looked: bool) {
        let fault = match outcome {
            Outcome::Done(value) => {
                self.phase = Phase::Done;
                self.value = Some(value.clone());
                None
            }
            Outcome::Waiting(value) => {
                self.phase = Phase::Waiting;
                self.value = Some(value.clone());
                None
            }
            Outcome::Refused(fault) => {
                self.phase = Phase::Refused;
                self.refusals += 1;
                Some(fault)
            }
            Outcome::TryLater(fault) => {
                self.phase = Phase::TryLater;
                Some(fault)
            }
            Outcome::Unknown(fault) => {
                self.phase = Phase::Unknown;
                self.ever_unknown = true;
                Some(fault)
            }
        };
        let put_off = fault.is_some_and(|fault| fault.code == SAME_SECOND);
        if looked {
            self.outcome_checks += u32::from(!put_off);
        } else {
            self.sends += 1;
            self.outcome_checks = 0;
        }
        self.fault = fault.cloned();
    }
}
